"""Holds messages of the language server protocol against its meta-model, the protocol's own description of itself.

The file lsp-metaModel.json lies in the folder that TIKC_STANDARDS names; where that is unset nothing is judged. A property that nobody
described is a fault, and so is one that is younger than 3.17, which not every client knows.
"""

import json
import os
import re
from functools import lru_cache
from pathlib import Path

NEWEST = (3, 17)
DIRECTIONS = {True: ("clientToServer", "both"), False: ("serverToClient", "both")}
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
LOWEST, HIGHEST = -(2**31), 2**31 - 1
PROGRESS = {"begin": "WorkDoneProgressBegin", "report": "WorkDoneProgressReport", "end": "WorkDoneProgressEnd"}

is_whole = lambda value: type(value) is int and LOWEST <= value <= HIGHEST  # noqa: E731
BASES = {
    "string": lambda value: isinstance(value, str),
    "URI": lambda value: isinstance(value, str) and SCHEME.match(value),
    "DocumentUri": lambda value: isinstance(value, str) and SCHEME.match(value),
    "RegExp": lambda value: isinstance(value, str),
    "integer": is_whole,
    "uinteger": lambda value: is_whole(value) and value >= 0,
    "decimal": lambda value: type(value) in (int, float),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}


def shown(value):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."


def is_too_young(described):
    since = re.match(r"(\d+)\.(\d+)", described.get("since", ""))
    return bool(since) and (int(since[1]), int(since[2])) > NEWEST


def without(of_type, name):
    """A type that is not `name` wherever it may be."""
    if of_type["kind"] == "array":
        return {**of_type, "element": without(of_type["element"], name)}
    return {**of_type, "items": [item for item in of_type["items"] if item.get("name") != name]} if of_type["kind"] == "or" else of_type


def old_part(described):
    """The type of a property that a newer protocol allows more for, as it was; None where the property is new."""
    new = re.search(r"support for (\w+)", described.get("since", ""))
    if not is_too_young(described):
        return described["type"]
    return without(described["type"], new[1]) if new else None


