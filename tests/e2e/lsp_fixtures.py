#!/usr/bin/python3
"""What the language server finds in files of tests is what `tikc test` finds, of texts that are not saved, too."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import Case, main  # noqa: E402
from lsp_client import Client  # noqa: E402
from policy_tests import FIXTURE, SLICED  # noqa: E402

PASSES, FAILS = FIXTURE.format(windows=4), FIXTURE.format(windows=3)
FAULTY = PASSES.replace("drift:", "drit:").replace("slice: math", "slise: math")
SOFTER = SLICED.replace("violated(drift) for 2 windows", "violated(drift) for 3 windows")


class Fixtures(Case):
    def setUp(self):
        super().setUp()
        self.contract = self.write("rollout.tikc.yaml", SLICED).as_uri()
        self.uri = (self.folder / "rollout.tikc-test.yaml").as_uri()
        self.client = Client(cwd=self.folder)
        self.addCleanup(self.client.process.stdin.close)
        self.addCleanup(self.client.process.stdout.close)
        self.addCleanup(self.client.process.wait)
        self.addCleanup(self.client.process.kill)
        self.client.start({"textDocument": {"diagnostic": {}}}, rootUri=self.folder.as_uri())
        self.version = 1

    def open(self, text, language="yaml"):
        self.write("rollout.tikc-test.yaml", text)
        self.client.notify("textDocument/didOpen", {"textDocument": {"uri": self.uri, "languageId": language, "version": 1, "text": text}})

    def change(self, uri, text):
        self.version += 1
        self.client.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": self.version}, "contentChanges": [{"text": text}]})

    def found(self):
        items = self.client.request("textDocument/diagnostic", {"textDocument": {"uri": self.uri}})["items"]
        return sorted((each["code"], each["range"]["start"]["line"] + 1, each["message"].split("\n")[0]) for each in items)

    def told(self):
        """By the command line, of what is on disk."""
        findings = json.loads(self.tikc("test", "--format=json").out)["diagnostics"]
        return sorted((each["code"], each["range"]["start"]["line"], each["message"]) for each in findings)

    def test_it_finds_what_the_command_finds(self):
        self.open(PASSES)
        for text in (PASSES, FAILS, FAULTY, "", "contract: nowhere.tikc.yaml\ntests: {}\n", PASSES.replace("tests:", "tests: ["),
                     PASSES.replace("[away]", "[awya]")):
            self.write("rollout.tikc-test.yaml", text)
            self.change(self.uri, text)
            with self.subTest(text):
                found, told = self.found(), self.told()
                self.assertEqual(bool(told), text != PASSES)
                self.assertEqual([each[:2] for each in found], [each[:2] for each in told])
                for (_, _, shown), (_, _, message) in zip(found, told):  # its label follows
                    self.assertTrue(shown.startswith(message), (shown, message))
        self.assertEqual(self.client.stop(), 0)

    def offered(self, text):
        """At the `|`."""
        before, after = text.split("|")
        self.change(self.uri, before + after)
        line = before.count("\n")
        place = {"line": line, "character": len(before) - before.rfind("\n") - 1}
        answer = self.client.request("textDocument/completion", {"textDocument": {"uri": self.uri}, "position": place})
        return [each["label"] for each in (answer or {"items": []})["items"]]

    def hovered(self, text):
        before, after = text.split("|")
        self.change(self.uri, before + after)
        place = {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}
        answer = self.client.request("textDocument/hover", {"textDocument": {"uri": self.uri}, "position": place})
        return answer and answer["contents"]["value"]

    def test_what_may_be_written_is_offered(self):
        self.open(PASSES)
        self.found()
        self.assertEqual(self.offered(PASSES.replace("drift: violated*4 satisfied*3", "|")), ["drift", "gap", "rows", "tokens"])
        self.assertEqual(self.offered(PASSES.replace("violated*4 satisfied*3", "violated*4 s|")),
                         ["satisfied", "violated", "undecided", "unasked", "kept"])
        self.assertEqual(self.offered(PASSES.replace("slice: math", "slice: |")), ["math", "other"])
        self.assertEqual(self.offered(PASSES.replace("starts: [away]", "starts: [|]")), ["away", "apart", "stale"])
        self.assertEqual(self.offered(PASSES.replace("alerts: [us]", "alerts: [|]")), ["us", "them"])
        self.assertIn("quarantine", self.offered(PASSES.replace("traffic: usual", "traffic: |")))
        self.assertIn("usual", self.offered(PASSES.replace("traffic: usual", "traffic: |")))
        self.assertIn("others", self.offered(PASSES.replace("    expect:", "    o|\n    expect:")))
        self.assertIn("rollout.tikc.yaml", self.offered(PASSES.replace("contract: rollout.tikc.yaml", "contract: |")))
        self.assertEqual(self.client.stop(), 0)

    def test_what_stands_there_is_told(self):
        self.open(PASSES)
        self.found()
        self.assertIn("Verdicts of clauses from tick to tick", self.hovered(PASSES.replace("verdicts:", "verd|icts:")))
        self.assertIn("p99(logit_osc)", self.hovered(PASSES.replace("{ drift:", "{ dri|ft:")))
        self.assertIn("violated", self.hovered(PASSES.replace("violated*4", "viol|ated*4")))
        self.assertIn("violated(drift)", self.hovered(PASSES.replace("starts: [away]", "starts: [a|way]")))
        self.assertIn("math", self.hovered(PASSES.replace("slice: math", "slice: ma|th")))
        self.assertIn("no rule moves the traffic", self.hovered(PASSES.replace("traffic: usual", "traffic: us|ual")))
        self.assertEqual(self.client.stop(), 0)

    def test_a_contract_that_is_not_saved_counts(self):
        self.open(PASSES)
        self.client.open(self.contract, SLICED)
        self.assertEqual(self.found(), [])
        self.change(self.contract, SOFTER)
        self.assertTrue(self.found())
        self.change(self.contract, SOFTER + "pear: {}\n")
        ((_, line, message),) = self.found()
        self.assertEqual(line, 1)
        self.assertIn("it has 1 error", message)
        self.change(self.contract, SLICED)
        self.assertEqual(self.found(), [])
        self.assertEqual(self.client.stop(), 0)

    def test_it_is_told_by_itself(self):
        other = Client(cwd=self.folder)
        for close in (other.process.stdin.close, other.process.stdout.close, other.process.wait, other.process.kill):
            self.addCleanup(close)
        other.start({}, rootUri=self.folder.as_uri())
        mine = lambda params: params["uri"] == self.uri  # noqa: E731
        other.notify("textDocument/didOpen", {"textDocument": {"uri": self.uri, "languageId": "tikc", "version": 1, "text": FAILS}})
        self.assertTrue(other.wait_for("textDocument/publishDiagnostics", mine)["diagnostics"])
        other.notify("textDocument/didClose", {"textDocument": {"uri": self.uri}})
        self.assertEqual(other.wait_for("textDocument/publishDiagnostics", mine)["diagnostics"], [])
        self.assertEqual(other.stop(), 0)

    def test_it_is_no_contract(self):
        self.open(PASSES, "tikc")
        about = {"textDocument": {"uri": self.uri}}
        self.assertEqual(self.found(), [])
        self.assertIsNone(self.client.request("textDocument/codeLens", about))
        self.assertIsNone(self.client.request("textDocument/documentSymbol", about))
        self.assertEqual(self.client.stop(), 0)

    def test_the_command_for_contracts_points_to_the_one_for_tests(self):
        self.write("rollout.tikc-test.yaml", PASSES)
        said = self.expect(2, "check", "rollout.tikc-test.yaml").err
        self.assertIn("`rollout.tikc-test.yaml` is a test file, not a contract; run it with `tikc test`", said)
        self.expect(0, "check", ".")


if __name__ == "__main__":
    main()
