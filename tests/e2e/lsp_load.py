"""The server under load: a walk over many contracts keeps nobody waiting, what is taken back is answered at once, and the server ends with its
editor. Nothing here measures time: a request that is answered while another is under way was not kept waiting for it."""

import json
import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import PATIENCE, ROOT, TIKC, Case, main  # noqa: E402
from lsp_client import Client  # noqa: E402

CHILDREN = 100
BASE = (ROOT / "examples/fleet/base.tikc.yaml").read_text()
CHILD = (ROOT / "examples/fleet/h100-bf16.tikc.yaml").read_text()
CANCELLED, MODIFIED = -32800, -32801


class Serving(Case):
    """A server of many contracts, with the one that all extend open."""

    def setUp(self):
        super().setUp()
        self.write("tikc.yaml", "")
        self.base = self.write("base.tikc.yaml", BASE)
        for n in range(CHILDREN):
            # Numbers of their own, so that no proof is known from another.
            self.write(f"c{n}.tikc.yaml", CHILD.replace("h100-bf16", f"c{n}").replace("<= 0.6", f"<= 0.5{n:03}").replace("0.015 nat", f"0.0140{n:03} nat"))
        self.client = Client(cwd=self.folder)
        self.addCleanup(self.end)
        self.client.start({"textDocument": {"diagnostic": {}}, "workspace": {"workspaceEdit": {"documentChanges": True}}}, rootUri=self.folder.as_uri())
        self.uri = self.base.as_uri()
        self.client.open(self.uri, BASE)
        line = next(i for i, text in enumerate(BASE.splitlines()) if text.startswith("  finite:"))
        self.place = {"textDocument": {"uri": self.uri}, "position": {"line": line, "character": 4}}

    def end(self):
        self.client.process.kill()
        self.client.process.wait()
        self.client.reader.join(PATIENCE)
        self.client.process.stdin.close()
        self.client.process.stdout.close()

    def ask(self, method, params):
        self.client.last_id += 1
        self.client.send({"id": self.client.last_id, "method": method, "params": params})
        return self.client.last_id

    def answers(self, count):
        """The next answers, in the order that they come in."""
        out = []
        while len(out) < count:
            message = self.client.receive()
            self.assertIsNotNone(message, "the server went away")
            if "method" not in message:
                out.append(message)
        return out


