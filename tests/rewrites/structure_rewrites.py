"""Rewrites of everything around the schemas: paths, operations, parameters, messages, servers, security."""

from __future__ import annotations

import copy
import re
from typing import Any

from tests.rewrites.documents import (
    METHODS,
    Doc,
    content_holders,
    is_31,
    is_swagger,
    operations,
    path_items,
    references,
    target,
)

_REF = "$ref"


def _changed(made: Doc, document: Doc) -> Doc | None:
    return made if repr(made) != repr(document) else None


def keys_reversed(document: Doc) -> Doc | None:
    def turned(node: Any) -> Any:
        if isinstance(node, dict):
            return {key: turned(node[key]) for key in reversed(list(node))}
        return [turned(member) for member in node] if isinstance(node, list) else node

    return turned(document)  # type: ignore[no-any-return]


def words_of_people_changed(document: Doc) -> Doc | None:
    """Other titles, tags, operation ids, summaries, notes; a vendor extension at every operation."""
    made = copy.deepcopy(document)
    made["info"] = {**made["info"], "title": "Another name", "description": "Another text", "version": "9"}
    made["tags"] = [{"name": "new", "description": "a tag"}]
    linked = "operationId" in str([node for holder in content_holders(document) for node in [holder.get("links")]])
    for _, item, operation in operations(made):
        item["description"] = "a path"
        operation |= {"summary": "other", "description": "other", "tags": ["new"], "x-team": "shop"}
        if not linked:
            operation["operationId"] = f"renamed_{id(operation)}"
        operation["externalDocs"] = {"url": "https://docs.example.com/other"}
    return made


def examples_changed(document: Doc) -> Doc | None:
    made = copy.deepcopy(document)
    for holder in content_holders(made):
        for media in holder.get("content", {}).values():
            if isinstance(media, dict):
                media.pop("examples", None)
                media["example"] = "another"
    return _changed(made, document)


def unused_component_added(document: Doc) -> Doc | None:
    made = copy.deepcopy(document)
    owner, key = (made, "definitions") if is_swagger(made) else (made.setdefault("components", {}), "schemas")
    owner.setdefault(key, {})["NobodyUsesThis"] = {"type": "object", "required": ["a"]}
    return made


def parameters_lowered(document: Doc) -> Doc | None:
    """Parameters of a path item written at each of its operations."""
    made = copy.deepcopy(document)
    for _, item in path_items(made):
        shared = item.pop("parameters", [])
        for method in METHODS:
            if method in item and shared:
                own = item[method].get("parameters", [])
                known = {_identity(made, parameter) for parameter in own}
                more = [copy.deepcopy(parameter) for parameter in shared if _identity(made, parameter) not in known]
                item[method]["parameters"] = [*more, *own]
    return _changed(made, document)


def parameters_hoisted(document: Doc) -> Doc | None:
    """Parameters that all operations of a path have alike, written at the path item."""
    made = copy.deepcopy(document)
    for _, item in path_items(made):
        own = [item[method] for method in METHODS if isinstance(item.get(method), dict)]
        if not own or _REF in item:
            continue
        body = ("body", "formData")
        common = [
            parameter
            for parameter in own[0].get("parameters", [])
            if all(parameter in operation.get("parameters", []) for operation in own)
            and target(made, parameter).get("in") not in body
        ]
        if common:
            for operation in own:
                operation["parameters"] = [one for one in operation["parameters"] if one not in common]
            item["parameters"] = [*item.get("parameters", []), *common]
    return _changed(made, document)


def _identity(document: Doc, parameter: Any) -> tuple[Any, Any]:
    found = target(document, parameter) or {}
    return found.get("in"), found.get("name")


def parameters_extracted(document: Doc) -> Doc | None:
    made = copy.deepcopy(document)
    owner = made if is_swagger(made) else made.setdefault("components", {})
    pool = owner.setdefault("parameters", {})
    where = "#/parameters/" if is_swagger(made) else "#/components/parameters/"
    for _, _, operation in operations(made):
        for at, parameter in enumerate(operation.get("parameters", [])):
            if _REF not in parameter:
                name = f"Extracted{len(pool)}"
                pool[name] = parameter
                operation["parameters"][at] = {_REF: where + name}
    return _changed(made, document)


