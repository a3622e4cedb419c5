"""Rename modules, names and words of evreview by a table, with all their uses.

usage: rename.py ROOT TABLE.csv [GROUP ...]      then: ruff check --select I --fix . ; ruff format .

TABLE.csv has the columns group, kind, where, old, new. Without GROUP all rows are applied at once; the order of groups matters when
they are applied one by one.

    module  where = old path, new = new path
    top     where = path as it is before the run; old, new = a name at the top of that file (class, function, constant)
    local   where = path[:function[.function]]; old, new = a parameter or local variable of functions there
    member  where = path:Class; old, new = a field, method, attribute or enum member; uses are found by the types of mypy
    word    where = globs of paths ("" is all of evreview, tests, bench, tools); old, new = words joined by `_`; every identifier that
            holds them as a part is renamed (`ghosts` -> `removed_uses` renames `Ghosts`, `_GHOSTS` and `all_ghosts` as well)
    code    where = path; old, new = text that is replaced as it is, after all else (to mend a line that grew too long)
    text    where = globs of files; old = a regular expression, new = its replacement in comments, docstrings and text files

A row that no longer finds its name is reported and skipped, so the table can be run again on a newer tree.
"""
import ast, collections, csv, fnmatch, io, pathlib, re, sys, tokenize

ROOT = pathlib.Path(sys.argv[1]).resolve()
CODE = ("evreview", "tests", "bench", "tools")
TEXTS = ("pyproject.toml", "Makefile", "CONTRIBUTING.md", "README.md", ".ci/run")


