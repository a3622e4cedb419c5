"""[I/O] Pairs in, what comes of each out: by workers of this machine, or by those of Dask."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice
from queue import SimpleQueue
from typing import Any, Final

from evreview import __version__
from evreview.app.batch.task import BatchSettings, Task, TaskOutcome, TaskStatus, task_of
from evreview.app.batch.work import failed_part, record
from evreview.app.batch.worker import LOST, TRIES, BatchWorker
from evreview.core.errors import bad_input

LOCAL: Final = "local"
"""The scheduler that is started here."""
AT_ONCE: Final = 2_000
"""Pairs that a scheduler is told of before the first is done."""
Result = tuple[Task, TaskOutcome]


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineChoice:
    """Who works: so many workers here; with a scheduler those of a cluster, `local` for one that is started here."""

    workers: int = 2
    scheduler: str = ""


def run(
    tasks: Iterable[Task], settings: BatchSettings, choice: EngineChoice, note: Callable[[str], None]
) -> Generator[Result, None, None]:
    """Each pair with what came of it, in the order in which they end. Closed early, it ends its workers.

    Args:
        tasks: the pairs.
        settings: what holds for all of them.
        choice: who works.
        note: is told what a user may want to know, such as the address of the dashboard.

    Raises:
        BadInput: Dask is not installed, there is no such scheduler, or it went away.
    """
    return _on_dask(tasks, settings, choice, note) if choice.scheduler else _in_pool(tasks, settings, choice.workers)


# Workers of this machine: a thread and a child process each.


def _in_pool(tasks: Iterable[Task], settings: BatchSettings, count: int) -> Generator[Result, None, None]:
    left = iter(tasks)
    taking = threading.Lock()
    results: SimpleQueue[Result | BaseException | None] = SimpleQueue()
    workers = [BatchWorker(settings) for _ in range(count)]

    def work(worker: BatchWorker) -> None:
        try:
            while not worker.closing:
                with taking:
                    task = next(left, None)
                if task is None:
                    break
                results.put((task, worker.perform(task)))
            worker.close()
            results.put(None)
        except BaseException as error:
            results.put(error)

    threads = [threading.Thread(target=work, args=(worker,), daemon=True) for worker in workers]
    for thread in threads:
        thread.start()
    try:
        running = count
        while running:
            found = results.get()
            if isinstance(found, BaseException):
                raise found
            if found is None:
                running -= 1
            else:
                yield found
    finally:
        for worker in workers:
            worker.kill()
        for thread in threads:
            thread.join()


# Workers of Dask. What travels are the fields of a task and of its outcome: nothing of a contract.


_IDLE: Final[dict[str, list[BatchWorker]]] = {}
_LOCK: Final = threading.Lock()


def perform_there(task: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """The outcome of a pair, on a worker of Dask, which keeps its child warm for the next one."""
    own = BatchSettings(**settings)
    with _LOCK:
        idle = _IDLE.setdefault(repr(own), [])
        worker = idle.pop() if idle else BatchWorker(own)
    try:
        return dict(worker.perform(task_of(task)).to_json())
    finally:
        with _LOCK:
            _IDLE[repr(own)].append(worker)


def version_there() -> str:
    """The version of evreview on a worker of Dask."""
    return __version__


def _on_dask(
    tasks: Iterable[Task], settings: BatchSettings, choice: EngineChoice, note: Callable[[str], None]
) -> Generator[Result, None, None]:
    if find_spec("distributed") is None:
        advice = "Install it: pip install 'evreview[batch]'; without --scheduler nothing more is needed"
        raise bad_input("batch-not-installed", "--scheduler needs Dask", advice=advice)
    import distributed

    completed: Any = distributed.as_completed

    with ExitStack() as open_ones:
        client = _client(choice, open_ones)
        note(f"dashboard: {client.dashboard_link}")
        left = iter(tasks)
        asked: dict[Any, Task] = {}

        def submit(task: Task) -> Any:
            future = client.submit(perform_there, task.to_json(), settings.to_json(), pure=False)
            asked[future] = task
            return future

        waiting = completed([submit(task) for task in islice(left, AT_ONCE)])
        for future in waiting:
            task = asked.pop(future)
            yield task, _outcome(future, task, settings)
            future.release()
            following = next(left, None)
            if following is not None:
                waiting.add(submit(following))


def _client(choice: EngineChoice, open_ones: ExitStack) -> Any:
    """A client of the scheduler, both closed with `open_ones`.

    Raises:
        BadInput: nobody answers at the address, or a worker has another version of evreview.
    """
    import dask
    import distributed

    dask_classes: Any = distributed

    # What Dask logs of a worker or a scheduler that dies are traces; the outcomes say it.
    logging.disable(logging.CRITICAL)
    open_ones.callback(logging.disable, logging.NOTSET)
    if choice.scheduler == LOCAL:
        # A pair may take as many processes down as in the pool.
        own = {"distributed.scheduler.allowed-failures": TRIES - 1}
        open_ones.enter_context(dask.config.set(own))
        cluster = dask_classes.LocalCluster(
            n_workers=choice.workers,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
        )
        open_ones.enter_context(cluster)
        return open_ones.enter_context(dask_classes.Client(cluster))
    try:
        client = open_ones.enter_context(dask_classes.Client(choice.scheduler))
    except (OSError, TimeoutError, ValueError) as error:
        found = f"no scheduler answers: {type(error).__name__}"
        raise bad_input(
            "scheduler-missing", found, file=choice.scheduler, advice="Start one, or leave it out"
        ) from None
    versions = set(client.run(version_there, on_error="ignore").values())
    if versions - {__version__}:
        found = f"workers have evreview {', '.join(sorted(map(str, versions)))}, and here is {__version__}"
        raise bad_input("worker-version", found, file=choice.scheduler, advice="Install one version everywhere")
    return client


def _outcome(future: Any, task: Task, settings: BatchSettings) -> TaskOutcome:
    """What a worker said, or what is recorded where none lived to say it.

    Raises:
        BadInput: the scheduler went away.
    """
    from distributed import KilledWorker

    try:
        # Where the worker died that held the result, the scheduler asks another one, which knows the pair by its part.
        return TaskOutcome.of_json(future.result())
    except KilledWorker:
        found = f"its worker died {TRIES} times"
        part = failed_part(TaskStatus.LOST, LOST, found, settings)
    except Exception as error:
        if future.cancelled():
            advice = "What is done is kept: run the same command again"
            found = "the scheduler went away before all pairs were done"
            raise bad_input("scheduler-gone", found, advice=advice) from None
        part = failed_part(TaskStatus.FAULT, "worker-fault", type(error).__name__, settings)
    return record(task, settings, "", part)
