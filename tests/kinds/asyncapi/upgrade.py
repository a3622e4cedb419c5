"""AsyncAPI 2.6 documents as 3.0, by a small converter of our own: the same contract in both generations."""

from __future__ import annotations

import copy
import re
from typing import Any

Node = dict[str, Any]
ACTIONS = {"publish": "receive", "subscribe": "send"}


def upgraded(old: Node) -> Node:
    """The 3.0 document of a 2.6 document; neither is changed."""
    old = copy.deepcopy(old)
    components = old.get("components", {})
    new: Node = {"asyncapi": "3.0.0", "info": {**old["info"]}, "channels": {}, "operations": {}}
    for key in ("id", "defaultContentType"):
        if key in old:
            new[key] = old[key]
    for key in ("tags", "externalDocs"):
        if key in old:
            new["info"][key] = old[key]
    new["servers"] = {name: _server(node, components) for name, node in old.get("servers", {}).items()}
    new["components"] = _components(components)
    for at, (address, node) in enumerate(old.get("channels", {}).items()):
        _channel(f"c{at}", address, node, (new, components))
    return new


def _server(node: Node, components: Node) -> Node:
    url = re.sub(r"^[a-z0-9+.-]+://", "", node.pop("url"))
    host, slash, path = url.partition("/")
    made = {**node, "host": host}
    if slash:
        made["pathname"] = f"/{path}"
    if "security" in node:
        made["security"] = _security(node["security"], components)
    return made


def _security(listed: list[Node], components: Node) -> list[Node]:
    found = []
    for item in listed:
        for name, scopes in item.items():
            scheme = _scheme(components["securitySchemes"][name])
            found.append({**scheme, "scopes": scopes} if scopes else {"$ref": f"#/components/securitySchemes/{name}"})
    return found


def _scheme(node: Node) -> Node:
    made = copy.deepcopy(node)
    for flow in made.get("flows", {}).values():
        flow["availableScopes"] = flow.pop("scopes")
    return made


def _components(components: Node) -> Node:
    made = copy.deepcopy(components)
    for name, node in components.get("securitySchemes", {}).items():
        made["securitySchemes"][name] = _scheme(node)
    for name, node in components.get("messages", {}).items():
        made["messages"][name] = _message(node, components)
    for name, node in components.get("parameters", {}).items():
        made["parameters"][name] = _parameter(node)
    return made


def _parameter(node: Node) -> Node:
    if "$ref" in node:
        return node
    schema = node.get("schema", {})
    kept = {key: node[key] for key in ("description", "location") if key in node}
    return {**kept, **{key: schema[key] for key in ("enum", "default") if key in schema}}


def _message(node: Node, components: Node) -> Node:
    """A message whose traits hold as before: 2.x lets a trait override, so that those that would are written in."""
    if "$ref" in node:
        return node
    made = copy.deepcopy(node)
    made.pop("messageId", None)
    for trait in made.pop("traits", []):
        source = components["messageTraits"][trait["$ref"].rpartition("/")[2]] if "$ref" in trait else trait
        made = _patched(made, copy.deepcopy(source))
    if "schemaFormat" in made and "payload" in made:
        made["payload"] = {"schemaFormat": made.pop("schemaFormat"), "schema": made["payload"]}
    made.pop("schemaFormat", None)
    return made


def _patched(target: Any, patch: Any) -> Any:
    if not isinstance(target, dict) or not isinstance(patch, dict):
        return patch
    return {**target, **{key: _patched(target[key], each) if key in target else each for key, each in patch.items()}}


def _channel(name: str, address: str, node: Node, both: tuple[Node, Node]) -> None:
    new, components = both
    made: Node = {key: node[key] for key in ("description", "bindings") if key in node}
    made |= {"address": address, "messages": {}}
    if "servers" in node:
        made["servers"] = [{"$ref": f"#/servers/{server}"} for server in node["servers"]]
    if "parameters" in node:
        made["parameters"] = {key: _parameter(each) for key, each in node["parameters"].items()}
    new["channels"][name] = made
    for key, action in ACTIONS.items():
        if key in node:
            new["operations"][f"{name}-{action}"] = _operation(name, action, node[key], (made, components))


def _operation(name: str, action: str, node: Node, both: tuple[Node, Node]) -> Node:
    channel, components = both
    message = node.get("message")
    listed = [] if message is None else message.get("oneOf", [message])
    refs = []
    for at, each in enumerate(listed):
        key = each.get("name") or each["$ref"].rpartition("/")[2] if "$ref" in each or "name" in each else f"m{at}"
        key = f"{action}-{key}"
        channel["messages"][key] = _message(each, components)
        refs.append({"$ref": f"#/channels/{name}/messages/{key}"})
    made = {key: node[key] for key in ("summary", "description", "bindings", "traits", "tags") if key in node}
    if "security" in node:
        made["security"] = _security(node["security"], components)
    return {**made, "action": action, "channel": {"$ref": f"#/channels/{name}"}, "messages": refs}
