"""What a release is made of: packages that are the same bytes whoever packs them and when, and a list of what is in them."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, TIKC, Case, main, run, skip_unless  # noqa: E402

try:
    import jsonschema
except ModuleNotFoundError:
    jsonschema = None
BUILD = Path(TIKC).parent.parent
EPOCH = "1700000000"
# Of SPDX 2.3, what a document, a package and a relationship must have.
REQUIRED = {
    "document": {"spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace", "creationInfo"},
    "package": {"SPDXID", "name", "downloadLocation"},
    "relationship": {"spdxElementId", "relationshipType", "relatedSpdxElement"},
}
LINKS = {"DESCRIBES", "CONTAINS", "STATIC_LINK", "DYNAMIC_LINK"}

skip_unless(shutil.which("cpack") and shutil.which("dpkg-shlibdeps") and shutil.which("ninja"), "nothing that packs is installed")


def made_by(somebody, *command):
    umask, zone = somebody
    environment = {**os.environ, "SOURCE_DATE_EPOCH": EPOCH, "TZ": zone}
    done = subprocess.run([str(word) for word in command], cwd=ROOT, env=environment, umask=umask, capture_output=True, text=True, timeout=300)
    if done.returncode:
        raise AssertionError(f"{command}\n{done.stdout}{done.stderr}")
    return done.stdout


SOMEBODIES = [(0o077, "Asia/Kathmandu"), (0o002, "UTC")]


class Packages(Case):
    def test_are_the_same_bytes_whoever_packs_them(self):
        made = []
        for number, somebody in enumerate(SOMEBODIES):
            out = self.folder / str(number)
            made_by(somebody, ".ci/pack", BUILD, out)
            made.append({path.name: path.read_bytes() for path in out.iterdir()})
        self.assertEqual(sorted(name.rsplit(".", 1)[1] for name in made[0]), ["deb", "gz"])
        self.assertEqual(made[0].keys(), made[1].keys())
        for name, content in made[0].items():
            self.assertTrue(content == made[1][name], f"{name} differs")

        tree = next((self.folder / "0").glob("*.tar.gz"))
        with tarfile.open(tree) as archive:
            members = archive.getmembers()
        self.assertEqual({(each.uid, each.gid, each.mtime) for each in members}, {(0, 0, int(EPOCH))})
        self.assertEqual({each.mode for each in members if each.isdir()} | {0o755}, {0o755})
        self.assertLessEqual({each.mode for each in members if each.isfile()}, {0o644, 0o755})

    def test_of_the_extension_too(self):
        if not (ROOT / "build/editors/vscode/node_modules/.bin/esbuild").exists():
            self.skipTest("there is nothing to bundle")
        for number, somebody in enumerate(SOMEBODIES):
            made_by(somebody, "editors/vscode/package.py", "--output", self.folder / f"{number}.vsix")
        self.assertEqual((self.folder / "0.vsix").read_bytes(), (self.folder / "1.vsix").read_bytes())


class Parts(Case):
    def test_are_listed_with_version_and_licence(self):
        version = re.search(r"[\d.]+", run("--version").out)[0]
        first, second = (made_by(somebody, "packaging/sbom.py", BUILD, version) for somebody in SOMEBODIES)
        self.assertEqual(first, second)
        told = json.loads(first)
        self.assertLessEqual(REQUIRED["document"], told.keys())
        self.assertEqual((told["spdxVersion"], told["dataLicense"], told["SPDXID"]), ("SPDX-2.3", "CC0-1.0", "SPDXRef-DOCUMENT"))
        self.assertEqual(told["creationInfo"]["created"], "2023-11-14T22:13:20Z")
        self.assertTrue(all(re.match(r"(Person|Organization|Tool): \S", who) for who in told["creationInfo"]["creators"]))
        ids = [each["SPDXID"] for each in told["packages"]]
        self.assertEqual(len(ids), len(set(ids)))
        for each in told["packages"]:
            self.assertLessEqual(REQUIRED["package"], each.keys())
            self.assertRegex(each["SPDXID"], r"^SPDXRef-[A-Za-z0-9.-]+$")
            self.assertTrue(each["versionInfo"] and each["licenseConcluded"])
        related = {each["relatedSpdxElement"] for each in told["relationships"]}
        self.assertEqual(related, set(ids))
        for each in told["relationships"]:
            self.assertLessEqual(REQUIRED["relationship"], each.keys())
            self.assertIn(each["relationshipType"], LINKS)
        names = {each["name"] for each in told["packages"]}
        self.assertLessEqual({"tikc", "llvm-19-dev", "libyaml-cpp-dev", "libgmp-dev", "libmpfr-dev", "libmpfi-dev", "zlib1g-dev", "libfmt-dev",
                              "libcli11-dev", "libc6"}, names)
        self.assertFalse({"libgtest-dev", "linux-libc-dev"} & names)
        schema = Path(os.environ.get("TIKC_STANDARDS", "")) / "spdx-schema-2.3.json"
        if schema.is_file() and jsonschema:
            jsonschema.Draft7Validator(json.loads(schema.read_text())).validate(told)


if __name__ == "__main__":
    main()
