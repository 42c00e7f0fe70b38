"""The judge of the protocol's messages: what it lets pass is right, and each of many ways to be wrong is seen, as it stands."""

import copy
import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
from harness import skip_unless  # noqa: E402
from lsp_metamodel import judge, meta_model  # noqa: E402

skip_unless(meta_model(), "TIKC_STANDARDS names no folder with lsp-metaModel.json")

AT = {"line": 1, "character": 2}
RANGE = {"start": AT, "end": {"line": 1, "character": 5}}
DOCUMENT = {"textDocument": {"uri": "file:///w/a.tikc.yaml"}}
FOUND = {"range": RANGE, "message": "m", "severity": 1, "code": "TK1002", "source": "tikc", "tags": [1],
         "codeDescription": {"href": "https://example.org/x"},
         "relatedInformation": [{"location": {"uri": "file:///w/b", "range": RANGE}, "message": "there"}]}
PUBLISHED = {"uri": "file:///w/a", "version": 2, "diagnostics": [FOUND]}

# One exchange a method: its parameters, and what the other side may answer, each as it should be. A leaf of these is broken below.
ASKED = {
    "initialize": ({"processId": None, "rootUri": None, "capabilities": {"general": {"positionEncodings": ["utf-16", "own"]}}},
                   [{"capabilities": {"positionEncoding": "utf-16", "textDocumentSync": {"change": 2, "openClose": True, "save": {"includeText": False}},
                                      "hoverProvider": True, "diagnosticProvider": {"identifier": "t", "interFileDependencies": True,
                                                                                    "workspaceDiagnostics": True}},
                     "serverInfo": {"name": "tikc", "version": "1"}}]),
    "textDocument/hover": ({**DOCUMENT, "position": AT}, [None, {"contents": {"kind": "markdown", "value": "x"}, "range": RANGE}]),
    "textDocument/completion": ({**DOCUMENT, "position": AT, "context": {"triggerKind": 1}},
                                [None, {"isIncomplete": False, "items": [{"label": "x", "kind": 5, "textEdit": {"range": RANGE, "newText": "x"},
                                                                          "insertTextFormat": 2, "data": {"any": [1, None]}}]}]),
    "textDocument/codeAction": ({**DOCUMENT, "range": RANGE, "context": {"diagnostics": [FOUND], "only": ["quickfix"]}},
                                [[{"title": "t", "kind": "quickfix", "diagnostics": [FOUND], "isPreferred": True,
                                   "edit": {"documentChanges": [{"textDocument": {"uri": "file:///w/a", "version": None},
                                                                 "edits": [{"range": RANGE, "newText": ""}]}]}}]]),
    "textDocument/rename": ({**DOCUMENT, "position": AT, "newName": "n"}, [{"changes": {"file:///w/a": [{"range": RANGE, "newText": "n"}]}}]),
    "textDocument/prepareRename": ({**DOCUMENT, "position": AT}, [{"range": RANGE, "placeholder": "p"}, RANGE]),
    "textDocument/foldingRange": (DOCUMENT, [[{"startLine": 1, "endLine": 2, "kind": "region"}]]),
    "textDocument/inlayHint": ({**DOCUMENT, "range": RANGE}, [[{"position": AT, "label": "x", "paddingLeft": True}]]),
    "textDocument/semanticTokens/full": (DOCUMENT, [{"resultId": "1", "data": [0, 1, 2, 3, 4]}]),
    "textDocument/diagnostic": (DOCUMENT, [{"kind": "full", "resultId": "1", "items": [FOUND]}, {"kind": "unchanged", "resultId": "1"}]),
}


def exchange(method, params, result):
    return [(True, {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}), (False, {"jsonrpc": "2.0", "id": 1, "result": result})]


def leaves(value, path=()):
    if isinstance(value, dict):
        for key, each in value.items():
            yield from leaves(each, (*path, key))
    elif isinstance(value, list):
        for i, each in enumerate(value):
            yield from leaves(each, (*path, i))
    else:
        yield path


def objects(value, path=()):
    if isinstance(value, dict):
        yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in pairs:
        yield from objects(each, (*path, key))