class MetaModel:
    def __init__(self, model):
        by = lambda kind, key: {each[key]: each for each in model[kind]}  # noqa: E731
        self.requests, self.notifications = by("requests", "method"), by("notifications", "method")
        self.structures, self.enumerations = by("structures", "name"), by("enumerations", "name")
        self.aliases = by("typeAliases", "name")
        codes = [value["value"] for name in ("ErrorCodes", "LSPErrorCodes") for value in self.enumerations[name]["values"]]
        self.error_codes = set(codes)

    # ---- Types: each answers with faults, a fault being where it is and what is wrong ----

    def faults(self, of_type, value, at):
        return getattr(self, "_" + of_type["kind"])(of_type, value, at)

    def _base(self, of_type, value, at):
        return [] if BASES[of_type["name"]](value) else [(at, f"{shown(value)} is no {of_type['name']}")]

    def _reference(self, of_type, value, at):
        name = of_type["name"]
        if name == "LSPAny":
            return []
        if name == "LSPObject":
            return [] if isinstance(value, dict) else [(at, f"{shown(value)} is no object")]
        if name in self.structures:
            return self._object(self.properties(name), value, at, name)
        if name in self.enumerations:
            return self._enumeration(self.enumerations[name], value, at)
        return self.faults(self.aliases[name]["type"], value, at)

    def _enumeration(self, described, value, at):
        faults = self.faults(described["type"], value, at)
        known = [each["value"] for each in described["values"]]
        # A kind of code action may be one below a known one, and any where custom values are allowed.
        if faults or described.get("supportsCustomValues") or value in known:
            return faults
        return [(at, f"{shown(value)} is no {described['name']}")]

    def _array(self, of_type, value, at):
        if not isinstance(value, list):
            return [(at, f"{shown(value)} is no array")]
        return [fault for i, each in enumerate(value) for fault in self.faults(of_type["element"], each, f"{at}[{i}]")]

    def _tuple(self, of_type, value, at):
        items = of_type["items"]
        if not isinstance(value, list) or len(value) != len(items):
            return [(at, f"{shown(value)} is no tuple of {len(items)}")]
        return [fault for i, (item, each) in enumerate(zip(items, value)) for fault in self.faults(item, each, f"{at}[{i}]")]

    def _map(self, of_type, value, at):
        if not isinstance(value, dict):
            return [(at, f"{shown(value)} is no map")]
        faults = []
        for key, each in value.items():
            given = int(key) if of_type["key"].get("name") in ("integer", "uinteger") and key.lstrip("-").isdigit() else key
            faults += self.faults(of_type["key"], given, f"{at} key") + self.faults(of_type["value"], each, f"{at}[{key}]")
        return faults

    def _or(self, of_type, value, at):
        tried = [self.faults(item, value, at) for item in of_type["items"]]
        if not all(tried):
            return []
        # What got furthest is what was meant.
        return max(tried, key=lambda faults: (max(len(re.findall(r"[.\[]", where)) for where, _ in faults), -len(faults)))

    def _and(self, of_type, value, at):
        properties = {}
        for item in of_type["items"]:
            properties |= self.properties(item["name"])
        return self._object(properties, value, at, " and ".join(item["name"] for item in of_type["items"]))

    def _literal(self, of_type, value, at):
        return self._object({each["name"]: each for each in of_type["value"]["properties"]}, value, at, "literal")

    def _stringLiteral(self, of_type, value, at):
        return [] if type(value) is type(of_type["value"]) and value == of_type["value"] else [(at, f"{shown(value)} is not {shown(of_type['value'])}")]

    _integerLiteral = _booleanLiteral = _stringLiteral

    @lru_cache(maxsize=None)
    def properties(self, name):
        """By name, with those of the structures that it extends or mixes in; its own count where both have one."""
        described = self.structures[name]
        out = {}
        for base in described.get("extends", []) + described.get("mixins", []):
            out |= self.properties(base["name"])
        return out | {each["name"]: each for each in described["properties"]}

    def _object(self, properties, value, at, name):
        if not isinstance(value, dict):
            return [(at, f"{shown(value)} is no {name}")]
        faults = []
        for key, each in value.items():
            described = properties.get(key)
            if not described:
                faults.append((f"{at}.{key}", f"{name} has no such property"))
            elif not (wanted := old_part(described)):
                faults.append((f"{at}.{key}", f"is younger than {NEWEST[0]}.{NEWEST[1]}"))
            else:
                faults += self.faults(wanted, each, f"{at}.{key}")
        faults += [(f"{at}.{key}", "is missing") for key, each in properties.items() if not each.get("optional") and key not in value]
        return faults

    # ---- Messages ----

    def parameters(self, described, message):
        wanted = described.get("params")
        if not wanted:
            return [("params", "there are none")] if "params" in message else []
        if "params" not in message:
            return [("params", "is missing")]
        value = message["params"]
        faults = self.faults(wanted, value, "params")
        if not faults and message["method"] == "client/registerCapability":
            for i, each in enumerate(value["registrations"]):
                faults += self.registration(each, f"params.registrations[{i}]")
        if not faults and message["method"] == "$/progress" and isinstance(value["value"], dict) and "kind" in value["value"]:
            structure = PROGRESS.get(value["value"]["kind"])
            faults = self._object(self.properties(structure), value["value"], "params.value", structure) if structure else [
                ("params.value.kind", "is none of progress")]
        return faults

    def registration(self, given, at):
        described = self.requests.get(given["method"]) or self.notifications.get(given["method"])
        if not described:
            return [(f"{at}.method", f"{given['method']} is not known")]
        options = described.get("registrationOptions")
        return self.faults(options, given["registerOptions"], f"{at}.registerOptions") if options and "registerOptions" in given else []

    def error(self, error, described):
        wanted = {"code": {"type": {"kind": "base", "name": "integer"}}, "message": {"type": {"kind": "base", "name": "string"}},
                  "data": {"type": described.get("errorData", {"kind": "reference", "name": "LSPAny"}), "optional": True}}
        faults = self._object(wanted, error, "error", "ResponseError")
        if not faults and error["code"] not in self.error_codes:
            faults.append(("error.code", f"{error['code']} is no code of the protocol"))
        return faults

    def judge(self, messages):
        """What is wrong with each of `messages`, which are (from_client, message) in the order they were seen in: [(number, fault)]."""
        out = []
        asked = {True: {}, False: {}}
        for number, (from_client, message) in enumerate(messages):
            out += [(number, f"{where}: {what}") for where, what in self.message(message, from_client, asked)]
        return out

    def message(self, message, from_client, asked):
        if not isinstance(message, dict):
            return [("message", "is no object")]
        is_response = "method" not in message
        allowed = {"jsonrpc", "id"} | ({"result", "error"} if is_response else {"method", "params"})
        faults = [(key, "is no part of a message") for key in message if key not in allowed]
        if message.get("jsonrpc") != "2.0":
            faults.append(("jsonrpc", "is not 2.0"))
        if "id" in message and type(message["id"]) not in (int, str) and not (is_response and message["id"] is None):
            faults.append(("id", "is neither a number nor a text"))
        if faults:
            return faults
        if is_response:
            return self.response(message, asked[not from_client])
        table, other = (self.requests, self.notifications) if "id" in message else (self.notifications, self.requests)
        described = table.get(message["method"])
        if not described:
            return [("method", f"{message['method']} is " + ("the other kind of message" if message["method"] in other else "not known"))]
        if described["messageDirection"] not in DIRECTIONS[from_client]:
            return [("method", f"{message['method']} goes the other way")]
        if "id" in message:
            if repr(message["id"]) in asked[from_client]:
                return [("id", "belongs to a request without an answer yet")]
            asked[from_client][repr(message["id"])] = described
        return self.parameters(described, message)

    def response(self, message, waiting):
        if "id" not in message:
            return [("id", "is missing")]
        if ("result" in message) == ("error" in message):
            return [("message", "a response has a result or an error")]
        described = waiting.pop(repr(message["id"]), None)
        if message["id"] is None:
            return self.error(message["error"], {}) if "error" in message else [("id", "is null")]
        if not described:
            return [("id", f"{message['id']} was not asked")]
        return self.error(message["error"], described) if "error" in message else self.faults(described["result"], message["result"], "result")


@lru_cache(maxsize=None)
def meta_model():
    """Nothing where there is no meta-model at hand."""
    folder = os.environ.get("TIKC_STANDARDS")
    path = Path(folder, "lsp-metaModel.json") if folder else None
    return MetaModel(json.loads(path.read_text(encoding="utf-8"))) if path and path.exists() else None


def judge(messages, wrong=()):
    """Raises where a message is not as the protocol has it. `wrong` are those of the client's that shall not be, by their number."""
    model = meta_model()
    if not model:
        return
    faults = model.judge(messages)
    bad = {number for number, _ in faults}
    lines = [f"{'-->' if messages[n][0] else '<--'} {fault}\n    {shown(messages[n][1])}" for n, fault in faults if n not in wrong]
    lines += [f"--> {shown(messages[n][1])} is sent as a wrong message, and is right" for n in wrong if n not in bad]
    if lines:
        raise AssertionError("not as the protocol has it:\n" + "\n".join(lines))
