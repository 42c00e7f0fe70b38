"""Tutorials: each command prints what its page shows. Pages on trainers and engines: contracts check clean, and each option, preset and hook exists.

`tutorials.py write` rewrites the output in tutorials, except in blocks that leave lines out.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import PATIENCE, ROOT, TIKC, Case, main, run  # noqa: E402

TUTORIALS = sorted((ROOT / "docs/tutorials").glob("*.md"))
PAGES = [ROOT / f"docs/how-to/{name}.md" for name in ("verl", "trl", "nemo-rl", "slime", "prime-rl", "vllm", "sglang", "llama-cpp", "chains")]
BLOCK = re.compile(r"(?ms)^```(console|yaml)\n(.*?)^```$")
CUT = "…"  # a line that stands for any number of lines


def commands(block):
    """The commands of a console block, each with the output that the page shows."""
    return re.findall(r"(?m)^\$ (.*)\n((?:(?!\$ ).*\n)*)", block)


class Session:
    """A reader's empty folder next to the source tree, which is `../tikc`."""

    def __init__(self, scratch):
        scratch.mkdir()
        (scratch / "tikc").symlink_to(ROOT)
        (scratch / "bin").mkdir()
        (scratch / "bin/tikc").symlink_to(Path(TIKC).resolve())
        self.folder = scratch / "work"
        self.folder.mkdir()
        self.environment = {"PATH": f"{scratch / 'bin'}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "HOME": str(scratch)}

    def run(self, command):
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=PATIENCE)
        return done.stdout.decode("utf-8")

    def take(self, block):
        """Writes a block that names its file in its first line; returns whether it does."""
        name = re.match(r"# file: (\S+)\n", block)
        if name:
            (self.folder / name[1]).write_text(block, encoding="utf-8")
        return bool(name)


class Tutorials(Case):
    def follow(self, page):
        session = Session(self.folder / page.stem)
        for kind, block in BLOCK.findall(page.read_text(encoding="utf-8")):
            if kind == "yaml":
                if not session.take(block):
                    known = [path.read_text(encoding="utf-8") for path in session.folder.glob("*.yaml")]
                    self.assertTrue(any(block in text for text in known), f"no file has the lines that the page shows:\n{block}")
                continue
            for command, wanted in commands(block):
                with self.subTest(page=page.name, command=command):
                    pattern = "".join("(?:.*\n)*?" if line == CUT else re.escape(line) + "\n" for line in wanted.splitlines())
                    shown = session.run(command)
                    self.assertTrue(re.fullmatch(pattern, shown), f"the page shows\n{wanted}\nand tikc prints\n{shown}")

    def test_commands_print_what_is_shown(self):
        self.assertGreater(len(TUTORIALS), 1)
        for page in TUTORIALS:
            self.follow(page)


class HowTo(Case):
    def test_contracts_check_clean(self):
        for page in PAGES:
            blocks = [block for kind, block in BLOCK.findall(page.read_text(encoding="utf-8")) if kind == "yaml" and "tikc: v1\n" in block]
            self.assertTrue(blocks, page.name)
            for block in blocks:
                with self.subTest(page=page.name):
                    done = run("check", "--fail-on=warning", self.write("contract.tikc.yaml", block))
                    codes = set(re.findall(r"(?m)^\w+\[(TK\d+)\]", done.out))
                    self.assertEqual(done.returncode, 1 if codes else 0, done.out + done.err)
                    self.assertLessEqual(codes, set() if "\nescalation:" in block else {"TK7005"}, done.out)

    def test_what_commands_name_exists(self):
        for page in PAGES:
            text = page.read_text(encoding="utf-8")
            for block in re.findall(r"(?ms)^```(?:console|sh)\n(.*?)^```$", text):
                for command, words in re.findall(r"(?m)\btikc ([a-z]+)((?: .*?)?)(?=$|\|)", re.sub(r"(?m)(\s#.*$|\\\n)", "", block)):
                    with self.subTest(page=page.name, command=command + words):
                        usage = run(command, "--help").out
                        self.assertEqual([word for word in re.findall(r"(?<= )--[a-z-]+", words) if f"{word} " not in usage], [])
                        self.assertEqual([name for name in re.findall(r"--preset[= ]([\w-]+)", words) if f" {name}," not in usage and f" {name} or" not in usage
                                          and f"or {name}." not in usage], [])
            for module, name in re.findall(r"\btikc\.hooks\.(\w+)\.(\w+)", text):
                with self.subTest(page=page.name, name=f"{module}.{name}"):
                    self.assertRegex((ROOT / f"python/tikc/hooks/{module}.py").read_text(encoding="utf-8"), rf"(?m)^(def|class) {name}\b")


def rewrite(page):
    """The page with what its commands print now."""
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="tikc-tutorials-") as scratch:
        session = Session(Path(scratch) / page.stem)

        def block(found):
            kind, old = found.groups()
            if kind == "yaml":
                session.take(old)
                return found[0]
            new = "".join(f"$ {command}\n{session.run(command)}" for command, _ in commands(old))
            if re.search(rf"(?m)^{CUT}$", old):
                return found[0]
            return f"```console\n{new}```"

        page.write_text(BLOCK.sub(block, text), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["write"]:
        for page in TUTORIALS:
            rewrite(page)
    else:
        main()