def messages_extracted(document: Doc) -> Doc | None:
    """Responses, request bodies and response headers as components."""
    made = copy.deepcopy(document)
    swagger = is_swagger(made)
    pools = made if swagger else made.setdefault("components", {})
    where = "#/" if swagger else "#/components/"

    def moved(kind: str, node: Any) -> Any:
        if not isinstance(node, dict) or _REF in node:
            return node
        pool = pools.setdefault(kind, {})
        name = f"Extracted{len(pool)}"
        pool[name] = node
        return {_REF: f"{where}{kind}/{name}"}

    for _, _, operation in operations(made):
        if "requestBody" in operation:
            operation["requestBody"] = moved("requestBodies", operation["requestBody"])
        for status, response in operation.get("responses", {}).items():
            if isinstance(response, dict) and "headers" in response and not swagger:
                response["headers"] = {name: moved("headers", node) for name, node in response["headers"].items()}
            operation["responses"][status] = moved("responses", response)
    return _changed(made, document)


def messages_inlined(document: Doc) -> Doc | None:
    """References to parameters, responses, request bodies and headers replaced by what they refer to."""
    made = copy.deepcopy(document)
    kinds = ("parameters", "responses", "requestBodies", "headers", "links", "examples")
    for reference in list(references(made.get("paths", {}))):
        if any(f"/{kind}/" in reference[_REF] for kind in kinds) and "/schemas/" not in reference[_REF]:
            found = target(document, reference)
            if isinstance(found, dict):
                del reference[_REF]
                reference.update(copy.deepcopy(found))
    return _changed(made, document)


def path_items_as_components(document: Doc) -> Doc | None:
    if not is_31(document):
        return None
    made = copy.deepcopy(document)
    pool = made.setdefault("components", {}).setdefault("pathItems", {})
    for at, (path, item) in enumerate(list(path_items(made))):
        if _REF not in item:
            pool[f"Item{at}"] = item
            made["paths"][path] = {_REF: f"#/components/pathItems/Item{at}"}
    return _changed(made, document)


def path_parameters_renamed(document: Doc) -> Doc | None:
    """Other names between braces, where names don't tell two templates apart."""
    bare = [re.sub(r"\{[^{}]*\}", "{}", path) for path, _ in path_items(document)]
    if len(set(bare)) < len(bare):
        return None
    made = copy.deepcopy(document)
    pools = [made.get("parameters", {}), made.get("components", {}).get("parameters", {})]
    lists = [item.get("parameters", []) for _, item in path_items(made)]
    lists += [operation.get("parameters", []) for _, _, operation in operations(made)]
    lists += [list(pool.values()) for pool in pools if isinstance(pool, dict)]
    for parameter in (one for listed in lists for one in listed if isinstance(one, dict)):
        if parameter.get("in") == "path":
            parameter["name"] = f"{parameter['name']}_x"
    made["paths"] = {re.sub(r"\{([^{}]*)\}", r"{\1_x}", path): item for path, item in made["paths"].items()}
    return _changed(made, document)


def defaults_of_parameters_spelled(document: Doc) -> Doc | None:
    if is_swagger(document):
        return None
    made = copy.deepcopy(document)
    styles = {"query": "form", "cookie": "form", "path": "simple", "header": "simple"}
    for holder in content_holders(made):
        style = styles.get(str(holder.get("in")))
        if style and "schema" in holder:
            for key, value in {"style": style, "explode": holder.get("style", style) == "form"}.items():
                holder.setdefault(key, value)
            holder.setdefault("deprecated", False)
            if holder["in"] != "path":
                holder.setdefault("required", False)
            if holder["in"] == "query":
                holder.setdefault("allowReserved", False)
                holder.setdefault("allowEmptyValue", False)
    for _, _, operation in operations(made):
        operation.setdefault("deprecated", False)
        if isinstance(operation.get("requestBody"), dict) and _REF not in operation["requestBody"]:
            operation["requestBody"].setdefault("required", False)
    return made


def media_types_respelled(document: Doc) -> Doc | None:
    """Other case, and spaces around parameters."""
    if any("/content/" in reference[_REF] for reference in references(document)):
        return None
    made = copy.deepcopy(document)

    def spelled(name: str) -> str:
        kind, *rest = name.split(";")
        return "; ".join([kind.upper(), *(part.strip() for part in rest)])

    for holder in content_holders(made):
        if isinstance(holder.get("content"), dict):
            holder["content"] = {spelled(name): node for name, node in holder["content"].items()}
    for owner in [made, *(operation for _, _, operation in operations(made))]:
        for key in ("consumes", "produces"):
            if isinstance(owner.get(key), list):
                owner[key] = [spelled(name) for name in owner[key]]
    return _changed(made, document)


def lists_reversed(document: Doc) -> Doc | None:
    """Parameters, tags, servers and alternatives of security in the opposite order."""
    made = copy.deepcopy(document)
    owners = [made, *(item for _, item in path_items(made)), *(operation for _, _, operation in operations(made))]
    for owner in owners:
        for key in ("parameters", "servers", "security", "tags", "schemes", "consumes", "produces"):
            if isinstance(owner.get(key), list):
                owner[key] = owner[key][::-1]
    return _changed(made, document)