def modname(path):
    parts = list(pathlib.PurePosixPath(path).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


# ---- scopes ---------------------------------------------------------------------------------------------------------
class Scope:
    def __init__(self, kind, parent):
        self.kind, self.parent, self.bound, self.globals = kind, parent, set(), set()
        self.nonlocals, self.owner, self.params = set(), None, set()

    def lookup(self, name, start=True):
        if name in self.nonlocals:
            return self.parent.lookup(name, False)
        if name in self.globals:
            return self.module()
        if name in self.bound and (self.kind != "class" or start):
            return self
        return self.parent.lookup(name, False) if self.parent else None

    def module(self):
        return self if self.parent is None else self.parent.module()

    def chain(self):
        s = self
        while s: yield s; s = s.parent


class Walk:
    """All uses of names with their scopes."""

    def __init__(self, tree):
        self.top = Scope("module", None)
        self.names = []      # (Name node, scope)
        self.defs = []       # (def node, scope)
        self.imports = []    # (import node, scope, typing, parent body)
        self.globals = []    # (Global node, scope)
        self.strings = []    # string constants that hold types
        self.scope_of = {}
        self.scopes = [self.top]
        self.args = []       # (arg node, scope)
        self.others = []     # (node that binds a name by a string, field, scope)
        self.body(tree.body, self.top, False)

    def body(self, stmts, s, typing):
        for n in stmts: self.visit(n, s, typing, stmts)

    def bind_target(self, s, name):
        (s.module() if name in s.globals else s).bound.add(name)

    def visit(self, n, s, typing=False, body=None):
        if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.bind_target(s, n.name); self.defs.append((n, s))
            for d in n.decorator_list: self.visit(d, s)
            a = n.args
            for d in [*a.defaults, *[k for k in a.kw_defaults if k]]: self.visit(d, s)
            f = Scope("function", s); f.owner = n; self.scopes.append(f)
            for arg in [*a.posonlyargs, *a.args, *a.kwonlyargs, *[x for x in (a.vararg, a.kwarg) if x]]:
                f.bound.add(arg.arg); f.params.add(arg.arg); self.args.append((arg, f))
                if arg.annotation: self.annotation(arg.annotation, s)
            if n.returns: self.annotation(n.returns, s)
            self.declare(n.body, f)
            self.body(n.body, f, typing)
        elif isinstance(n, ast.Lambda):
            a = n.args
            for d in [*a.defaults, *[k for k in a.kw_defaults if k]]: self.visit(d, s)
            f = Scope("function", s); f.owner = n; self.scopes.append(f)
            for arg in [*a.posonlyargs, *a.args, *a.kwonlyargs, *[x for x in (a.vararg, a.kwarg) if x]]:
                f.bound.add(arg.arg); f.params.add(arg.arg); self.args.append((arg, f))
            self.visit(n.body, f)
        elif isinstance(n, ast.ClassDef):
            self.bind_target(s, n.name); self.defs.append((n, s))
            for d in [*n.decorator_list, *n.bases, *[k.value for k in n.keywords]]: self.visit(d, s)
            c = Scope("class", s); c.owner = n; self.scopes.append(c)
            self.body(n.body, c, typing)
        elif isinstance(n, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
            f = Scope("comp", s); f.owner = n; self.scopes.append(f)
            for i, g in enumerate(n.generators):
                self.visit(g.iter, s if i == 0 else f)
                self.visit(g.target, f)
                for x in g.ifs: self.visit(x, f)
            if isinstance(n, ast.DictComp): self.visit(n.key, f); self.visit(n.value, f)
            else: self.visit(n.elt, f)
        elif isinstance(n, ast.NamedExpr):
            t = s
            while t.kind == "comp": t = t.parent
            self.bind_target(t, n.target.id); self.names.append((n.target, t)); self.visit(n.value, s)
        elif isinstance(n, ast.Name):
            if isinstance(n.ctx, (ast.Store, ast.Del)): self.bind_target(s, n.id)
            self.names.append((n, s)); self.scope_of[n] = s
        elif isinstance(n, ast.Attribute):
            self.scope_of[n] = s
            self.visit(n.value, s)
        elif isinstance(n, ast.Global):
            s.globals.update(n.names); self.globals.append((n, s))
        elif isinstance(n, ast.Nonlocal):
            s.nonlocals.update(n.names); self.globals.append((n, s))
        elif isinstance(n, (ast.Import, ast.ImportFrom)):
            for al in n.names: self.bind_target(s, al.asname or al.name.split(".")[0])
            self.imports.append((n, s, typing, body))
        elif isinstance(n, ast.ExceptHandler):
            if n.name: s.bound.add(n.name); self.others.append((n, n.name, s))
            if n.type: self.visit(n.type, s)
            self.body(n.body, s, typing)
        elif isinstance(n, (ast.MatchAs, ast.MatchStar)):
            if n.name: s.bound.add(n.name); self.others.append((n, n.name, s))
            for c in ast.iter_child_nodes(n): self.visit(c, s)
        elif isinstance(n, ast.MatchMapping):
            if n.rest: s.bound.add(n.rest); self.others.append((n, n.rest, s))
            for c in ast.iter_child_nodes(n): self.visit(c, s)
        elif isinstance(n, ast.AnnAssign):
            self.visit(n.target, s); self.annotation(n.annotation, s)
            if n.value: self.visit(n.value, s)
        elif isinstance(n, ast.If) and "TYPE_CHECKING" in ast.unparse(n.test):
            self.visit(n.test, s); self.body(n.body, s, True); self.body(n.orelse, s, typing)
        elif isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in ("cast", "TypeVar") and n.args:
            self.visit(n.func, s)
            for i, x in enumerate(n.args):
                self.annotation(x, s) if i == 0 else self.visit(x, s)
            for k in n.keywords: self.visit(k.value, s)
        else:
            for f, value in ast.iter_fields(n):
                if isinstance(value, list):
                    if value and isinstance(value[0], ast.stmt): self.body(value, s, typing)
                    else:
                        for v in value:
                            if isinstance(v, ast.AST): self.visit(v, s, typing)
                elif isinstance(value, ast.AST): self.visit(value, s, typing)

    def declare(self, stmts, s):
        more = list(stmts)
        while more:
            m = more.pop()
            if isinstance(m, ast.Global): s.globals.update(m.names)
            elif isinstance(m, ast.Nonlocal): s.nonlocals.update(m.names)
            elif not isinstance(m, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)): more += ast.iter_child_nodes(m)

    def annotation(self, n, s):
        for m in ast.walk(n):
            if isinstance(m, ast.Constant) and isinstance(m.value, str): self.strings.append((m, s))
        self.visit(n, s)


# ---- one source ------------------------------------------------------------------------------------------------------
class Source:
    cache = {}

    def __init__(self, path):
        self.path = path
        self.text = (ROOT / path).read_bytes()
        self.tree = ast.parse(self.text)
        self.walk = Walk(self.tree)
        self.starts = [0]
        for line in self.text.splitlines(keepends=True): self.starts.append(self.starts[-1] + len(line))
        self.edits = []

    def at(self, line, col): return self.starts[line - 1] + col
    def span(self, n): return self.at(n.lineno, n.col_offset), self.at(n.end_lineno, n.end_col_offset)


def bound_at_top(src):
    """name -> 'def' or (module, item) of the import that binds it."""
    out = {}
    for n, s in src.walk.defs:
        if s is src.walk.top: out[n.name] = "def"
    for n, s in src.walk.names:
        if s.lookup(n.id) is src.walk.top and isinstance(n.ctx, ast.Store): out[n.id] = "def"
    for n, s, typing, _ in src.walk.imports:
        if s is src.walk.top:
            for a in n.names:
                if isinstance(n, ast.ImportFrom): out.setdefault(a.asname or a.name, (n.module, a.name))
                else: out.setdefault(a.asname or a.name.split(".")[0], (a.name, None))
    return out


class World:
    def __init__(self, moves, renames):
        self.paths = sorted(str(p.relative_to(ROOT)) for c in CODE for p in (ROOT / c).rglob("*.py"))
        self.moves = {p: moves.get(p, p) for p in self.paths}
        self.mod = {modname(p): p for p in self.paths}
        self.renames = renames
        self.top = {}
        self.sources = {}

    def src(self, path):
        if path not in self.sources: self.sources[path] = Source(path)
        return self.sources[path]

    def tops(self, path):
        if path not in self.top: self.top[path] = bound_at_top(self.src(path))
        return self.top[path]

    def new(self, path): return self.moves[path]

    def home(self, path, name):
        """(path that defines name, name there): follows re-exports."""
        for _ in range(6):
            what = self.tops(path).get(name)
            if what and what != "def" and what[1] and what[0] in self.mod and path.startswith("evreview/") and f"{what[0]}.{what[1]}" not in self.mod:
                path, name = self.mod[what[0]], what[1]
            else: break
        return path, name

    def renamed(self, path, name):
        if (path, name) in self.renames: return self.renames[path, name]
        return self.table.worded(name, path) if path in self.moves and self.tops(path).get(name) == "def" else name

    def dotted(self, text):
        """`evreview.old.mod.attr` -> its new spelling, None when nothing of it moves."""
        parts = text.split(".")
        for n in range(len(parts), 0, -1):
            m = ".".join(parts[:n])
            if m in self.mod:
                p = self.mod[m]
                rest = parts[n:]
                if rest:
                    if m in CODE: return None
                    p2, n2 = self.home(p, rest[0])
                    if n2 in self.tops(p2): return ".".join([modname(self.new(p)), self.renamed(p2, n2), *rest[1:]])
                    return ".".join([modname(self.new(p)), *rest]) if not p.endswith("__init__.py") or self.new(p) != p else None
                return modname(self.new(p))
        return None


PATHS = re.compile(r"\b(?:evreview|tests|bench|tools)/[\w/]+\.py\b")
DOTTED = re.compile(r"\b(?:evreview|tests|bench|tools)(?:\.\w+)+")


def retext(w, text):
    text = PATHS.sub(lambda m: w.moves.get(m[0], m[0]) , text)
    def one(m):
        if m[0].endswith((".py", ".md", ".yaml", ".json", ".css")): return m[0]
        return w.dotted(m[0]) or m[0]
    return DOTTED.sub(one, text)



# ---- the table ------------------------------------------------------------------------------------------------------
def snake(ident):
    """(parts in lower case, style) of an identifier: `_FirstUse` -> ('_', ['first', 'use'], 'Camel', '')."""
    lead = re.match(r"_*", ident)[0]
    tail = re.search(r"_*$", ident[len(lead):])[0]
    core = ident[len(lead): len(ident) - len(tail) if tail else None]
    if not core: return lead, [], "lower", tail
    if core.isupper() or (core.upper() == core and "_" in core): return lead, core.lower().split("_"), "UPPER", tail
    if core[0].isupper() and "_" not in core: return lead, [x.lower() for x in re.findall(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z]+", core)], "Camel", tail
    if core == core.lower(): return lead, core.split("_"), "lower", tail
    return lead, [core], "other", tail


def spell(lead, parts, style, tail):
    if style == "UPPER": return lead + "_".join(parts).upper() + tail
    if style == "Camel": return lead + "".join(p[:1].upper() + p[1:] for p in parts) + tail
    return lead + "_".join(parts) + tail


def replaced(ident, old, new):
    lead, parts, style, tail = snake(ident)
    if style == "other": return ident
    o, n, out, i, hit = old.split("_"), new.split("_"), [], 0, False
    while i < len(parts):
        if parts[i:i + len(o)] == o: out += n; i += len(o); hit = True
        else: out.append(parts[i]); i += 1
    return spell(lead, out, style, tail) if hit else ident


def globbed(path, globs):
    return any(fnmatch.fnmatch(path, g) for g in globs)


class Table:
    def __init__(self, rows, kinds):
        self.rows = [r for r in rows if not kinds or r["group"] in kinds]
        self.moves = {r["where"]: r["new"] for r in self.rows if r["kind"] == "module"}
        self.tops = {(r["where"], r["old"]): r["new"] for r in self.rows if r["kind"] == "top"}
        self.locals = collections.defaultdict(dict)
        self.members = {}
        for r in self.rows:
            path, _, inner = r["where"].partition(":")
            if r["kind"] == "local": self.locals[path][inner, r["old"]] = r["new"]
            if r["kind"] == "member": self.members[path, inner, r["old"]] = r["new"]
        self.words = [(r["where"].split() or ["*"], r["old"], r["new"]) for r in self.rows if r["kind"] == "word"]
        self.keep = {}
        for r in self.rows:
            if r["kind"] == "keep": self.keep.setdefault(r["old"], []).extend(r["where"].split() or ["*"])
        self.texts = [(r["where"].split(), re.compile(r["old"]), r["new"]) for r in self.rows if r["kind"] == "text"]
        self.codes = [(r["where"], r["old"], r["new"]) for r in self.rows if r["kind"] == "code"]
        self.used = set()
        self.hits = collections.Counter()

    def worded(self, ident, path):
        if ident in self.keep and globbed(path, self.keep[ident]): return ident
        new = ident
        for globs, o, n in self.words:
            if globbed(path, globs):
                again = replaced(new, o, n)
                if again != new: self.hits[o] += 1; new = again
        return new


# ---- members, parameters, keywords: what a name means in the whole project --------------------------------------------
class Members:
    """Where each name is a member of a class, a parameter, or a keyword of a call."""

    def __init__(self, w, table):
        self.members = collections.defaultdict(list)     # name -> [(path, class)]
        self.params = collections.defaultdict(list)      # name -> [(path, function)]
        self.keywords = collections.Counter()
        self.foreign = set()
        for p in w.paths:
            src = w.src(p)
            for n in ast.walk(src.tree):
                if isinstance(n, ast.keyword) and n.arg: self.keywords[n.arg] += 1
            for s in src.walk.scopes:
                if s.kind == "class":
                    for name in s.bound: self.members[name].append((p, s.owner.name))
                elif s.kind == "function" and s.owner is not None and not isinstance(s.owner, ast.Lambda):
                    for name in s.params: self.params[name].append((p, s.owner.name))
                    if s.parent.kind == "class" and s.owner.args.args:
                        me = s.owner.args.args[0].arg
                        for n in ast.walk(s.owner):
                            if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store) and isinstance(n.value, ast.Name) and n.value.id == me:
                                where = (p, s.parent.owner.name)
                                if where not in self.members[n.attr]: self.members[n.attr].append(where)
        self.new_member, self.new_param, self.exact, self.by_file, self.table = {}, {}, {}, {}, table
        names = set(self.members) | {k for k in self.params if self.keywords[k]}
        by_name = collections.defaultdict(dict)
        for (path, cls, old), new in table.members.items():
            by_name[old][path, cls] = new
        for name in names:
            wheres = self.members.get(name, [])
            news = {}
            for p, c in wheres: news[p, c] = by_name[name].get((p, c)) or table.worded(name, p)
            for k in by_name.get(name, {}):
                if k not in wheres: print(f"GONE member {k} {name}")
            changed = {n for n in news.values()}
            if changed and changed != {name}:
                if len(changed) == 1: self.new_member[name] = changed.pop()
                elif all(n == name for (p, c), n in news.items() if (p, c, name) not in table.members):
                    self.exact.update({(p, c, name): n for (p, c), n in news.items() if n != name})
                else: self.by_file[name] = "member"       # only some classes have the new name: files that the word covers speak of those
            if self.keywords[name]:
                pnews = {table.worded(name, p) for p, f in self.params.get(name, [])} | ({self.new_member.get(name, name)} if wheres else set())
                if len(pnews) == 1: self.new_param[name] = pnews.pop()
                elif name not in self.new_member and any(x != name for x in pnews): self.by_file.setdefault(name, "keyword")
                elif name in self.new_member:
                    print(f"AMBIGUOUS keyword {name}: {pnews} " + ", ".join(f"{p}:{f}->{table.worded(name, p)}" for p, f in self.params[name][:8]))
                    self.new_param[name] = name
                    if name in self.new_member and any(self.is_field(w, p, c, name) for p, c in wheres): print(f"   member {name} stays too"); del self.new_member[name]

    def member_in(self, name, path):
        return self.table.worded(name, path) if self.by_file.get(name) == "member" else self.new_member.get(name, name)

    def keyword_in(self, name, path):
        return self.table.worded(name, path) if name in self.by_file else self.new_param.get(name, name)

    def is_field(self, w, p, c, name):
        for n in ast.walk(w.src(p).tree):
            if isinstance(n, ast.ClassDef) and n.name == c:
                return any(isinstance(x, ast.AnnAssign) and isinstance(x.target, ast.Name) and x.target.id == name for x in n.body)
        return False


def qualname(s):
    out = []
    while s is not None and s.parent is not None:
        if s.owner is not None and hasattr(s.owner, "name"): out.append(s.owner.name)
        s = s.parent
    return ".".join(reversed(out))


# ---- rewriting one source ---------------------------------------------------------------------------------------------
def rewrite(w, table, mem, path):
    src, walk = w.src(path), w.src(path).walk
    own = w.new(path)
    renamed, modules = {}, {}
    edits = src.edits = []

    uses = collections.defaultdict(list)          # (home, name) -> scopes of its uses
    loads = collections.defaultdict(list)         # name -> [(scope of use, home)]
    for n, s in walk.names:
        home = s.lookup(n.id)
        uses[home, n.id].append(s); loads[n.id].append((s, home))

    planned = {}                                  # what names at the top and imports are going to be called
    for name, what in w.tops(path).items():
        if what == "def": planned[walk.top, name] = w.renamed(path, name)
    for node, scope, _, _ in walk.imports:
        if isinstance(node, ast.ImportFrom) and node.module in w.mod:
            for x in node.names:
                if not x.asname and f"{node.module}.{x.name}" not in w.mod: planned[scope, x.name] = w.renamed(*w.home(w.mod[node.module], x.name))

    def clash(home, old, new):
        if new in home.bound and planned.get((home, new), renamed.get((home, new), new)) == new: return "bound"
        for s in uses[home, old]:
            for c in s.chain():
                if c is home: break
                if c.kind != "class" and new in c.bound and renamed.get((c, new), new) == new: return "shadowed"
        for s, h in loads[new]:
            if h is not home and any(c is home for c in s.chain()):
                if h is None or (renamed.get((h, new), new) == new and any(c is h for c in home.chain())): return "captured"
        return None

    def want(home, old, new, must=False):
        if new == old: return
        why = clash(home, old, new)
        if why:
            print(f"{'CLASH' if must else 'kept'} {path}:{qualname(home) or '<module>'}: {old} -> {new} ({why})")
            if not must: return
        renamed[home, old] = new

    # names at the top and imports
    for name, what in w.tops(path).items():
        if what == "def": want(walk.top, name, w.renamed(path, name), True)
    for node, scope, typing, body in walk.imports:
        a, b = src.span(node)
        names = [(x, x.name, x.asname) for x in node.names]
        parts, moved = [], False
        if isinstance(node, ast.Import):
            for al, name, asname in names:
                m = w.mod.get(name)
                if m and asname:
                    modules[scope, asname] = m
                    new = table.worded(asname, path)
                    if new != asname: want(scope, asname, new)
                    local = renamed.get((scope, asname), asname)
                    if modname(w.new(m)) != name or local != asname: moved = True
                    parts.append(f"import {modname(w.new(m))} as {local}")
                elif m and modname(w.new(m)) != name: print(f"PLAIN IMPORT {path}:{node.lineno} {name}")
                else: parts.append(f"import {name}" + (f" as {asname}" if asname else ""))
        elif node.level or (node.module or "").split(".")[0] not in CODE: continue
        else:
            groups = collections.OrderedDict()
            for al, name, asname in names:
                full, local = f"{node.module}.{name}", asname or name
                if full in w.mod:
                    m = w.mod[full]
                    modules[scope, local] = m
                    pkg, stem = modname(w.new(m)).rsplit(".", 1)
                    want_local = stem if not asname else table.worded(asname, path)
                    if want_local != local: want(scope, local, want_local)
                    here = renamed.get((scope, local), local)
                    groups.setdefault(pkg, []).append(stem + (f" as {here}" if here != stem else ""))
                    if pkg != node.module or stem != name or here != local: moved = True
                elif node.module in w.mod:
                    p, n = w.home(w.mod[node.module], name)
                    new = w.renamed(p, n) if n in w.tops(p) else name
                    if n != name: new = name if p != w.mod[node.module] and n == name else w.renamed(p, n)
                    pkg = modname(w.new(w.mod[node.module]))
                    if asname:
                        here = table.worded(asname, path)
                        if here != asname: want(scope, asname, here)
                        here = renamed.get((scope, asname), asname)
                    else:
                        if new != name: want(scope, name, new)
                        here = renamed.get((scope, name), name)
                    groups.setdefault(pkg, []).append(new + (f" as {here}" if here != new else ""))
                    if pkg != node.module or new != name or here != local: moved = True
                else:
                    groups.setdefault(node.module, []).append(name + (f" as {asname}" if asname else ""))
            parts = [f"from {m} import ({', '.join(dict.fromkeys(ns))},)" if len(", ".join(ns)) > 60 else f"from {m} import {', '.join(dict.fromkeys(ns))}" for m, ns in groups.items()]
        if moved: edits.append((a, b, ("\n" + " " * node.col_offset).join(parts).encode()))

    # locals
    for s in walk.scopes:
        if s.kind not in ("function", "comp"): continue
        for name in sorted(s.bound):
            if s.lookup(name) is not s or (s, name) in renamed or (s, name) in modules: continue
            q = qualname(s)
            new = next((v for (inner, o), v in table.locals[path].items() if o == name and (not inner or q == inner or q.startswith(inner + ".") or q.endswith("." + inner))), None)
            if new: table.used.add((path, name))
            new = new or table.worded(name, path)
            if new == name: continue
            if name in s.params and not isinstance(s.owner, ast.Lambda) and mem.keywords[name] and not any(o == name for (_, o) in table.locals[path]):
                if mem.keyword_in(name, path) == name: continue
                want(s, name, mem.keyword_in(name, path), True)
            else: want(s, name, new, name in s.params and mem.keywords[name] > 0 and not isinstance(s.owner, ast.Lambda))
    for s in walk.scopes:
        if s.kind == "class":
            for name in s.bound:
                if mem.member_in(name, path) != name: renamed[s, name] = mem.member_in(name, path)
                elif (path, s.owner.name, name) in mem.exact: renamed[s, name] = mem.exact[path, s.owner.name, name]

    def edit(a, b, new, old):
        if src.text[a:b] == old.encode(): edits.append((a, b, new.encode())); return True
        return False

    # uses of names; inside f-strings positions may be wrong
    lost = collections.defaultdict(dict)
    joined = [n for n in ast.walk(src.tree) if isinstance(n, ast.JoinedStr)]
    inside = {id(m): j for j in joined for m in ast.walk(j) if m is not j}
    def place(n, a, b, old, new):
        if not edit(a, b, new, old):
            j = inside.get(id(n))
            if j is None: print(f"POSITION {path}:{n.lineno} {old}")
            else: lost[src.span(j)][old] = new
    for n, s in walk.names:
        home = s.lookup(n.id)
        if home is not None and (home, n.id) in renamed: place(n, *src.span(n), n.id, renamed[home, n.id])
    for n, s in walk.args:
        if (s, n.arg) in renamed:
            a = src.at(n.lineno, n.col_offset)
            place(n, a, a + len(n.arg.encode()), n.arg, renamed[s, n.arg])
    for n, name, s in walk.others:
        home = s.lookup(name)
        if home is not None and (home, name) in renamed:
            a, b = src.span(n)
            head = src.text[a:b]
            if isinstance(n, ast.ExceptHandler): head = src.text[a:src.at(n.body[0].lineno, n.body[0].col_offset)]
            m = list(re.finditer(rb"\b" + name.encode() + rb"\b", head))
            if not m: print(f"POSITION {path}:{n.lineno} {name}"); continue
            k = m[-1] if not isinstance(n, ast.ExceptHandler) else next(x for x in m if re.search(rb"\bas\s+$", head[:x.start()]))
            edits.append((a + k.start(), a + k.end(), renamed[home, name].encode()))
    for n in ast.walk(src.tree):
        if isinstance(n, ast.Attribute):
            s = walk.scope_of.get(n)
            new = None
            if s is not None and isinstance(n.value, ast.Name):
                home = s.lookup(n.value.id)
                m = modules.get((home, n.value.id)) if home else None
                if m is not None:
                    p, name = w.home(m, n.attr)
                    new = w.renamed(p, name) if name == n.attr else n.attr
                if new is None and home is walk.top and mem.exact:
                    what = w.tops(path).get(n.value.id)
                    if what == "def": where = (path, n.value.id)
                    elif what and what[0] in w.mod: where = w.home(w.mod[what[0]], what[1])
                    else: where = None
                    if where: new = mem.exact.get((*where, n.attr))
                elif new is None and mem.exact and s.params and s.parent and s.parent.kind == "class" and n.value.id in ("self", "cls"):
                    new = mem.exact.get((path, s.parent.owner.name, n.attr))
            if new is None: new = mem.member_in(n.attr, path)
            if new != n.attr:
                a, b = src.span(n)
                place(n, b - len(n.attr.encode()), b, n.attr, new)
        elif isinstance(n, ast.keyword) and n.arg:
            new = mem.keyword_in(n.arg, path)
            if new != n.arg:
                a = src.at(n.lineno, n.col_offset)
                place(n, a, a + len(n.arg.encode()), n.arg, new)
        elif isinstance(n, ast.MatchClass) and any(mem.member_in(k, path) != k for k in n.kwd_attrs):
            a, b = src.span(n)
            for k in n.kwd_attrs:
                if mem.member_in(k, path) != k:
                    for m in re.finditer(rb"\b" + k.encode() + rb"(?=\s*=[^=])", src.text[a:b]): edits.append((a + m.start(), a + m.end(), mem.member_in(k, path).encode()))
        elif isinstance(n, ast.Call):
            f = n.func.attr if isinstance(n.func, ast.Attribute) else getattr(n.func, "id", "")
            if f in ("getattr", "hasattr", "setattr", "delattr", "attrgetter", "delitem", "object"):
                for c in n.args:
                    if isinstance(c, ast.Constant) and isinstance(c.value, str) and c.value.isidentifier():
                        new = mem.member_in(c.value, path)
                        first = n.args[0]
                        if c is not first and isinstance(first, ast.Name):
                            s = walk.scope_of.get(first); home = s.lookup(first.id) if s else None
                            m = modules.get((home, first.id)) if home else None
                            if m: new = w.renamed(*w.home(m, c.value))
                        if new != c.value:
                            a, b = src.span(c)
                            edits.append((a, b, src.text[a:b].decode().replace(c.value, new).encode()))
            if f == "parametrize" and n.args:
                for c in ast.walk(n.args[0]):
                    if isinstance(c, ast.Constant) and isinstance(c.value, str):
                        new = re.sub(r"\w+", lambda m: mem.keyword_in(m[0], path) if mem.keywords[m[0]] else table.worded(m[0], path), c.value)
                        if new != c.value: a, b = src.span(c); edits.append((a, b, src.text[a:b].decode().replace(c.value, new).encode()))
    for n, s in walk.defs:
        if (s, n.name) in renamed:
            m = re.compile(rb"(?:async\s+)?(?:def|class)\s+").match(src.text, src.at(n.lineno, n.col_offset))
            edits.append((m.end(), m.end() + len(n.name.encode()), renamed[s, n.name].encode()))
    for n, s in walk.globals:
        def of(x): return renamed.get((s.lookup(x), x), x)
        if any(of(x) != x for x in n.names):
            a, b = src.span(n)
            edits.append((a, b, (("global " if isinstance(n, ast.Global) else "nonlocal ") + ", ".join(of(x) for x in n.names)).encode()))
    for n, s in walk.strings:
        new = n.value
        for word in set(re.findall(r"[A-Za-z_]\w*", new)):
            home = s.lookup(word)
            if home is not None and (home, word) in renamed: new = re.sub(rf"\b{word}\b", renamed[home, word], new)
        if new != n.value: a, b = src.span(n); edits.append((a, b, src.text[a:b].decode().replace(n.value, new).encode()))
    seen = {id(m) for m, _ in walk.strings}
    for n in ast.walk(src.tree):
        if isinstance(n, ast.Subscript):
            for c in ast.walk(n.slice):
                if isinstance(c, ast.Constant) and isinstance(c.value, str) and id(c) not in seen:
                    seen.add(id(c))
                    if not re.fullmatch(r"[A-Za-z_][\w.\[\], |]*", c.value): continue
                    new = re.sub(r"\b_?[A-Z]\w*", lambda m: renamed.get((walk.top, m[0]), m[0]), c.value)
                    if new != c.value: a, b = src.span(c); edits.append((a, b, src.text[a:b].decode().replace(c.value, new).encode()))
        elif isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name) and n.targets[0].id == "__slots__":
            for c in ast.walk(n.value):
                if isinstance(c, ast.Constant) and isinstance(c.value, str) and mem.member_in(c.value, path) != c.value:
                    a, b = src.span(c); edits.append((a, b, f'"{mem.member_in(c.value, path)}"'.encode()))
    for n in src.tree.body:
        if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name) and n.targets[0].id == "__all__":
            for c in ast.walk(n.value):
                if isinstance(c, ast.Constant) and (walk.top, c.value) in renamed: a, b = src.span(c); edits.append((a, b, f'"{renamed[walk.top, c.value]}"'.encode()))
    for (a, b), names in lost.items():
        def braces(m): return re.sub(r"(?<![.\w])(" + "|".join(map(re.escape, names)) + r")\b", lambda k: names[k[0]], m[0]) if True else m[0]
        old = src.text[a:b].decode()
        new = re.sub(r"(?<!\{)\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}", lambda m: re.sub(r"\b(" + "|".join(map(re.escape, names)) + r")\b", lambda k: names[k[0]], m[0]), old)
        edits[:] = [e for e in edits if not (a <= e[0] and e[1] <= b)] if new != old else edits
        if new == old: print(f"F-STRING {path} {names}")
        else: edits.append((a, b, new.encode()))
    spoken = collections.defaultdict(set)
    for a, b, new in edits:
        o, n = src.text[a:b].decode(), new.decode()
        if o.isidentifier() and n.isidentifier(): spoken[o].add(n)
    src.spoken = {o: ns.pop() for o, ns in spoken.items() if len(ns) == 1}
    return prose(w, table, path, apply(src.text, edits, path).decode(), src.spoken)


