# docker build -t evreview . && docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/work" evreview diff --against main
FROM python:3.13-slim AS build
WORKDIR /src
COPY pyproject.toml requirements.lock README.md LICENSE CHANGELOG.md ./
COPY evreview evreview
COPY notebooks notebooks
COPY templates templates
COPY examples examples
# Without bytecode each run would compile what it imports; what installs is not needed any more.
RUN python -m venv /opt/evreview \
    && /opt/evreview/bin/python -m pip install --no-cache-dir --disable-pip-version-check \
        --constraint requirements.lock ".[run]" \
    && /opt/evreview/bin/python -m pip uninstall --quiet --yes pip \
    && /opt/evreview/bin/python -m compileall -q -j 0 /opt/evreview/lib

FROM python:3.13-slim
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends git && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/evreview /opt/evreview
ENV PATH=/opt/evreview/bin:$PATH PYTHONDONTWRITEBYTECODE=1 HOME=/tmp
RUN useradd --no-create-home --uid 10001 evreview
USER 10001
WORKDIR /work
ENTRYPOINT ["evreview"]
