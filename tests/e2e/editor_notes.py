"""What editors/README.md and the plugins say is true: the configurations can be read and start the server, it offers what is told, and the
schema lies where they look for it."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, Case, main  # noqa: E402
from lsp_client import Client  # noqa: E402

NOTES = (ROOT / "editors/README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", NOTES, re.M | re.S)


class Notes(Case):
    def test_configurations_can_be_read(self):
        for text in blocks("json"):
            json.loads(text)
        (helix,) = [tomllib.loads(text) for text in blocks("toml")]
        server = helix["language-server"]["tikc"]
        self.assertEqual([server["command"], *server["args"]], ["tikc", "lsp"])
        self.assertEqual(helix["language"][0]["language-servers"], ["tikc"])
        self.assertEqual(json.loads(blocks("json")[2])["clients"]["tikc"]["command"], ["tikc", "lsp"])

    def test_emacs_can_read_its_own(self):
        for text in blocks("elisp"):
            self.assertEqual(text.count("("), text.count(")"), text)
            if shutil.which("emacs"):
                path = self.write("init.el", text)
                subprocess.run(["emacs", "--batch", "--eval", f'(with-temp-buffer (insert-file-contents "{path}") (check-parens))'], check=True)

    def test_settings_are_those_that_the_server_reads(self):
        read = set(re.findall(r'get(?:String|Boolean)\("(\w+)"\)', (ROOT / "compiler/lsp/session/Configure.cpp").read_text()))
        told = set(re.findall(r"`(\w+)`", NOTES[NOTES.index("The settings are under"):NOTES.index("Without `codeLenses`")])) - {"tikc"}
        self.assertEqual(told, read)

    def test_the_schema_is_where_modelines_look_for_it(self):
        schema = ROOT / "schemas/kernel-contract.v1.schema.json"
        (modeline,) = re.findall(r"\$schema=(\S+)", NOTES)
        self.assertEqual((ROOT / "examples" / modeline).resolve(), schema)
        count = 0
        for path in (ROOT / "examples").rglob("*.tikc.yaml"):
            for named in re.findall(r"\$schema=(\S+)", path.read_text(encoding="utf-8")):
                count += 1
                self.assertEqual((path.parent / named).resolve(), schema, path)
        self.assertGreater(count, 5)
        for name in json.loads(blocks("json")[0])["yaml.schemas"]:
            self.assertTrue((ROOT / name).exists(), name)

    def test_what_is_offered_is_told(self):
        client = Client(cwd=self.folder)
        offered = {name for name in client.start()["capabilities"] if name.endswith("Provider")}
        client.stop()
        told = set(re.findall(r"`(\w+Provider)`", NOTES))
        self.assertEqual(offered, told)

    def test_links_lead_somewhere(self):
        for page in (ROOT / "editors").rglob("README.md"):
            for target in re.findall(r"\]\((?!http)([^)#]+)", page.read_text(encoding="utf-8")):
                self.assertTrue((page.parent / target).exists(), f"{page}: {target}")


main()
