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
from harness import PATIENCE, ROOT, TIKC, Case, main, run, skip_unless  # noqa: E402

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
    done = subprocess.run([str(word) for word in command], cwd=ROOT, env=environment, umask=umask, capture_output=True, text=True, timeout=PATIENCE)
    if done.returncode:
        raise AssertionError(f"{command}\n{done.stdout}{done.stderr}")
    return done.stdout


SOMEBODIES = [(0o077, "Asia/Kathmandu"), (0o002, "UTC")]


MAKEFILE = """package:
\t@mkdir -p build/release
\t@(find . -type f | grep -v ^./build/ | sort; echo "$(CXXFLAGS)$$CMAKE_GENERATOR") >build/release/tikc.deb
\t@cp build/release/tikc.deb build/release/tikc.tar.gz
vsix:
\t@mkdir -p build/editors
\t@touch build/editors/kernel-contracts-1.2.3.vsix
"""
# A tree of which a release is soon made.
SMALL = {"CMakeLists.txt": "project(tikc VERSION 1.2.3 LANGUAGES CXX)\n", "Makefile": MAKEFILE, "packaging/sbom.py": "#!/bin/sh\necho {}\n",
         ".gitignore": "/build/\n*.ignored\n", "text.txt": "one\ntwo\n", ".ci/release": (ROOT / ".ci/release").read_text()}


class Release(Case):
    """Of a commit and of nothing else, whoever makes it."""

    def setUp(self):
        super().setUp()
        self.tree = self.folder / "tree"
        for name, text in SMALL.items():
            self.write(f"tree/{name}", text).chmod(0o755 if text.startswith("#!") else 0o644)
        self.git("init", "--quiet")
        self.git("add", "--all")
        self.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message=all")

    def git(self, *words):
        subprocess.run(["git", *words], cwd=self.tree, check=True, timeout=PATIENCE)

    def release(self, umask=0o022, **environment):
        """What it says, and the files that it makes; what was there goes."""
        done = subprocess.run([".ci/release"], cwd=self.tree, env={**os.environ, **environment}, umask=umask, capture_output=True, text=True, timeout=PATIENCE)
        dist = self.tree / "build/dist"
        made = {path.name: path.read_bytes() for path in dist.iterdir()} if done.returncode == 0 else {}
        self.assertEqual("SHA256SUMS" in made, done.returncode == 0, done.stderr)
        return done.stderr, made

    def test_follows_nobodys_settings(self):
        said, wanted = self.release()
        self.assertEqual(sorted(wanted), ["SHA256SUMS", "kernel-contracts-1.2.3.vsix", "tikc-1.2.3-source.tar.gz", "tikc-1.2.3.spdx.json", "tikc.deb",
                                          "tikc.tar.gz"], said)
        attributes = self.write("attributes", "*.txt export-ignore\n* text eol=crlf\n")
        settings = self.write("config", f"[tar]\n\tumask = user\n[core]\n\tautocrlf = true\n\tattributesFile = {attributes}\n"
                                        "[status]\n\tshowUntrackedFiles = no\n")
        self.assertEqual(self.release(0o077, GIT_CONFIG_GLOBAL=str(settings), CXXFLAGS="-O0", LDFLAGS="-s", CMAKE_GENERATOR="none", TZ="Asia/Tokyo"),
                         (said, wanted))
        self.write("tree/.git/info/attributes", attributes.read_text())
        self.git("config", "tar.umask", "user")
        self.assertEqual(self.release(0o077)[1], wanted)

    def test_has_nothing_that_is_in_no_commit(self):
        said, wanted = self.release()
        self.write("tree/more.ignored", "")
        self.write("tree/build/release/CMakeCache.txt", "")
        self.write("tree/build/release/old.deb", "")
        self.assertEqual(self.release(), (said, wanted))
        self.write("tree/more.cpp", "")
        self.git("config", "status.showUntrackedFiles", "no")
        self.assertIn("in no commit", self.release()[0])

    def test_fails_where_nothing_can_be_known(self):
        shutil.move(self.tree / ".git/HEAD", self.folder / "HEAD")
        self.assertIn("not a git repository", self.release()[0])

    def test_is_of_the_version_that_its_tag_says(self):
        self.git("tag", "v1.2.3")
        self.git("tag", "reviewed")
        self.assertTrue(self.release()[1])
        self.assertIn("v9.0.0 is not of version 1.2.3", self.release(GITHUB_REF_TYPE="tag", GITHUB_REF_NAME="v9.0.0")[0])
        self.git("tag", "v1.2.4")
        self.assertIn("v1.2.4 is not of version 1.2.3", self.release()[0])

    def test_is_of_a_time_that_is_one(self):
        for command in ([".ci/pack", str(BUILD), str(self.folder / "out")], ["packaging/sbom.py", str(BUILD), "1.2.3"]):
            environment = {**os.environ, "SOURCE_DATE_EPOCH": "yesterday"}
            done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PATIENCE)
            self.assertEqual((done.returncode, done.stderr), (1, "SOURCE_DATE_EPOCH is a number of seconds, and not 'yesterday'\n"))


class Packages(Case):
    def test_are_the_same_bytes_whoever_packs_them(self):
        if shutil.disk_usage(self.folder).free < 1 << 30:
            self.skipTest(f"{self.folder} is too small for two sets of packages")
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
        self.assertLessEqual({"tikc", "llvm-19-dev", "libyaml-cpp-dev", "libgmp-dev", "libmpfr-dev", "libmpfi-dev", "zlib1g-dev", "libzstd-dev", "libminizip-dev", "libfmt-dev",
                              "libcli11-dev", "libc6"}, names)
        self.assertFalse({"libgtest-dev", "linux-libc-dev"} & names)
        schema = Path(os.environ.get("TIKC_STANDARDS", "")) / "spdx-schema-2.3.json"
        if schema.is_file() and jsonschema:
            jsonschema.Draft7Validator(json.loads(schema.read_text())).validate(told)


if __name__ == "__main__":
    main()
