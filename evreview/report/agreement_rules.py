"""What an artifact says more than once and must say alike: the rules as data, which an output contract holds."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Header = Annotated[str, Field(pattern=r"^\|( [^|]+ \|)+$")]


class Data(BaseModel):
    """Data of an output contract, which no key beyond it may stand in."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Rows(Data):
    """Rows of the registers with one header line; with `column` and `says` those whose cell matches the pattern.

    `folded` is the header line of a table that stands for many more rows: its last column says how many.
    With `times` a row stands for several: as many as the names in the groups of these patterns, multiplied.
    """

    header: Header
    column: str = ""
    says: str = ""
    folded: str = ""
    times: dict[str, str] = {}


class Count(Data):
    """A number that a statement under a heading gives, and what it counts.

    `says` has one group per number; `of` names for each group the rows that it counts, `prose` the pattern of the
    statements that it counts (those under the heading `among`, where one is named), `total` the rows that all of its
    numbers together count. With `filled` the statement is not left out while there are such rows. With `reached` a run
    that has come to no row yet contradicts nothing. `least` and `besides` bound numbers that rows do not tell whole: as
    many as these rows, and no more than all of `total` but those. `sums` finds the parts that the numbers add up to.
    Where a table `unless` stands, rows are folded away: nothing is counted.
    """

    under: str
    says: str
    of: dict[str, Rows] = {}
    prose: dict[str, str] = {}
    among: str = ""
    total: Rows | None = None
    reached: bool = False
    filled: Rows | None = None
    least: Rows | None = None
    besides: Rows | None = None
    sums: str = ""
    unless: str = ""


class Agreement(Data):
    """What an artifact says in several lines alike: `says` are patterns of lines, each with the group `value`.

    With `distinct` no two lines say the same.
    """

    what: str
    says: tuple[str, ...]
    distinct: bool = False


class Telling(Data):
    """One place that tells something of a key: cells in `column` of the table `header`, or statements without one.

    `key` is the column of the key, or the pattern of statements with the group `key`; a key may be several ids. `says`
    finds the group `value`, once or several times. A statement is read with its heading and a line break before it.
    With `counted` the number of rows is told, and `says` only picks them. Statements are split at `parts`.
    """

    header: str = ""
    column: str = ""
    key: str
    says: str = r"(?s)^(?P<value>.+)$"
    counted: bool = False
    parts: str = ""


class Keyed(Data):
    """What several places tell of one key alike.

    With `within` what the others tell begins a clause of what the last one tells, which has a row for each key.
    """

    what: str
    tells: tuple[Telling, ...]
    within: bool = False


class Tally(Data):
    """Numbers in a cell that count rows of another register: those that share a citation with a locator with its row.

    `says` has one group per number, and may occur several times; `of` names for each group the rows that it counts.
    """

    header: Header
    column: str
    says: str
    of: dict[str, Rows]


class Recorded(Data):
    """Numbers of an index against the record that each of its rows leads to.

    A row is named by its first cell; the tables `of` that stand under the heading of that name are its record. The
    numbers of `says` in the column are those that `tells` finds there, each summed.
    """

    header: Header
    column: str
    says: str
    of: Header
    tells: str


class Naming(Data):
    """Lines that name what a register has a row for.

    `says` are patterns of lines; in them `<names>` stands for code spans with commas between. `header` and `column` are
    the register and where its names stand; with `where` only rows whose cells match these patterns count.
    """

    what: str
    says: tuple[str, ...]
    header: Header
    column: str
    where: dict[str, str] = {}


class Quote(Data):
    """Statements that repeat what a register holds: the code span `text` stands in `column` of the row named `row`."""

    says: str
    header: Header
    column: str


class Beside(Data):
    """A table of the artifact that is made from a register in the folder beside it, the one in `file`.

    `key` names for columns of the table the register's member that tells its rows apart, `cells` the member whose value
    a cell holds. A key is the first code span of its cell, or the whole cell without one. Without keys the order tells.
    A cell that matches `unless` prints no member yet. With `several` the one key column lists the ids of several rows
    that are alike. Rows of the register whose members all match `may_miss` may be missing: they stand folded elsewhere.
    `groups` names for a key of the table the keys of the register's rows that its row tells together.
    """

    file: str
    header: Header
    key: dict[str, str]
    cells: dict[str, str] = {}
    unless: str = ""
    several: bool = False
    may_miss: dict[str, str] = {}
    groups: dict[str, tuple[str, ...]] = {}


class Measured(Data):
    """Numbers of statements that count the rows of registers in the folder."""

    says: str
    of: dict[str, str]


class RowRule(Data):
    """What cells of one row may say together: where all of `when` match, all of `then` do.

    With `under` only tables under this heading count; with `given` only a document that has such a row elsewhere.
    """

    header: Header
    when: dict[str, str]
    then: dict[str, str]
    under: str = ""
    given: Rows | None = None