def security_at_every_operation(document: Doc) -> Doc | None:
    if "security" not in document:
        return None
    made = copy.deepcopy(document)
    for _, _, operation in operations(made):
        operation.setdefault("security", copy.deepcopy(document["security"]))
    return made


def servers_at_every_path(document: Doc) -> Doc | None:
    if is_swagger(document) or not document.get("servers"):
        return None
    made = copy.deepcopy(document)
    for _, item in path_items(made):
        item.setdefault("servers", copy.deepcopy(document["servers"]))
    return made


def servers_moved_to_every_path(document: Doc) -> Doc | None:
    made = servers_at_every_path(document)
    if made is not None:
        del made["servers"]
    return made


def servers_moved_to_every_operation(document: Doc) -> Doc | None:
    """None left at the document: only the implied server `/`, which serves no operation then."""
    if is_swagger(document) or not document.get("servers"):
        return None
    made = copy.deepcopy(document)
    for _, item, operation in operations(made):
        operation.setdefault("servers", copy.deepcopy(item.get("servers", document["servers"])))
    del made["servers"]
    return made


def unexploded_single_values(document: Doc) -> Doc | None:
    """`explode: false` where an optional query parameter has one value, whose schema says so through `allOf`."""
    if is_swagger(document):
        return None
    made = copy.deepcopy(document)
    for _, item in path_items(made):
        listed = [item, *(item[method] for method in METHODS if method in item)]
        for parameter in [target(made, one) for owner in listed for one in owner.get("parameters", [])]:
            schema = target(made, parameter.get("schema")) if isinstance(parameter, dict) else None
            single = isinstance(schema, dict) and schema.get("type") in ("string", "integer", "number", "boolean")
            optional = single and parameter.get("in") == "query" and not parameter.get("required")
            if optional and "explode" not in parameter:
                parameter |= {"explode": False, "schema": {"allOf": [parameter["schema"]]}}
    return _changed(made, document)


def servers_respelled(document: Doc) -> Doc | None:
    """A slash at the end, the port written out."""
    if is_swagger(document) or not document.get("servers"):
        return None
    made = copy.deepcopy(document)
    for server in made["servers"]:
        url = server["url"]
        if url.startswith("https://") and "{" not in url and ":" not in url[8:]:
            host, slash, path = url[8:].partition("/")
            url = f"https://{host.upper()}:443{slash}{path}"
        server["url"] = url.rstrip("/") + "/"
    return _changed(made, document)


def base_path_in_the_paths(document: Doc) -> Doc | None:
    """The common path of all servers written in front of every path."""
    made = copy.deepcopy(document)
    if is_swagger(document):
        base = str(document.get("basePath", "/")).rstrip("/")
        made["basePath"] = "/"
    else:
        urls = [server["url"].rstrip("/") for server in document.get("servers", [])]
        paths = {re.sub(r"^(?:https?:)?//[^/]*", "", url) for url in urls}
        base = paths.pop() if len(paths) == 1 else ""
        own = any("servers" in owner for pair in operations(document) for owner in pair[1:])
        if "{" in base or own:
            return None
        for server, url in zip(made.get("servers", []), urls, strict=True):
            server["url"] = url.removesuffix(base) or "/"
    if not base:
        return None
    made["paths"] = {base + path: item for path, item in document["paths"].items()}
    return made


def security_schemes_renamed(document: Doc) -> Doc | None:
    made = copy.deepcopy(document)
    owner, key = (made, "securityDefinitions") if is_swagger(made) else (made.get("components", {}), "securitySchemes")
    schemes = owner.get(key)
    if not schemes:
        return None
    owner[key] = {f"other_{name}": scheme for name, scheme in schemes.items()}
    for demand in [made, *(operation for _, _, operation in operations(made))]:
        if isinstance(demand.get("security"), list):
            demand["security"] = [
                {f"other_{name}": scopes for name, scopes in one.items()} for one in demand["security"]
            ]
    return made


STRUCTURE_REWRITES = (
    keys_reversed, words_of_people_changed, examples_changed, unused_component_added, parameters_lowered,
    parameters_hoisted, parameters_extracted, messages_extracted, messages_inlined, path_items_as_components,
    path_parameters_renamed, defaults_of_parameters_spelled, media_types_respelled, lists_reversed,
    security_at_every_operation, servers_at_every_path, servers_moved_to_every_path,
    servers_moved_to_every_operation, unexploded_single_values, servers_respelled, base_path_in_the_paths,
    security_schemes_renamed,
)  # fmt: skip
