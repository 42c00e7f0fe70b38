#!/usr/bin/python3
"""What the language server says of the change since HEAD: the lens on a version, the fix of one that is too low, and the command behind both; held
to `tikc diff`. Repositories are real, one is a stranger's whose configuration names programs, and there may be none, or no Git."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import TIKC, Case, contract, main  # noqa: E402
from lsp_client import Client  # noqa: E402

CAPABILITIES = {
    "textDocument": {"diagnostic": {}, "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}}},
    "workspace": {"codeLens": {"refreshSupport": True}, "workspaceEdit": {"documentChanges": True}},
}
OBSERVED = """observability:
  rows: sample(logits, 1%)
  tokens: sample(logprobs, 100%)
escalation:
  rest: { when: violated(any), do: hold, until: satisfied(any) }
  silent: { when: undecided(any) for 6 windows, do: alert("us") }
"""
OLD = contract("x", "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat\n", OBSERVED).replace("1.0.0", "1.2.0")
LOOSER, TIGHTER = OLD.replace("0.05 nat", "0.06 nat"), OLD.replace("0.05 nat", "0.04 nat")
UNCHANGED = "unchanged since HEAD"


class Editor(Client):
    def __init__(self, folder, path=None, **options):
        environment = {**os.environ, **({"PATH": path} if path is not None else {})}
        command = [shutil.which("env"), *(f"{k}={v}" for k, v in environment.items()), TIKC, "lsp"]
        super().__init__(command, cwd=folder)
        self.start(CAPABILITIES, **options)
        self.refreshes = 0

    def hear(self, message):
        self.refreshes += message.get("method") == "workspace/codeLens/refresh"

    def ask(self, method, uri, **more):
        return self.request("textDocument/" + method, {"textDocument": {"uri": uri}, **more}, self.hear)

    def needs(self, uri):
        """What is above versions."""
        return [lens["command"]["title"] for lens in self.ask("codeLens", uri) or [] if lens["command"]["command"] == "tikc.diff"]

    def heard_of_head(self):
        """Waits until the server has heard of Git what it did not know."""
        while not self.refreshes:
            message = self.receive()
            assert message is not None, "the server went away"
            if "id" in message and "method" in message:
                self.answer(message)
            self.hear(message)
        self.refreshes = 0

    def change(self, uri, version, text):
        self.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]})

    def save(self, uri):
        self.notify("textDocument/didSave", {"textDocument": {"uri": uri}})


class Head(Case):
    def setUp(self):
        super().setUp()
        self.uri = self.write("x.tikc.yaml", OLD).as_uri()
        self.git("init", "-q")
        self.commit()

    def git(self, *words):
        return subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=n@n", *words], cwd=self.folder, check=True, capture_output=True)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-qm", "c")

    def editor(self, text, **options):
        editor = Editor(self.folder, **options)
        self.addCleanup(editor.process.stdout.close)
        self.addCleanup(editor.process.stdin.close)
        self.addCleanup(editor.process.wait)
        self.addCleanup(editor.process.kill)
        editor.open(self.uri, text)
        return editor

    def told(self, text):
        """What is above the version of a text that is open and not saved."""
        editor = self.editor(text)
        editor.heard_of_head()
        found = editor.needs(self.uri)
        editor.stop()
        return found

    def fixes(self, editor, text):
        line = next(i for i, each in enumerate(text.splitlines()) if each.startswith("version:"))
        place = {"line": line, "character": 0}
        offered = editor.ask("codeAction", self.uri, range={"start": place, "end": place}, context={"diagnostics": [], "only": ["quickfix"]})
        return [each for each in offered if "since HEAD" in each["title"]]

    def test_what_a_change_needs(self):
        two = OLD.replace("statistical:\n", "statistical:\n  tail: p99(abs(logprob_gap)) <= 1 nat\n")
        for text, needs in [
            (OLD, UNCHANGED),
            (OLD.replace("gap:", "# words\n  gap:"), UNCHANGED),
            (OLD.replace("1.2.0", "1.3.0"), UNCHANGED + " except for the version"),
            (OLD.replace("1.2.0", "1.1.0"), "1.1.0 → needs 1.2.0: HEAD has that version"),
            (LOOSER, "1.2.0 → needs 2.0.0: looser: gap"),
            (LOOSER.replace("1.2.0", "1.9.0"), "1.9.0 → needs 2.0.0: looser: gap"),
            (LOOSER.replace("1.2.0", "2.0.0"), "looser: gap: major, 2.0.0 is enough"),
            (TIGHTER, "1.2.0 → needs 1.3.0: tighter: gap"),
            (TIGHTER.replace("1.2.0", "1.3.0"), "tighter: gap: minor, 1.3.0 is enough"),
            (two.replace("0.05 nat", "0.04 nat"), "1.2.0 → needs 1.3.0: tighter: gap; added: tail"),
        ]:
            with self.subTest(needs):
                self.assertEqual(self.told(text), [needs])

    def test_it_is_what_diff_says(self):
        for text in (OLD, LOOSER, TIGHTER, LOOSER.replace("gap:", "other:")):
            self.write("x.tikc.yaml", text)
            (row,) = json.loads(self.tikc("diff", "git:HEAD", "x.tikc.yaml", "--format=json", "--fail-on=none").out)["contracts"]
            (needs,) = self.told(text)
            with self.subTest(needs):
                isShort = not row["version"]["enough"]
                self.assertEqual("needs" in needs, isShort)
                self.assertEqual(f"needs {row['version'].get('next')}" in needs, isShort)

    def test_each_keystroke_counts(self):
        editor = self.editor(OLD)
        editor.heard_of_head()
        for version, (text, needs) in enumerate([(LOOSER, ["1.2.0 → needs 2.0.0: looser: gap"]), (LOOSER + "pear: {}\n", []), (OLD, [UNCHANGED])], 2):
            editor.change(self.uri, version, text)
            self.assertEqual(editor.needs(self.uri), needs)
        self.assertEqual(editor.stop(), 0)

    def test_the_least_version_is_a_fix(self):
        editor = self.editor(LOOSER)
        editor.heard_of_head()
        (fix,) = self.fixes(editor, LOOSER)
        self.assertEqual(fix["title"], "set the version to 2.0.0, the lowest that the changes since HEAD need")
        (change,) = fix["edit"]["documentChanges"]
        (edit,) = change["edits"]
        self.assertEqual(edit["newText"], "2.0.0")
        mended = LOOSER.replace("1.2.0", edit["newText"])
        editor.change(self.uri, 2, mended)
        self.assertEqual(self.fixes(editor, mended), [])
        self.assertEqual(editor.needs(self.uri), ["looser: gap: major, 2.0.0 is enough"])
        # Elsewhere it is nobody's concern.
        place = {"line": 0, "character": 0}
        editor.change(self.uri, 3, LOOSER)
        self.assertEqual([a for a in editor.ask("codeAction", self.uri, range={"start": place, "end": place}, context={"diagnostics": []}) or []
                          if "since HEAD" in a["title"]], [])
        self.assertEqual(editor.stop(), 0)

    def test_the_command_tells_all(self):
        editor = self.editor(LOOSER)
        editor.heard_of_head()
        (lens,) = [each for each in editor.ask("codeLens", self.uri) if each["command"]["command"] == "tikc.diff"]
        shown = []
        argument = lens["command"]["arguments"][0]
        said = editor.request("workspace/executeCommand", {"command": "tikc.diff", "arguments": [argument]}, shown.append)
        self.write("x.tikc.yaml", LOOSER)
        diff = self.tikc("diff", "git:HEAD", "x.tikc.yaml", "--fail-on=none").out
        self.assertEqual(said.replace("(x.tikc.yaml", "(git:HEAD:/x.tikc.yaml:9:3 -> x.tikc.yaml"), diff)
        self.assertEqual([each["params"]["message"] for each in shown if each["method"] == "window/showMessage"], [said])
        place = {"textDocument": {"uri": self.uri}, "position": {"line": 0, "character": 0}}
        self.assertEqual(editor.request("workspace/executeCommand", {"command": "tikc.diff", "arguments": [place]}), said)
        with self.assertRaisesRegex(RuntimeError, "HEAD does not have this contract"):
            editor.request("workspace/executeCommand", {"command": "tikc.diff", "arguments": [{**argument, "contract": "y"}]})
        self.assertEqual(editor.stop(), 0)

    def test_saving_looks_again(self):
        editor = self.editor(LOOSER)
        editor.heard_of_head()
        self.assertEqual(editor.needs(self.uri), ["1.2.0 → needs 2.0.0: looser: gap"])
        self.write("x.tikc.yaml", LOOSER)
        self.commit()
        editor.save(self.uri)
        editor.heard_of_head()
        self.assertEqual(editor.needs(self.uri), [UNCHANGED])
        # Where HEAD is what it was, there is nothing to say.
        editor.save(self.uri)
        editor.change(self.uri, 2, OLD)
        self.assertEqual(editor.needs(self.uri), ["1.2.0 → needs 1.3.0: tighter: gap"])
        self.assertEqual(editor.refreshes, 0)
        self.assertEqual(editor.stop(), 0)

    def test_parents_count_as_they_were(self):
        base = "abstract: true\n" + OLD.replace("contract: x", "contract: base")
        kid = "tikc: v1\ncontract: kid\nversion: 1.0.0\nextends: base.tikc.yaml\n"
        base = base.replace("tikc: v1\n", "").replace("abstract: true\n", "tikc: v1\nabstract: true\n")
        self.write("base.tikc.yaml", base)
        self.uri = self.write("kid.tikc.yaml", kid).as_uri()
        self.commit()
        editor = self.editor(kid)
        editor.heard_of_head()
        self.assertEqual(editor.needs(self.uri), [UNCHANGED])
        parent = (self.folder / "base.tikc.yaml").as_uri()
        editor.open(parent, base.replace("0.05 nat", "0.06 nat"))
        self.assertEqual(editor.needs(self.uri), ["1.0.0 → needs 2.0.0: looser: gap"])
        # Nothing keeps a base alone: `tikc diff` passes over it as well.
        editor.heard_of_head()
        self.assertEqual(editor.needs(parent), [])
        self.assertEqual(editor.stop(), 0)

    def test_contracts_of_one_file_and_one_that_is_called_otherwise(self):
        self.assertEqual(self.told(LOOSER.replace("contract: x", "contract: y")), ["1.2.0 → needs 2.0.0: looser: gap"])
        both = OLD + "---\n" + OLD.replace("contract: x", "contract: y")
        self.write("x.tikc.yaml", both)
        self.commit()
        self.assertEqual(self.told(LOOSER + "---\n" + TIGHTER.replace("contract: x", "contract: y")),
                         ["1.2.0 → needs 2.0.0: looser: gap", "1.2.0 → needs 1.3.0: tighter: gap"])

    def silent(self, text=LOOSER, **options):
        """Git is asked about one after another, so what it said of a witness came after all that it said of this."""
        has_git = "path" not in options
        witness = self.write("zz/x.tikc.yaml", OLD)
        if has_git:
            self.git("init", "-q", "zz")
            self.git("-C", "zz", "add", "x.tikc.yaml")
            self.git("-C", "zz", "commit", "-qm", "c")
        editor = self.editor(text, **options)
        editor.open(witness.as_uri(), OLD)
        if has_git:
            editor.heard_of_head()
            self.assertEqual(editor.needs(witness.as_uri()), [UNCHANGED])
        self.assertEqual(editor.needs(self.uri), [])
        self.assertEqual(self.fixes(editor, text), [])
        self.assertEqual(editor.stop(), 0)
        self.assertEqual(editor.refreshes, 0)

    def test_no_repository(self):
        shutil.rmtree(self.folder / ".git")
        self.silent()

    def test_no_git(self):
        self.silent(path="/nonexistent")

    def test_nothing_committed(self):
        shutil.rmtree(self.folder / ".git")
        self.git("init", "-q")
        self.silent()

    def test_a_new_file(self):
        self.uri = self.write("new.tikc.yaml", LOOSER).as_uri()
        self.silent()

    def test_no_lenses_no_git(self):
        log = self.write("git", "#!/bin/sh\necho asked >>asked\nexec /usr/bin/git \"$@\"\n")
        log.chmod(0o755)
        path = f"{self.folder}:{os.environ['PATH']}"
        editor = self.editor(LOOSER, path=path, initializationOptions={"codeLenses": False})
        editor.save(self.uri)
        self.assertEqual(editor.needs(self.uri), [])
        self.assertEqual(editor.stop(), 0)
        self.assertFalse((self.folder / "asked").exists())
        self.editor(LOOSER, path=path).heard_of_head()
        self.assertTrue((self.folder / "asked").exists())

    def test_a_git_that_hangs_keeps_nobody_waiting(self):
        log = self.write("git", "#!/bin/sh\nexec sleep 20\n")
        log.chmod(0o755)
        editor = self.editor(LOOSER, path=f"{self.folder}:{os.environ['PATH']}")
        self.assertEqual(editor.needs(self.uri), [])
        self.assertEqual(editor.ask("diagnostic", self.uri)["items"], [])
        self.assertEqual(editor.stop(), 0)

    def test_a_stranger_s_configuration_runs_nothing(self):
        trap = self.write("trap", "#!/bin/sh\necho \"$@\" >>" + str(self.folder / "sprung") + "\ncat\n")
        trap.chmod(0o755)
        self.write(".gitattributes", "*.yaml diff=trap filter=trap merge=trap\n")
        self.git("add", "-A")
        self.git("commit", "-qm", "attributes")
        for key in ("core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.askPass", "core.gitProxy", "diff.external", "pager.ls-tree", "pager.cat-file",
                    "diff.trap.textconv", "diff.trap.command", "filter.trap.smudge", "filter.trap.clean", "filter.trap.process", "merge.trap.driver",
                    "credential.helper", "gpg.program", "core.alternateRefsCommand", "uploadpack.packObjectsHook", "remote.origin.uploadpack"):
            self.git("config", key, str(trap))
        for name in ("post-checkout", "post-index-change", "reference-transaction", "pre-commit"):
            shutil.copy(trap, self.folder / ".git/hooks" / name)
        (self.folder / "sprung").unlink(missing_ok=True)
        self.assertEqual(self.told(LOOSER), ["1.2.0 → needs 2.0.0: looser: gap"])
        self.write("x.tikc.yaml", LOOSER)
        self.assertIn("looser", self.tikc("diff", "git:HEAD", "x.tikc.yaml", "--fail-on=none").out)
        self.assertFalse((self.folder / "sprung").exists())
        # The trap is one: what reads the index springs it.
        subprocess.run(["git", "status"], cwd=self.folder, capture_output=True)
        self.assertTrue((self.folder / "sprung").exists())

    def test_what_a_partial_clone_lacks_is_not_fetched(self):
        """The remote of the repository is a program, which whoever asks for a missing object would run."""
        trap = self.write("trap", "#!/bin/sh\necho sprung >>" + str(self.folder / "sprung") + "\n")
        trap.chmod(0o755)
        blob = self.git("rev-parse", "HEAD:x.tikc.yaml").stdout.decode().strip()
        (self.folder / ".git/objects" / blob[:2] / blob[2:]).unlink()
        for key, value in (("core.repositoryformatversion", "1"), ("extensions.partialClone", "origin"), ("remote.origin.promisor", "true"),
                           ("remote.origin.url", f"ext::{trap}"), ("protocol.ext.allow", "always"), ("protocol.allow", "always")):
            self.git("config", key, value)
        self.silent()
        self.tikc("diff", "git:HEAD", "x.tikc.yaml")
        self.assertFalse((self.folder / "sprung").exists())
        subprocess.run(["git", "cat-file", "-p", blob], cwd=self.folder, capture_output=True)
        self.assertTrue((self.folder / "sprung").exists(), "the trap is one")

    def test_a_folder_that_looks_like_a_repository_is_none(self):
        """As a stranger commits it: it has a work tree and a monitor of its own."""
        inner = self.folder / "inner"
        self.git("init", "-q", "--bare", str(inner))
        for key, value in (("core.bare", "false"), ("core.worktree", str(inner)), ("core.fsmonitor", str(self.folder / "trap"))):
            subprocess.run(["git", "-C", str(inner), "config", key, value], check=True)
        self.uri = self.write("inner/x.tikc.yaml", OLD).as_uri()
        self.git("-C", "inner", "add", "x.tikc.yaml")
        self.git("-C", "inner", "-c", "core.fsmonitor=false", "commit", "-qm", "c")
        self.silent()

    def test_nothing_is_left_behind(self):
        temporary = self.folder / "tmp"
        temporary.mkdir()
        before = os.environ.get("TMPDIR")
        os.environ["TMPDIR"] = str(temporary)
        try:
            self.told(LOOSER)
            for _ in range(20):  # it may be laying out what HEAD has
                editor = self.editor(LOOSER)
                editor.needs(self.uri)
                editor.stop()
        finally:
            os.environ.pop("TMPDIR") if before is None else os.environ.update(TMPDIR=before)
        self.assertEqual(list(temporary.iterdir()), [])


if __name__ == "__main__":
    main()