def changed(value, path, change):
    value = copy.deepcopy(value)
    if not path:
        return change(value)
    inner = value
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = change(inner[path[-1]])
    return value


class MetaModel(unittest.TestCase):
    def bad(self, pattern, *messages):
        faults = meta_model().judge(list(messages))
        self.assertTrue(any(re.search(pattern, fault) for _, fault in faults), f"{pattern!r} is not in {faults}")

    def client(self, **message):
        return True, {"jsonrpc": "2.0", **message}

    def server(self, **message):
        return False, {"jsonrpc": "2.0", **message}

    def test_what_is_right_passes(self):
        for method, (params, results) in ASKED.items():
            for result in results:
                self.assertEqual(meta_model().judge(exchange(method, params, result)), [], method)

    def test_a_leaf_of_another_type_is_seen(self):
        count = 0
        for method, (params, results) in ASKED.items():
            for result in results:
                whole = [params, result]
                for path in leaves(whole):
                    if "data" in path and "any" in path:
                        continue
                    broken = changed(whole, path, lambda value: {"nobody": "knows"})
                    count += 1
                    self.assertTrue(meta_model().judge(exchange(method, *broken)), f"{method} {path}")
        self.assertGreater(count, 100)

    def test_a_property_too_many_is_seen(self):
        for method, (params, results) in ASKED.items():
            for result in results:
                whole = [params, result]
                for path in objects(whole):
                    if "changes" in path[-1:] or "data" in path:
                        continue
                    broken = changed(whole, path, lambda value: {**value, "nobodyKnows": 1})
                    self.assertTrue(meta_model().judge(exchange(method, *broken)), f"{method} {path}")

    def test_what_must_be_there_is_missed(self):
        hover = {**DOCUMENT, "position": AT}
        self.bad("params.position: is missing", *exchange("textDocument/hover", DOCUMENT, None))
        self.bad("params.position.character: is missing", *exchange("textDocument/hover", changed(hover, ("position",), lambda _: {"line": 1}), None))
        self.bad("params: is missing", self.client(id=1, method="textDocument/hover"))
        self.bad("result.contents: is missing", *exchange("textDocument/hover", hover, {"range": RANGE}))
        # Of a base: a text document item extends nothing, a published diagnostic has parts of its own.
        self.bad("diagnostics.0..message: is missing", self.server(method="textDocument/publishDiagnostics", params=changed(
            PUBLISHED, ("diagnostics", 0), lambda _: {"range": RANGE})))
        # By a mixin: a work-done token where the parameters extend, and mix in.
        self.bad("textDocument: is missing", self.client(id=1, method="textDocument/hover", params={"position": AT, "workDoneToken": 1}))

    def test_numbers(self):
        for value in (-1, 1.0, 1.5, True, 2**31, "1", None):
            self.bad("uinteger", *exchange("textDocument/hover", {**DOCUMENT, "position": {"line": value, "character": 0}}, None))
        self.bad("no DiagnosticSeverity", self.server(method="textDocument/publishDiagnostics", params=changed(
            PUBLISHED, ("diagnostics", 0, "severity"), lambda _: 5)))

    def test_enumerations_and_literals(self):
        self.bad("no MarkupKind", *exchange("textDocument/hover", {**DOCUMENT, "position": AT}, {"contents": {"kind": "html", "value": "x"}}))
        self.bad("is not", *exchange("textDocument/diagnostic", DOCUMENT, {"kind": "some", "resultId": "1", "items": []}))
        self.bad("kind", self.server(method="$/progress", params={"token": "t", "value": {"kind": "middle"}}))
        self.bad("has no such", self.server(method="$/progress", params={"token": "t", "value": {"kind": "end", "percentage": 5}}))
        # A folding range may be of a kind that only its server knows.
        fold = [{"startLine": 1, "endLine": 2, "kind": "own"}]
        self.assertEqual(meta_model().judge(exchange("textDocument/foldingRange", DOCUMENT, fold)), [])

    def test_places_and_uris(self):
        self.bad("no DocumentUri", *exchange("textDocument/foldingRange", {"textDocument": {"uri": "/w/a"}}, None))
        self.bad("no URI|codeDescription", self.server(method="textDocument/publishDiagnostics", params=changed(
            PUBLISHED, ("diagnostics", 0, "codeDescription", "href"), lambda _: "page")))
        self.bad("no DocumentUri", *exchange("textDocument/rename", ASKED["textDocument/rename"][0], {"changes": {"a.yaml": []}}))

    def test_too_young(self):
        self.bad("younger", *exchange("textDocument/foldingRange", DOCUMENT, None),
                 self.client(id=2, method="initialize", params={"processId": None, "rootUri": None, "capabilities": {
                     "textDocument": {"foldingRange": {"dynamicRegistration": True}, "filters": {"relativePatternSupport": True}}}}))

        self.bad("message", self.server(method="textDocument/publishDiagnostics", params=changed(
            PUBLISHED, ("diagnostics", 0, "message"), lambda _: {"kind": "markdown", "value": "m"})))

    def test_the_frame(self):
        self.bad("no part", self.client(id=1, method="shutdown", extra=1))
        self.bad("jsonrpc", (True, {"id": 1, "method": "shutdown"}))
        self.bad("id", self.client(id=1.5, method="shutdown"))
        self.bad("id", self.client(id=None, method="shutdown"))
        self.bad("there are none", self.client(id=1, method="shutdown", params=None))
        self.bad("other kind", self.client(id=1, method="exit"))
        self.bad("other kind", self.client(method="shutdown"))
        self.bad("not known", self.client(method="textDocument/dream", params={}))
        self.bad("other way", self.server(id=1, method="textDocument/hover", params={**DOCUMENT, "position": AT}))
        self.bad("other way", self.client(method="textDocument/publishDiagnostics", params=PUBLISHED))
        self.bad("no object", (False, []))

    def test_answers(self):
        asked = self.client(id=1, method="shutdown")
        self.bad("not asked", asked, self.server(id=2, result=None))
        self.bad("not asked", asked, self.server(id="1", result=None))
        self.bad("not asked", asked, self.server(id=1, result=None), self.server(id=1, result=None))
        self.bad("not asked", self.server(id=1, method="workspace/codeLens/refresh"), self.server(id=1, result=None))
        self.bad("a result or an error", asked, self.server(id=1))
        self.bad("a result or an error", asked, self.server(id=1, result=None, error={"code": -32600, "message": "m"}))
        self.bad("without an answer", asked, asked)
        self.bad("result", asked, self.server(id=1, result={}))
        self.bad("error.message", asked, self.server(id=1, error={"code": -32600}))
        self.bad("no code of", asked, self.server(id=1, error={"code": 1, "message": "m"}))
        self.bad("error.data", self.client(id=1, method="textDocument/diagnostic", params=DOCUMENT),
                 self.server(id=1, error={"code": -32802, "message": "m", "data": {"again": True}}))
        self.assertEqual(meta_model().judge([asked, self.server(id=None, error={"code": -32700, "message": "m"})]), [])
        self.bad("id", asked, self.server(id=None, result=None))

    def test_registrations(self):
        watchers = {"id": "w", "method": "workspace/didChangeWatchedFiles", "registerOptions": {"watchers": [{"globPattern": "**/*"}]}}
        right = self.server(id=1, method="client/registerCapability", params={"registrations": [watchers]})
        self.assertEqual(meta_model().judge([right]), [])
        self.bad("registerOptions", changed(right, (), lambda m: (m[0], changed(m[1], ("params", "registrations", 0, "registerOptions"),
                                                                                lambda _: {"globs": []}))))

    def test_a_conversation_fails_for_it(self):
        right = self.client(id=1, method="shutdown")
        judge([right, self.server(id=1, result=None)])
        with self.assertRaisesRegex(AssertionError, "there are none"):
            judge([self.client(id=1, method="shutdown", params={})])
        judge([self.client(id=1, method="shutdown", params={})], {0})
        with self.assertRaisesRegex(AssertionError, "is right"):
            judge([right], {0})


unittest.main()
