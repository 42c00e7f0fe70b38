#!/usr/bin/python3
"""Build the wheel, for pip (PEP 517) or by hand: `wheels.py BUILD [FOLDER]`.

The wheel bundles libtikc, from TIKC_LIBRARY or build/release, and the libraries that it loads and a system may lack. Builds are reproducible.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
IS_SDIST = (HERE / "PKG-INFO").exists()
TAG = f"py3-none-linux_{platform.machine()}"
EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest date that a zip archive can hold
METADATA = """Metadata-Version: 2.1
Name: tikc
Version: {version}
Summary: {summary}
License: Apache-2.0
License-File: LICENSE
License-File: copyright
Requires-Python: >=3.9
Provides-Extra: arrays
Requires-Dist: numpy; extra == "arrays"
Description-Content-Type: text/markdown

{readme}"""
WHEEL = f"Wheel-Version: 1.0\nGenerator: tikc\nRoot-Is-Purelib: false\nTag: {TAG}\n"


def version() -> str:
    if IS_SDIST:
        return re.search(r"^Version: (.*)$", (HERE / "PKG-INFO").read_text(), re.M)[1]
    return re.search(r"^project\(\s*tikc\s+VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(), re.M)[1]


def beside(name: str) -> bytes:
    """Return a file of the repository, which an sdist has in its top folder."""
    return (HERE / Path(name).name if IS_SDIST else ROOT / name).read_bytes()


def summary() -> str:
    return re.search(r'^description = "(.*)"$', (HERE / "pyproject.toml").read_text(), re.M)[1]


def library() -> Path:
    named = os.environ.get("TIKC_LIBRARY")
    found = Path(named) if named else ROOT / "build/release/lib/libtikc.so"
    if not found.exists():
        how = "set TIKC_LIBRARY to the path of libtikc, which an sdist does not include" if IS_SDIST else "run `make wheel` to build it, or set TIKC_LIBRARY"
        raise SystemExit(f"{found} not found: {how}")
    return found.resolve()


def bundled() -> list[str]:
    """Return the libraries that the package loads before libtikc."""
    words = re.search(r"^BUNDLED = \((.*?)\)", (HERE / "tikc/_library.py").read_text(), re.M)[1]
    return re.findall(r'"([^"]+)"', words)


def loaded_by(path: Path) -> dict[str, Path]:
    done = subprocess.run(["ldd", str(path)], capture_output=True, text=True, check=True)
    return {name: Path(at) for name, at in re.findall(r"^\s*(\S+) => (/\S+)", done.stdout, re.M)}


def stripped(path: Path) -> bytes:
    if not shutil.which("objcopy"):
        return path.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / path.name
        subprocess.run(["objcopy", "--strip-unneeded", str(path), str(out)], check=True)
        return out.read_bytes()


def libraries() -> dict[str, bytes]:
    own = library()
    found = loaded_by(own)
    out = {f"tikc/lib/{own.name}": stripped(own)}
    for name in bundled():
        if name in found:
            out[f"tikc/lib/{name}"] = found[name].resolve().read_bytes()
    return out


def programs() -> dict[str, bytes]:
    """Return the program of the same build, if there is one."""
    found = library().parent.parent / "bin/tikc"
    return {"tikc/bin/tikc": stripped(found)} if found.exists() else {}


def entry_points() -> str:
    """Return the entry points of pyproject.toml, in the format of a wheel."""
    text = (HERE / "pyproject.toml").read_text()
    scripts = re.search(r"^\[project\.scripts\]\n(.*?)\n\n", text, re.M | re.S)[1]
    groups = re.search(r"^\[project\.entry-points\]\n(.*?)\n\n", text, re.M | re.S)[1]
    out = ["[console_scripts]", *(f"{name} = {value}" for name, value in re.findall(r'^(\S+) = "(.*)"$', scripts, re.M)), ""]
    for group, rows in re.findall(r'^"(.*)" = \{ (.*) \}$', groups, re.M):
        out += [f"[{group}]", *(f"{name} = {value}" for name, value in re.findall(r'(\S+) = "([^"]*)"', rows)), ""]
    return "\n".join(out)


def contents() -> dict[str, bytes]:
    own = sorted(path for path in (HERE / "tikc").rglob("*") if path.suffix == ".py" or path.name == "py.typed")
    out = {path.relative_to(HERE).as_posix(): path.read_bytes() for path in own}
    out |= libraries()
    out |= programs()
    info = f"tikc-{version()}.dist-info"
    out[f"{info}/LICENSE"] = beside("LICENSE")
    out[f"{info}/copyright"] = beside("packaging/copyright")
    out[f"{info}/METADATA"] = metadata().encode()
    out[f"{info}/entry_points.txt"] = entry_points().encode()
    out[f"{info}/WHEEL"] = WHEEL.encode()
    out[f"{info}/RECORD"] = record(out, f"{info}/RECORD")
    return out


def metadata() -> str:
    return METADATA.format(version=version(), summary=summary(), readme=(HERE / "README.md").read_text())


def record(files: dict[str, bytes], own: str) -> bytes:
    def line(name: str, data: bytes) -> str:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        return f"{name},sha256={digest},{len(data)}"

    return "\n".join([*(line(name, data) for name, data in files.items()), f"{own},,", ""]).encode()


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    name = f"tikc-{version()}-{TAG}.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, data in contents().items():
            entry = zipfile.ZipInfo(path, EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if path.startswith("tikc/bin/") else 0o100644) << 16
            archive.writestr(entry, data)
    return name


def sources() -> dict[str, bytes]:
    """Return the sources of a wheel, without libtikc, which needs a compiler."""
    own = [HERE / "pyproject.toml", HERE / "README.md", HERE / "wheels.py", *sorted(path for path in (HERE / "tikc").rglob("*") if path.suffix in (".py", ".typed"))]
    out = {path.relative_to(HERE).as_posix(): path.read_bytes() for path in own}
    return out | {"LICENSE": beside("LICENSE"), "copyright": beside("packaging/copyright"), "PKG-INFO": metadata().encode()}


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    name = f"tikc-{version()}"
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, data in sources().items():
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size, entry.mode = len(data), 0o644
            archive.addfile(entry, io.BytesIO(data))
    (Path(sdist_directory) / f"{name}.tar.gz").write_bytes(gzip.compress(packed.getvalue(), mtime=0))
    return f"{name}.tar.gz"


def get_requires_for_build_sdist(config_settings: object = None) -> list[str]:
    return []


def get_requires_for_build_wheel(config_settings: object = None) -> list[str]:
    return []


def main() -> None:
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: wheels.py BUILD [FOLDER]")
    folder = Path(sys.argv[-1])
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["TIKC_LIBRARY"] = str(Path(sys.argv[1]) / "lib/libtikc.so")
    print(folder / build_wheel(str(folder)))


if __name__ == "__main__":
    main()