class Load(Serving):
    def ask_for_all(self):
        return self.ask("workspace/diagnostic", {"previousResultIds": []})

    def test_others_are_answered_while_the_workspace_is_checked(self):
        everything = self.ask_for_all()
        hovers = [self.ask("textDocument/hover", self.place) for _ in range(20)]
        symbols = self.ask("workspace/symbol", {"query": "finite"})
        got = self.answers(22)
        self.assertEqual([each["id"] for each in got], [*hovers, symbols, everything])
        self.assertIn("finite", json.dumps(got[0]["result"]))
        self.assertEqual(len(got[-1]["result"]["items"]), CHILDREN + 1)

    def test_what_is_taken_back_is_answered_at_once(self):
        kept, cancelled = self.ask_for_all(), self.ask_for_all()
        rename = self.ask("textDocument/rename", {**self.place, "newName": "other_name"})
        for each in (cancelled, rename, 4711):
            self.client.notify("$/cancelRequest", {"id": each})
        hover = self.ask("textDocument/hover", self.place)
        got = self.answers(4)
        # Which of the two had begun is a matter of time.
        self.assertEqual({each["id"] for each in got[:2]}, {cancelled, rename})
        self.assertEqual([each["id"] for each in got[2:]], [hover, kept])
        self.assertEqual([each["error"]["code"] for each in got[:2]], [CANCELLED, CANCELLED])
        # The numbers of what was taken back are free again.
        self.client.send({"id": cancelled, "method": "textDocument/hover", "params": self.place})
        self.assertIn("result", self.answers(1)[0])

    def test_a_rename_is_verified_while_others_speak(self):
        rename = self.ask("textDocument/rename", {**self.place, "newName": "finite_rows"})
        hover = self.ask("textDocument/hover", self.place)
        got = self.answers(2)
        self.assertEqual([each["id"] for each in got], [hover, rename])
        self.assertEqual([each["textDocument"]["uri"] for each in got[1]["result"]["documentChanges"]], [self.uri])
        # What it was to rename is another text now.
        rename = self.ask("textDocument/rename", {**self.place, "newName": "finite_rows"})
        hover = self.ask("textDocument/hover", self.place)
        self.assertEqual(self.answers(1)[0]["id"], hover)
        time.sleep(0.2)
        self.client.notify("textDocument/didChange", {"textDocument": {"uri": self.uri, "version": 2}, "contentChanges": [{"text": BASE + "# more\n"}]})
        answer = self.answers(1)[0]
        self.assertEqual(answer["id"], rename)
        if "error" in answer:  # else it was faster
            self.assertEqual(answer["error"]["code"], MODIFIED)

    def test_a_parent_that_changes_meanwhile_counts(self):
        everything = self.ask_for_all()
        self.client.notify("textDocument/didChange", {"textDocument": {"uri": self.uri, "version": 2}, "contentChanges": [{"text": BASE.replace("pair:", "pear:")}]})
        got = self.answers(1)[0]
        self.assertEqual(got["id"], everything)
        faulty = {each["uri"] for each in got["result"]["items"] if each["items"]}
        self.assertIn(self.uri, faulty)

    def test_edits_that_are_superseded_are_not_read(self):
        text = "# " + "x" * 200_000 + "\n" + BASE
        for version in range(2, 500):
            self.client.notify("textDocument/didChange", {"textDocument": {"uri": self.uri, "version": version}, "contentChanges": [{"text": text}]})
            self.client.messages.clear()
        self.client.notify("textDocument/didChange", {"textDocument": {"uri": self.uri, "version": 500}, "contentChanges": [{"text": BASE + "claims: {}\n"}]})
        self.assertIn("claims", json.dumps(self.client.request("textDocument/documentSymbol", {"textDocument": {"uri": self.uri}})))
        status = Path(f"/proc/{self.client.process.pid}/status").read_text()
        self.assertLess(int(status.split("VmHWM:")[1].split()[0]) / 1024, 300)

    def test_a_text_that_is_too_large_is_a_finding(self):
        uri = (self.folder / "huge.tikc.yaml").as_uri()
        self.client.open(uri, BASE + "#" * (17 << 20))
        result = self.client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        self.assertEqual([each["code"] for each in result["items"]], ["TK0001"])
        for method in ("documentSymbol", "foldingRange", "semanticTokens/full", "formatting", "codeLens"):
            params = {"textDocument": {"uri": uri}} | ({"options": {"tabSize": 2, "insertSpaces": True}} if method == "formatting" else {})
            self.assertIsNone(self.client.request(f"textDocument/{method}", params))
        for method in ("hover", "definition", "completion"):
            self.client.request(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": {"line": 3, "character": 3}})

    def test_shutting_down_waits_for_nothing(self):
        everything = self.ask_for_all()
        shutdown = self.ask("shutdown", None)
        got = self.answers(2)
        self.assertEqual([each["id"] for each in got], [everything, shutdown])
        self.assertEqual(got[0]["error"]["code"], CANCELLED)
        self.client.notify("exit")
        self.assertEqual(self.client.process.wait(PATIENCE), 0)


SLOW = """tikc: v1
contract: slow
version: 1.0.0
kernels: { trainer: { engine: fsdp2 }, rollout: { engine: vllm } }
pair: { train: trainer, infer: rollout }
model: { vocabulary: 151936, horizon: 16384 tokens }
assumptions: { support: full, step_reward: [0, 1], discount: 0.999999 }
numerical:
  drift: max(logit_osc) <= 1e-3
claims:
  reward: discounted_reward_drift <= 10
"""


class OfOthers(Serving):
    """What takes seconds in one text keeps nobody waiting in another, be there more of them than cores."""

    def setUp(self):
        super().setUp()
        self.slow = [f"file://{self.folder}/slow{n}.tikc.yaml" for n in range(min(8, 2 * len(os.sched_getaffinity(0))))]
        for n, uri in enumerate(self.slow):
            self.client.open(uri, SLOW.replace("1e-3", f"1.{n:03}1e-3"))

    def place_in(self, uri):
        return {"textDocument": {"uri": uri}, "position": {"line": 10, "character": 4}}

    def test_an_answer_waits_for_its_own_text_alone(self):
        slow = [self.ask("textDocument/hover", self.place_in(uri)) for uri in self.slow]
        quick = self.ask("textDocument/hover", self.place)
        got = self.answers(1 + len(slow))
        self.assertEqual(got[0]["id"], quick)
        self.assertEqual({each["id"] for each in got[1:]}, set(slow))
        for each in got:
            self.assertIn("contents", each["result"])
        # What takes long of a text that is known.
        long = [self.ask("workspace/executeCommand", {"command": "tikc.solve", "arguments": [self.place_in(uri)]}) for uri in self.slow]
        quick = self.ask("textDocument/hover", self.place)
        got = self.answers(1 + len(long))
        self.assertEqual(got[0]["id"], quick)
        self.assertEqual({each["id"] for each in got[1:]}, set(long))

    def test_what_is_asked_of_an_older_text_is_not_answered(self):
        uri = self.slow[0]
        hover, cancelled = (self.ask("textDocument/hover", self.place_in(uri)) for _ in range(2))
        self.client.notify("$/cancelRequest", {"id": cancelled})
        self.client.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": SLOW.replace("claims:", "claim:")}]})
        got = {each["id"]: each for each in self.answers(2)}
        self.assertEqual([got[each]["error"]["code"] for each in (hover, cancelled)], [MODIFIED, CANCELLED])
        found = self.client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        self.assertIn("claims", json.dumps(found["items"]))

    def test_a_text_that_is_closed_and_opened_again_is_another(self):
        uri = self.slow[0]
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        self.client.open(uri, "tikc: v1\ncontract: quick\nversion: 1.0.0\npear: {}\n")
        found = self.client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        self.assertIn("pear", json.dumps(found["items"]))
        for other in self.slow[1:]:
            self.client.request("textDocument/diagnostic", {"textDocument": {"uri": other}})
        again = self.client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        self.assertEqual(again["items"], found["items"])


class Orphan(Case):
    """The pipe stays open, as it does where somebody else has it, too."""

    def editor(self, process):
        server = subprocess.Popen([TIKC, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=self.folder)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.stdin.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        content = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"processId": process, "rootUri": None, "capabilities": {}}}).encode()
        server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
        server.stdin.flush()
        self.assertIn(b"Content-Length", server.stdout.readline())
        return server

    def test_it_ends_with_its_editor(self):
        editor = subprocess.Popen(["sleep", "1000"])
        server = self.editor(editor.pid)
        self.assertIsNone(server.poll())
        editor.send_signal(signal.SIGKILL)
        editor.wait()
        self.assertEqual(server.wait(PATIENCE), 1)

    def test_an_editor_that_is_not_to_be_seen_is_not_missed(self):
        gone = subprocess.Popen(["true"])
        gone.wait()
        for process in (gone.pid, None, -1, 0, 1 << 40):
            server = self.editor(process)
            with self.assertRaises(subprocess.TimeoutExpired):
                server.wait(1)


if __name__ == "__main__":
    main()
