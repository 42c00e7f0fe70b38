"""Every link of the documentation leads somewhere: to a file that is there, installed, too, and to a heading of it; every test that SECURITY.md
names is there, and so is what the design and the READMEs of rooms name; each folder has a README."""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from urllib.parse import unquote

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, TIKC, main  # noqa: E402

sys.path.insert(0, str(ROOT / ".ci"))
from pages import links  # noqa: E402


PAGES = Path(TIKC).parent.parent / "pages"  # what the build makes of the compiler's tables


def anchors(text):
    """As renderers of Markdown make them of headings."""
    out = set()
    for heading in re.findall(r"(?m)^#+ +(.*)$", re.sub(r"(?ms)^(```+).*?^\1", "", text)):
        plain = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        number = 0
        while (anchor := f"{plain}-{number}" if number else plain) in out:
            number += 1
        out.add(anchor)
    return out


def tracked(pattern):
    listed = subprocess.run(["git", "ls-files", pattern], cwd=ROOT, capture_output=True, text=True)
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).exists()]


class Links(unittest.TestCase):
    def dead(self, page, root):
        for link in links(page.read_text(encoding="utf-8")):
            if re.match(r"(https?|mailto):|\.\./\.\./actions/", link): # the last are GitHub's, beside the page as it shows it
                continue
            path, _, anchor = unquote(link).partition("#")
            target = (page.parent / path).resolve() if path else page
            if not target.is_relative_to(root):
                yield f"{page.relative_to(root)}: {link}"
                continue
            if not target.exists():
                target = PAGES / target.relative_to(root)
            if not target.exists():
                yield f"{page.relative_to(root)}: {link}"
            elif anchor and target.suffix == ".md" and anchor not in anchors(target.read_text(encoding="utf-8")):
                yield f"{page.relative_to(root)}: {link}"

    def check(self, root, pages):
        self.assertTrue(pages)
        self.assertEqual([each for page in pages for each in self.dead(page, root)], [])

    def test_of_the_tree(self):
        self.check(ROOT, tracked("*.md") or [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"])

    def test_of_what_is_installed(self):
        with tempfile.TemporaryDirectory(prefix="tikc-links-") as scratch:
            subprocess.run(["cmake", "--install", Path(TIKC).parent.parent, "--prefix", scratch], check=True, stdout=subprocess.DEVNULL)
            root = Path(scratch).resolve()
            self.check(root, sorted(root.rglob("*.md")))
            for page in root.rglob("man1/*.1"):
                for name, section in re.findall(r"(?m)^\.BR ([\w\\-]+) \((\d)\)", page.read_text()):
                    self.assertTrue((page.parent / f"{name.replace(chr(92), '')}.{section}").exists(), f"{page.name}: {name}({section})")
            self.assertEqual(sorted(page.stem for page in root.rglob("man1/*.1")), sorted(program.name for program in root.glob("bin/*")))

    def test_what_holds_is_held_by_tests_that_there_are(self):
        policy = (ROOT / "SECURITY.md").read_text(encoding="utf-8").split("## Guarantees")[1]
        rows = [line for line in policy.splitlines() if line.startswith("|") and not re.search(r"\| tests \||\|---", line)]
        self.assertGreater(len(rows), 40)
        for row in rows:
            holders = re.findall(r"`((?:tests|\.ci)/[^`]+)`(?: \(((?:`\w+`(?:, )?)+)\))?", row.rsplit(" | ", 1)[1])
            self.assertTrue(holders, row)
            for path, names in holders:
                self.assertTrue((ROOT / path).exists(), path)
                for name in re.findall(r"\w+", names):
                    self.assertTrue(re.search(rf"(def |, ){name}\b", (ROOT / path).read_text(encoding="utf-8")), f"{name} of {path}")
        for path in re.findall(r"`(compiler/[^`]+)`", policy):
            self.assertTrue((ROOT / path).exists(), path)


class Names(unittest.TestCase):
    """What stands in backticks and looks like a file, a type or a function is one."""

    @classmethod
    def setUpClass(cls):
        cls.sources = {path: path.read_text(encoding="utf-8") for folder in ("compiler", "data", "runtime", "verifier") for path in (ROOT / folder).rglob("*")
                       if path.suffix in {".h", ".cpp", ".def"}}
        cls.all = "\n".join(cls.sources.values())

    def is_there(self, name, room):
        if "/" in name or "." in name:
            return any((folder / name).exists() for folder in (ROOT, ROOT / "compiler", room)) or any(room.rglob(name))
        if name.endswith("()"):
            return re.search(rf"\b{re.escape(name[:-1])}", self.all)
        stems = {path.stem for path in self.sources if path.is_relative_to(room)}
        return name in stems or re.search(rf"\b(struct|class|enum class|using) {name}\b|define {name}\b", self.all)

    def missing(self, page):
        for name in re.findall(r"`([^`\n]+)`", re.sub(r"(?ms)^```.*?^```$", "", page.read_text(encoding="utf-8"))):
            looks = r"(?!.*(\bX\.cpp|nnnn))([\w.]+/[\w./]*|\w+\.(h|cpp|def)|(\w+::)*\w+\(\)|[A-Z]+[a-z]\w*|TIKC_\w+)"
            if re.fullmatch(looks, name) and not self.is_there(name, page.parent):
                yield f"{page.relative_to(ROOT)}: {name}"

    def test_what_is_named_is_there(self):
        pages = [ROOT / "docs/design.md", *(ROOT / "compiler").rglob("README.md"), ROOT / "data/README.md", ROOT / "runtime/README.md", ROOT / "verifier/README.md"]
        self.assertEqual([each for page in pages for each in self.missing(page)], [])

    def test_each_folder_is_told_of(self):
        """One of the tree has a README, and one of a room, or of tests, has a name in its room's."""
        files = [path.relative_to(ROOT) for path in tracked("*")]
        for folder in {path.parts[0] for path in files if len(path.parts) > 1 and not path.parts[0].startswith(".")} - {"compiler"}:
            self.assertTrue((ROOT / folder / "README.md").exists(), folder)
        inner = {path.parts[:3] for path in files if path.parts[0] == "compiler" and len(path.parts) > 3}
        for *room, folder in inner | {path.parts[:2] for path in files if path.parts[0] == "tests" and len(path.parts) > 2}:
            readme = ROOT.joinpath(*room, "README.md")
            self.assertRegex(readme.read_text(encoding="utf-8"), rf"`{folder}[/`]", f"{readme} does not tell of {folder}/")


if __name__ == "__main__":
    main()