class Period(Data):
    """A line with the groups `first` and `last`, and another one with the group `day`, which lies between them.

    Only a document that has a row `given` is read so. Days are written year first.
    """

    what: str
    says: str
    day: str
    given: Rows


class Closed(Data):
    """A column whose words are those of a closed list.

    `says` has the group `word` and may occur several times in a cell. With `always` a cell without it is wrong too.
    Only rows whose cells match `when` count.
    """

    header: Header
    column: str
    words: tuple[str, ...]
    says: str = "(?s)^(?P<word>.+)$"
    always: bool = True
    when: dict[str, str] = {}


class Against(Data):
    """Per word of a square what the row of `of` that it links to has in `key`; its card names the squares' rows."""

    of: Header
    key: str
    says: dict[str, str]


class Glance(Data):
    """A table that shows a register at a glance: per name in `key`, the gravest word that its rows in `of` have.

    `columns` names for columns of the table the word in `group` of the rows that they are about; `word` is the column
    that is judged, `order` its words, the gravest first, as the table prints them. Rows of the register for every name
    have one of `every`; a row of the table that sums up others matches `rest`; without a row a cell says `none`.
    """

    header: Header
    key: str
    columns: dict[str, str]
    of: Header
    group: str
    word: str
    order: dict[str, str]
    every: tuple[str, ...]
    rest: str
    none: str
    against: Against | None = None


class NamesOfRow(Data):
    """Where a table tells which names belong together: the name of its row in `key`, the others in `column`.

    `says` has the group `names`, names with commas between; only rows whose cell matches `where` tell anything.
    """

    header: Header
    key: str
    column: str
    says: str
    where: str = "."


class Pairs(Data):
    """What belongs together, told by several tables alike; `left` and `right`: the registers that give the names."""

    what: str
    left: tuple[Header, str]
    right: tuple[Header, str]
    tells: tuple[NamesOfRow, ...]


class Index(Data):
    """A table with one row per entry: the heading of level 3 that its first column leads to.

    What a row says stands in the entry: `says` in a code span of its prose, unless it says `unsaid`; the code spans of
    `lists` as first cells of the tables `of`, where rows whose second cell is `left_out` may miss; `held` as the line
    behind `line` names it without the ids that `ids` matches, or `none` without such a line. `record` is the table that
    each entry has.
    """

    header: Header
    record: Header
    says: str
    unsaid: str
    lists: str
    of: Header
    left_out: str
    held: str
    line: str
    ids: str
    none: str


class Entries(Data):
    """Entries of operations, each with its own headings of level 3, tables, statements and examples.

    `record` is the table that each entry has; `method`, `base`, `scheme`, `example` and `body` are properties of it.
    What an entry tells of parameters, answers and body fields stands in its tables `parameters`, `answers` and
    `fields`; the tables `behaviour`, `examples`, `schemes`, `gaps` and `discrepancies` tell of all operations.
    `aspects` are the words that statements about behaviour begin with and that the first column of `behaviour` has; a
    statement that begins with `withheld` names the discrepancies of its operation. The row `included` of the table
    `scope` names every operation, the row `excluded` what the statements that begin with `left_out` tell one by one.
    """

    record: Header
    method: str
    base: str
    scheme: str
    example: str
    body: str
    scope: Header
    included: str
    excluded: str
    left_out: str
    parameters: Header
    answers: Header
    fields: Header
    behaviour: Header
    examples: Header
    schemes: Header
    gaps: Header
    discrepancies: Header
    aspects: tuple[str, ...]
    withheld: str


class Breakdown(Data):
    """A table that counts the differences of a matrix per operation, and says what known clients meet there.

    It stands under the heading `under`, below the one in `above`; its first column is one of `leads`. `of` is the
    matrix, `judged` and `told` its columns of verdict and clients; `counts` names for columns of the table the verdict
    that they count, `mild` the one that tells nothing of clients while there is another. `folded` is the table of
    differences that stand nowhere else. `clients` is the register under the heading `section`: up to `most` clients
    have a column, more of them share `shared`. `outcomes` are the words of a square, the gravest first, each with the
    pattern by which the matrix names its clients; those in `runs` tell more than the others. The first one comes to
    `inferred` elsewhere. `quiet` are the other words, the last one of a client that declares no use. `unlisted` is the
    column of everybody else: `open`, or `closed` where each row says so behind `listed`. The verdict names the clients
    of a failed run before the words `ran`.
    """

    under: str
    above: str
    leads: tuple[str, ...]
    of: Header
    judged: str
    told: str
    counts: dict[str, str]
    mild: str
    folded: Header
    clients: Header
    section: str
    most: int
    shared: str
    outcomes: dict[str, str]
    runs: tuple[str, ...]
    inferred: str
    quiet: tuple[str, ...]
    unlisted: str
    open: str
    closed: str
    listed: str
    ran: str
