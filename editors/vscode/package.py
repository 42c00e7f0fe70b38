#!/usr/bin/python3
"""Writes the extension as a .vsix, which is a zip of its files and two lists of them; says where.

  editors/vscode/package.py [--output FILE]      by default build/editors/kernel-contracts-VERSION.vsix

Nothing is fetched: `.ci/setup editors` puts what is bundled into build/editors/vscode. The same sources give the same bytes.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MODULES = ROOT / "build/editors/vscode/node_modules"
TYPES = {".js": "application/javascript", ".json": "application/json", ".md": "text/markdown", ".txt": "text/plain", ".vsixmanifest": "text/xml"}
EXTENSION_KIND = "workspace"


def bundle(folder):
    """The client in one file; the names of the packages in it."""
    if not (MODULES / ".bin/esbuild").exists():
        sys.exit(f"there is no esbuild in {MODULES}: run .ci/setup editors")
    facts = folder / "facts.json"
    # `vscode` is what the editor itself provides.
    command = [MODULES / ".bin/esbuild", HERE / "src/extension.js", "--bundle", "--platform=node", "--target=node18", "--format=cjs",
               "--external:vscode", "--preserve-symlinks", "--minify-syntax", "--minify-whitespace", "--legal-comments=none", "--log-level=warning",
               f"--outfile={folder / 'extension.js'}", f"--metafile={facts}"]
    subprocess.run(command, check=True, cwd=HERE, env={**os.environ, "NODE_PATH": str(MODULES)})
    inputs = json.loads(facts.read_text(encoding="utf-8"))["inputs"]
    tails = [path.rsplit("node_modules/", 1)[1].split("/") for path in inputs if "node_modules/" in path]
    return (folder / "extension.js").read_bytes(), sorted({"/".join(tail[:2]) if tail[0].startswith("@") else tail[0] for tail in tails})


def notices(packages):
    """The licences of what is bundled, which ask to go with it."""
    parts = ["The extension contains these packages.\n"]
    for name in packages:
        facts = json.loads((MODULES / name / "package.json").read_text(encoding="utf-8"))
        texts = [path for path in sorted((MODULES / name).iterdir()) if path.name.lower().startswith("license")]
        if not texts:
            sys.exit(f"{name} comes without its licence")
        parts.append(f"\n---- {name} {facts['version']} ({facts['license']})\n\n{texts[0].read_text(encoding='utf-8').strip()}\n")
    return "".join(parts)


def manifest(package):
    properties = {"Code.Engine": package["engines"]["vscode"], "Code.ExtensionDependencies": "", "Code.ExtensionPack": "",
                  "Code.ExtensionKind": EXTENSION_KIND, "Code.LocalizedLanguages": "", "Code.EnabledApiProposals": "", "Code.ExecutesCode": "true",
                  "Services.GitHubFlavoredMarkdown": "true", "Services.Content.Pricing": "Free"}
    assets = {"Code.Manifest": "package.json", "Services.Content.Details": "readme.md", "Services.Content.Changelog": "changelog.md",
              "Services.Content.License": "LICENSE.txt"}
    languages = package["contributes"]["languages"]
    names = {*package["keywords"], *(alias for language in languages for alias in language["aliases"])}
    tags = [*sorted(names), *("__ext_" + ending.replace(".", "") for language in languages for ending in language["extensions"])]
    rows = lambda template, pairs: "\n".join(template.format(quoteattr("Microsoft.VisualStudio." + k), quoteattr(v)) for k, v in pairs)  # noqa: E731
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011" xmlns:d="http://schemas.microsoft.com/developer/vsx-schema-design/2011">
  <Metadata>
    <Identity Language="en-US" Id={quoteattr(package['name'])} Version={quoteattr(package['version'])} Publisher={quoteattr(package['publisher'])} />
    <DisplayName>{escape(package['displayName'])}</DisplayName>
    <Description xml:space="preserve">{escape(package['description'])}</Description>
    <Tags>{escape(','.join(tags))}</Tags>
    <Categories>{escape(','.join(package['categories']))}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
{rows('      <Property Id={} Value={} />', properties.items())}
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
{rows('    <Asset Type={} Path={} Addressable="true" />', ((k, 'extension/' + v) for k, v in assets.items()))}
  </Assets>
</PackageManifest>
"""


def content_types(names):
    endings = sorted({Path(name).suffix for name in names} - {""})
    rows = "".join(f'<Default Extension="{ending}" ContentType="{TYPES[ending]}"/>' for ending in endings)
    return f'<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{rows}</Types>\n'


def files():
    package = json.loads((HERE / "package.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as name:
        code, packages = bundle(Path(name))
    shipped = {key: value for key, value in package.items() if key not in ("devDependencies", "private")}
    grammar = package["contributes"]["grammars"][0]["path"].removeprefix("./")
    out = {"extension.vsixmanifest": manifest(package)}
    out |= {"extension/" + name: content for name, content in {
        "package.json": json.dumps(shipped, indent=2, ensure_ascii=False) + "\n",
        "readme.md": (HERE / "README.md").read_text(encoding="utf-8"),
        "changelog.md": (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"),
        "LICENSE.txt": (ROOT / "LICENSE").read_text(encoding="utf-8"),
        "ThirdPartyNotices.txt": notices(packages),
        "language-configuration.json": (HERE / "language-configuration.json").read_text(encoding="utf-8"),
        grammar: (HERE / grammar).read_text(encoding="utf-8"),
        "dist/extension.js": code}.items()}
    return package, {"[Content_Types].xml": content_types(out), **out}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--output", type=Path)
    options = arguments.parse_args()
    package, contents = files()
    target = options.output or ROOT / f"build/editors/{package['name']}-{package['version']}.vsix"
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(target.name + ".part")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, content)
    shutil.move(partial, target)
    print(f"{target}: {len(contents)} files, {target.stat().st_size / 1024:.0f} KiB")


if __name__ == "__main__":
    main()