def apply(text, edits, path):
    out, last = [], len(text)
    for a, b, new in sorted(set(edits), key=lambda e: (e[0], e[1]), reverse=True):
        if b > last: print(f"OVERLAP {path} {text[a:b][:60]!r} {new[:60]!r}"); continue
        out.append(text[b:last]); out.append(new); last = a
    out.append(text[:last])
    return b"".join(reversed(out))


def ticked(text, names):
    """Names in backticks."""
    if not names: return text
    return re.sub(r"`[^`\n]+`", lambda m: re.sub(r"(?<![\w-])(" + "|".join(map(re.escape, names)) + r")(?![\w-])", lambda k: names[k[0]], m[0]) if re.fullmatch(r"`[\w.()]+`", m[0]) else m[0], text)


def prose(w, table, path, text, names):
    """Module paths in strings and comments; names in backticks and `text` rows in comments and docstrings."""
    rows = [(r, n) for globs, r, n in table.texts if globbed(path, globs)]
    if "evreview" not in text and not names and not rows: return text
    lines = text.splitlines(keepends=True)
    try: toks = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, IndentationError): print(f"TOKENS {path}"); return text
    starts = [0]
    for l in lines: starts.append(starts[-1] + len(l))
    docs = set()
    for n in ast.walk(ast.parse(text)):
        if isinstance(n, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and n.body and isinstance(n.body[0], ast.Expr) and isinstance(n.body[0].value, ast.Constant) and isinstance(n.body[0].value.value, str):
            docs.add((n.body[0].lineno, ))
    out, last = [], 0
    for t in toks:
        if t.type not in (tokenize.STRING, tokenize.COMMENT): continue
        a = starts[t.start[0] - 1] + t.start[1]; b = starts[t.end[0] - 1] + t.end[1]
        new = retext(w, text[a:b])
        if t.type == tokenize.COMMENT or (t.start[0],) in docs:
            new = ticked(new, names)
            if names and t.type == tokenize.STRING:
                new = re.sub(r"(?m)^(\s+)((?:\*{0,2}\w+, )*\*{0,2}\w+)(?=: )", lambda m: m[1] + re.sub(r"\w+", lambda k: names.get(k[0], k[0]), m[2]), new)
            for r, n in rows: new = r.sub(n, new)
        if new != text[a:b]: out.append(text[last:a]); out.append(new); last = b
    out.append(text[last:])
    return "".join(out)


# ---- tables and pages ---------------------------------------------------------------------------------------------------
def mutations(w, table, news):
    f = ROOT / "tests/mutations.csv"
    if not f.exists(): return
    rows = list(csv.reader(io.StringIO(f.read_bytes().decode(), newline="")))
    head = rows[0]
    fi, fo, pu = head.index("file"), head.index("find"), head.index("put")
    changed = False
    for r in rows[1:]:
        if len(r) <= max(fi, fo, pu): continue
        p = r[fi]
        if p in w.moves and p in w.sources:
            src = w.src(p)
            find = r[fo].encode()
            i = src.text.find(find)
            names = dict(src.spoken)
            if i >= 0:
                inner = [(a - i, b - i, n) for a, b, n in src.edits if i <= a and b <= i + len(find)]
                cut = [e for e in src.edits if (e[0] < i < e[1]) or (e[0] < i + len(find) < e[1])]
                if cut: print(f"MUTATION cut {p}: {r[fo][:60]!r}")
                r[fo] = apply(find, inner, "mutations.csv").decode()
                for a, b, n in inner:
                    o = find[a:b].decode()
                    if o.isidentifier() and n.decode().isidentifier(): names[o] = n.decode()
            elif p in news: print(f"MUTATION unfit {p}: {r[fo][:60]!r}")
            if names: r[pu] = re.sub(r"(?<![\w\"'])(" + "|".join(map(re.escape, names)) + r")(?![\w\"'])", lambda m: names[m[0]], r[pu])
        if r[fi] in w.moves: r[fi] = w.moves[r[fi]]
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n" if b"\r\n" in f.read_bytes() else "\n").writerows(rows)
    return out.getvalue()


def main():
    rows = list(csv.DictReader(open(sys.argv[2])))
    table = Table(rows, set(sys.argv[3:]))
    w = World(table.moves, table.tops)
    w.table = table
    for p in table.moves:
        if p not in w.moves: print(f"GONE module {p}")
    for p, n in list(table.tops):
        if p in w.moves and w.tops(p).get(n) == "def": continue
        def package(q): return q.split("/")[1:3 if q.split("/")[1] in ("workflows", "kinds") else 2]
        found = [q for q in w.paths if q.startswith("evreview/") and w.tops(q).get(n) == "def" and package(q) == package(p)]
        new = w.renames[p, n]
        if any(q.startswith("evreview/") and package(q) == package(p) and w.tops(q).get(new) == "def" for q in w.paths): w.renames.pop((p, n)); continue   # done already
        if len(found) == 1 and p not in w.moves: print(f"ELSEWHERE {p} {n}: {found[0]}"); w.renames[found[0], n] = w.renames.pop((p, n))
        else: print(f"GONE top {p} {n}")
    mem = Members(w, table)
    print("by file: " + " ".join(sorted(mem.by_file)))
    news = {}
    for p in w.paths:
        text = rewrite(w, table, mem, p)
        if text.encode() != w.src(p).text or w.new(p) != p: news[p] = text
    for where, o, n in table.codes:
        p = next((q for q in w.paths if where in (q, w.new(q))), None)
        t = None if p is None else news.get(p, w.src(p).text.decode())
        if t is None or o not in t: print(f"GONE code {where} {o[:50]!r}")
        else: news[p] = t.replace(o, n)
    table_text = mutations(w, table, news)
    for p in news:
        if w.new(p) != p: (ROOT / p).unlink()
    for p, text in news.items():
        f = ROOT / w.new(p)
        f.parent.mkdir(parents=True, exist_ok=True)
        f.write_bytes(text.encode())
    if table_text is not None: (ROOT / "tests/mutations.csv").write_bytes(table_text.encode())
    spoken = collections.defaultdict(set)
    for p in w.paths:
        if p.startswith("evreview/"):
            for o, n in w.src(p).spoken.items(): spoken[o].add(n)
    ticks = {o: ns.pop() for o, ns in spoken.items() if len(ns) == 1 and (not o.islower() or "_" in o)}
    defined = {n for p in w.paths for n, what in w.tops(p).items() if what == "def" and w.renamed(p, n) == n}
    ticks = {o: n for o, n in ticks.items() if o not in defined}
    others = [ROOT / t for t in TEXTS] + [p for e in ("md", "ipynb", "csv", "toml", "j2", "yml") for d in ("docs", "notebooks", "tests", "templates", "bench", "tools", "evreview")
                                           for p in (ROOT / d).rglob(f"*.{e}") if "golden" not in p.parts and "data" not in p.parts]
    for f in others:
        rel = str(f.relative_to(ROOT))
        if not f.is_file() or rel == "tests/mutations.csv": continue
        t = f.read_text()
        n = retext(w, t)
        if f.suffix == ".md" and f.name != "CHANGELOG.md": n = ticked(n, ticks)
        if f.suffix == ".j2":
            def inner(m): return re.sub(r"(?<![\w\"'])[A-Za-z_]\w*(?![\w\"'])", lambda k: mem.new_member.get(k[0], k[0]), m[0])
            n = re.sub(r"\{[{%].*?[%}]\}", inner, n)
        for globs, r, put in table.texts:
            if globbed(rel, globs): n = r.sub(put, n)
        if n != t: f.write_text(n); print(f"page {rel}")
    print(f"{len(news)} files written; words: {dict(table.hits)}")


main()
