#!/usr/bin/python3
"""Prints the components of a build's programs as SPDX 2.3 in JSON.

  packaging/sbom.py BUILD VERSION [VSIX]

Only licences are listed by hand. Archives come from the link commands, headers from the compiler's dependencies, and shared libraries
from the programs; each belongs to the Debian package that owns the file. With VSIX, the packages of the extension's notices are added.
Fails on a package without a licence here or without a paragraph in packaging/copyright. The time is SOURCE_DATE_EPOCH.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ("bin/tikc", "bin/tikc-verify")
LIBRARY = re.compile(r"libtikc\.so\.\d+")
# Debian's source package: its licence, and where packaging/copyright speaks of it.
LICENCES = {
    "antlr4-cpp-runtime": ("BSD-3-Clause", "antlr4-runtime"),
    "cli11": ("BSD-3-Clause", "CLI11"),
    "fmtlib": ("MIT", "fmt"),
    "gcc-12": ("GPL-3.0-or-later WITH GCC-exception-3.1", "gcc"),
    "glibc": ("LGPL-2.1-or-later", None),
    "gmp": ("LGPL-3.0-or-later OR GPL-2.0-or-later", "gmp"),
    "llvm-toolchain-19": ("Apache-2.0 WITH LLVM-exception", "llvm"),
    "libzstd": ("BSD-3-Clause", "zstd"),
    "minizip": ("Zlib", "minizip"),
    "mpfi": ("LGPL-2.1-or-later", "mpfi"),
    "mpfr4": ("LGPL-3.0-or-later", "mpfr"),
    "yaml-cpp": ("MIT", "yaml-cpp"),
    "zlib": ("Zlib", "zlib"),
}
# Of these no code is in a program: the kernel's headers say how it is called, the C library's what it is called.
INTERFACES = {"linux", "glibc"}


def output(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}).stdout


def owners(paths):
    """The Debian packages of files: {(binary package, source package, version, architecture)}."""
    # Where /lib is a link to /usr/lib, a package may have listed a file by either.
    names = {os.path.realpath(path): os.path.realpath(path) for path in paths}
    names |= {name.removeprefix("/usr"): name for name in names}
    said = subprocess.run(["dpkg-query", "-S", *names], capture_output=True, text=True).stdout
    found = {names[path]: package.split(",")[0] for package, path in re.findall(r"(?m)^([^ ].*?): (/.*)$", said) if path in names}
    if missing := set(names.values()) - found.keys():
        sys.exit(f"of no Debian package: {sorted(missing)}")
    facts = output("dpkg-query", "-W", "-f", "${Package}\t${source:Package}\t${Version}\t${Architecture}\n", *sorted(set(found.values())))
    return {tuple(line.split("\t")) for line in facts.splitlines()}


def linked(build, program):
    """The archives outside of the build that a program is linked from, and the shared libraries that it names."""
    command = output("ninja", "-C", build, "-t", "commands", "-s", program).splitlines()[-1]
    archives = [word for word in command.split() if re.match(r"/.*\.a$", word)]
    compiler = re.search(r"\S*(?:c\+\+|g\+\+|clang\+\+)\S*", command)[0]
    archives += [output(compiler, f"-print-file-name=lib{name}.a").strip() for name in re.findall(r"-static-lib(stdc\+\+|gcc)", command)]
    shared = re.findall(r"=> (/\S+)|^\s(/\S+)", output("ldd", build / program), re.M)
    return archives, [one or other for one, other in shared]


def read_headers(build):
    """Headers outside of the tree that sources of the programs include; templates and inline functions of them are in there."""
    headers = set()
    for block in output("ninja", "-C", build, "-t", "deps").split("\n\n"):
        target, _, rest = block.strip().partition(":")
        if target.startswith(("compiler/", "library/", "verifier/", "CMakeFiles/")):
            headers.update(line.strip() for line in rest.splitlines()[1:] if line.strip().startswith("/usr/"))
    return headers


def debian_parts(build):
    """{(source package, …): relationship} of all that is in the programs, or that they load."""
    libraries = [f"lib/{each.name}" for each in sorted((build / "lib").iterdir()) if LIBRARY.fullmatch(each.name)]
    archives, shared = (set().union(*files) for files in zip(*(linked(build, program) for program in [*PROGRAMS, *libraries])))
    parts = {part: "CONTAINS" for part in owners(read_headers(build)) if part[1] not in INTERFACES}
    parts |= {part: "STATIC_LINK" for part in owners(archives)}
    return {part: "DYNAMIC_LINK" for part in owners(shared)} | parts


def identifier(text):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", text)


def package(name, version, licence, **more):
    return {"name": name, "SPDXID": identifier(name), "versionInfo": version, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION", **more}


def reference(purl):
    return {"externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}]}


def debian_package(name, source, version, architecture):
    licence, paragraph = LICENCES.get(source) or sys.exit(f"{source}, the source of {name}, has no licence in {Path(__file__).name}")
    if paragraph and f"\nFiles: {paragraph}/*\n" not in (ROOT / "packaging/copyright").read_text(encoding="utf-8"):
        sys.exit(f"packaging/copyright has no paragraph about {paragraph}")
    purl = f"pkg:deb/debian/{name}@{version.replace('+', '%2B').replace(':', '%3A').replace('~', '%7E')}?arch={architecture}"
    return package(name, version, licence, supplier="Organization: Debian", sourceInfo=f"Debian's source package {source}", **reference(purl))


def npm_packages(vsix):
    with zipfile.ZipFile(vsix) as archive:
        notices = archive.read("extension/ThirdPartyNotices.txt").decode()
    for name, version, licence in re.findall(r"(?m)^---- (\S+) (\S+) \((.+)\)$", notices):
        yield package(name, version, licence, **reference(f"pkg:npm/{name.replace('@', '%40')}@{version}"))


def document(build, version, vsix):
    tikc = package("tikc", version, "Apache-2.0", primaryPackagePurpose="APPLICATION")
    packages, relations = [tikc], [("SPDXRef-DOCUMENT", "DESCRIBES", tikc)]
    for part, kind in sorted(debian_parts(build).items()):
        packages.append(debian_package(*part))
        relations.append((tikc["SPDXID"], kind, packages[-1]))
    if vsix:
        extension = package("kernel-contracts", version, "Apache-2.0", primaryPackagePurpose="APPLICATION")
        bundled = list(npm_packages(vsix))
        packages += [extension, *bundled]
        relations += [("SPDXRef-DOCUMENT", "DESCRIBES", extension), *((extension["SPDXID"], "CONTAINS", each) for each in bundled)]
    content = {"packages": packages, "relationships": [
        {"spdxElementId": whose, "relationshipType": kind, "relatedSpdxElement": each["SPDXID"]} for whose, kind, each in relations]}
    digest = hashlib.sha256(json.dumps(content).encode()).hexdigest()
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"])))
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"tikc-{version}",
            "documentNamespace": f"https://spdx.org/spdxdocs/tikc-{version}-{digest}",
            "creationInfo": {"created": created, "creators": ["Organization: The tikc authors", f"Tool: tikc-sbom-{version}"]}, **content}


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    if not re.fullmatch("[0-9]+", epoch := os.environ.get("SOURCE_DATE_EPOCH", "")):
        sys.exit(f"SOURCE_DATE_EPOCH is a number of seconds, and not '{epoch}'")
    json.dump(document(Path(sys.argv[1]), sys.argv[2], *(sys.argv[3:] or [None])), sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
