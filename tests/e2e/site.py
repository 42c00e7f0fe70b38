"""The documentation site: it builds, each of its links leads somewhere, it asks no other host for anything, and html-validate and axe find no fault."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from urllib.parse import unquote

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import PATIENCE, ROOT, main, skip_unless  # noqa: E402

PEERS = Path(os.environ.get("TIKC_PEERS") or ROOT / "build/peers")
MODULES = PEERS / "node_modules"
VALIDATOR = MODULES / "html-validate/bin/html-validate.js"
AXE = ROOT / "tests/tools/axe_pages.mjs"

skip_unless(shutil.which("mkdocs"), "no mkdocs; .ci/setup installs it")
skip_unless((ROOT / ".git").exists(), "not a repository")

# All of its rules, but for what the theme does with its own controls, and tables of Markdown, whose headers are of columns and have no scope.
THEME = ["input-missing-label", "long-title", "no-missing-references", "require-sri", "unique-landmark", "valid-autocomplete", "wcag/h32", "wcag/h63"]
RULES = {"root": True, "extends": ["html-validate:standard", "html-validate:a11y", "html-validate:document"], "rules": dict.fromkeys(THEME, "off")}
LARGE = 150_000  # bytes; axe takes long for larger pages, which are generated as smaller ones are


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="tikc-site-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        done = subprocess.run([ROOT / ".ci/site", cls.folder], capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0 and not done.stderr, done.stdout + done.stderr
        cls.root = cls.folder / "html"
        cls.pages = sorted(cls.root.rglob("*.html"))

    def texts(self):
        return {page: page.read_text(encoding="utf-8") for page in self.pages if page.name != "404.html"}

    def test_has_the_pages_of_its_navigation(self):
        named = re.findall(r"([\w./-]+)\.md *$", (ROOT / "docs/mkdocs.yml").read_text(), re.M)
        self.assertGreater(len(named), 30)
        for name in named:
            self.assertTrue((self.root / f"{name}.html".replace("README", "index")).exists(), name)

    def test_each_link_leads_somewhere(self):
        texts = self.texts()
        anchors = {page: set(re.findall(r'\b(?:id|name)="([^"]+)"', text)) for page, text in texts.items()}
        dead = []
        for page, text in texts.items():
            for link in re.findall(r'<a [^>]*?href="([^"]+)"', text) + re.findall(r'<(?:img|script|link) [^>]*?(?:src|href)="([^"]+)"', text):
                if re.match(r"https?:|mailto:|data:|\.\./\.\./actions/", link):
                    continue
                path, _, anchor = unquote(link).partition("#")
                target = (page.parent / path).resolve() if path else page
                target = target / "index.html" if target.is_dir() else target
                if not target.exists() or anchor and target.suffix == ".html" and anchor not in anchors[target]:
                    dead.append(f"{page.relative_to(self.root)}: {link}")
        self.assertEqual(dead, [])

    def test_asks_no_other_host_for_anything(self):
        asked = []
        for page, text in self.texts().items():
            for link in re.findall(r'<(?:img|script|iframe|source) [^>]*?src="([^"]+)"', text) + re.findall(r'<link [^>]*?href="([^"]+)"', text):
                if re.match(r"(https?:)?//", link):
                    asked.append(f"{page.relative_to(self.root)}: {link}")
        self.assertEqual(asked, [])

    @unittest.skipUnless(shutil.which("node") and VALIDATOR.is_file(), f"no html-validate in {PEERS}")
    def test_html_has_no_fault(self):
        (self.folder / ".htmlvalidate.json").write_text(json.dumps(RULES))
        done = subprocess.run(["node", VALIDATOR, *self.texts()], cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stdout[-4000:] + done.stderr)

    @unittest.skipUnless(shutil.which("node") and (MODULES / "jsdom").is_dir(), f"no jsdom in {PEERS}")
    def test_articles_are_accessible(self):
        small = [page for page in self.texts() if page.stat().st_size < LARGE]
        done = subprocess.run(["node", AXE, PEERS, *small], capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    main()
