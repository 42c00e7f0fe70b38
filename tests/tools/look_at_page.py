"""Looks at pages in headless Chromium: pictures at three widths in light and in dark, a print, what axe finds, and what they ask the network for.

    tests/tools/look_at_page.py PAGE... --to DIR [--axe build/peers/node_modules/axe-core/axe.min.js]

Writes DIR/PAGE-WIDTH-SCHEME.png and DIR/PAGE.pdf. The exit status is 1 where something is wrong with a page: a request that leaves it, something that
axe finds, a script that ran, or a page that is wider than its window. No test runs this, as a browser is large: who changes what pages look like does.
"""

import argparse
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

WIDTHS = (400, 900, 1600)
SCHEMES = ("light", "dark")


class Browser:
    """Chromium by the pipes of its own protocol."""

    def __init__(self, program):
        self.profile = tempfile.TemporaryDirectory()
        to_read, self.to = os.pipe()
        self.source, from_write = os.pipe()

        def connect():
            # Pipes may have these numbers already.
            safe = [os.dup(to_read), os.dup(from_write)]
            os.dup2(os.dup(safe[0]), 3)
            os.dup2(safe[1], 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}",
             "--hide-scrollbars", "--force-device-scale-factor=1", "about:blank"],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.buffer, self.count, self.events = b"", 0, []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime"):
            self.of_page(f"{domain}.enable")

    def message(self):
        while b"\0" not in self.buffer:
            part = os.read(self.source, 1 << 16)
            if not part:
                raise RuntimeError("Chromium went away")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def ask(self, method, session=None, **parameters):
        self.count += 1
        asked = {"id": self.count, "method": method, "params": parameters, **({"sessionId": session} if session else {})}
        os.write(self.to, json.dumps(asked).encode() + b"\0")
        while True:
            told = self.message()
            if told.get("id") == self.count:
                if "error" in told:
                    raise RuntimeError(f"{method}: {told['error']['message']}")
                return told["result"]
            self.events.append(told)

    def of_page(self, method, **parameters):
        return self.ask(method, self.session, **parameters)

    def evaluate(self, text):
        told = self.of_page("Runtime.evaluate", expression=text, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in told:
            raise RuntimeError(told["exceptionDetails"]["text"])
        return told["result"].get("value")

    def open(self, path):
        self.events = []
        self.of_page("Page.navigate", url=path.resolve().as_uri())
        while not any(each.get("method") == "Page.loadEventFired" for each in self.events):
            self.events.append(self.message())

    def close(self):
        self.ask("Browser.close")
        self.process.wait(30)
        self.profile.cleanup()


def look(browser, page, to, axe):
    """What is wrong with it."""
    faults = []
    for width in WIDTHS:
        for scheme in SCHEMES:
            browser.of_page("Emulation.setDeviceMetricsOverride", width=width, height=1000, deviceScaleFactor=1, mobile=False)
            browser.of_page("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            browser.open(page)
            where = f"{page.name} at {width} px, {scheme}"
            asked = [each["params"]["request"]["url"] for each in browser.events if each.get("method") == "Network.requestWillBeSent"]
            faults += [f"{where}: asks for {each}" for each in asked if each != page.resolve().as_uri()]
            shown = browser.of_page("Page.captureScreenshot", format="png", captureBeyondViewport=True)
            (to / f"{page.stem}-{width}-{scheme}.png").write_bytes(base64.b64decode(shown["data"]))
            if (wide := browser.evaluate("document.documentElement.scrollWidth")) > width:
                faults.append(f"{where}: is {wide} px wide")
            if browser.evaluate("[...document.scripts].some(each => each.type != 'application/json')"):
                faults.append(f"{where}: has scripts")
            if axe:
                browser.of_page("Page.setBypassCSP", enabled=True)
                browser.evaluate(axe + ";0")
                for each in browser.evaluate("axe.run().then(found => found.violations.map(one => one.id + ': ' + one.help + ': ' + one.nodes.slice(0, 3).map("
                                             "node => node.html.slice(0, 160)).join(' | ')))"):
                    faults.append(f"{where}: {each}")
                browser.of_page("Page.setBypassCSP", enabled=False)
    browser.of_page("Emulation.setEmulatedMedia", features=[])
    browser.open(page)
    (to / f"{page.stem}.pdf").write_bytes(base64.b64decode(browser.of_page("Page.printToPDF", printBackground=True)["data"]))
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pages", nargs="+", type=Path)
    parser.add_argument("--to", type=Path, required=True, help="the folder that pictures go to")
    parser.add_argument("--axe", type=Path, help="axe.min.js of axe-core")
    parser.add_argument("--chromium", default=shutil.which("chromium") or shutil.which("google-chrome"))
    words = parser.parse_args()
    if not words.chromium:
        sys.exit("there is no chromium: install it, or name it with --chromium")
    words.to.mkdir(parents=True, exist_ok=True)
    for page in words.pages:
        if not page.is_file():
            sys.exit(f"{page}: there is no such file")
    browser = Browser(words.chromium)
    faults = []
    for page in words.pages:
        faults += look(browser, page, words.to, words.axe.read_text() if words.axe else None)
    browser.close()
    for each in faults:
        print(each)
    print(f"{len(words.pages)} pages, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
