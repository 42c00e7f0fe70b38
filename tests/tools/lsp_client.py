"""A client of the language server protocol, as small as it can be: what it sends and receives is what is tested."""
import copy
import json
import subprocess
import threading
from queue import Queue

from harness import PATIENCE, TIKC
from lsp_metamodel import judge


class Client:
    """Talks to `tikc lsp`. Every message of both sides is kept in `messages` as (from_client, message), and at the end held against the
    protocol's meta-model where that is at hand."""

    def __init__(self, command=None, cwd=None):
        self.process = subprocess.Popen(
            command or [TIKC, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=cwd
        )
        self.messages = []
        self.wrong = set()  # numbers of those that are wrong on purpose
        self.last_id = 0
        self.arrived = Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        while (message := self._next()) is not None:
            self.messages.append((False, copy.deepcopy(message)))  # a test may change what it was given
            self.arrived.put(message)
        self.arrived.put(None)

    def _next(self):
        size = None
        while (line := self.process.stdout.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                size = int(value)
        return None if size is None else json.loads(self.process.stdout.read(size))

    def send(self, message, wrong=False):
        message = {"jsonrpc": "2.0", **message}
        if wrong:
            self.wrong.add(len(self.messages))
        self.messages.append((True, copy.deepcopy(message)))
        content = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
        self.process.stdin.flush()

    def receive(self, timeout=PATIENCE):
        """The next message; None at the end of the output."""
        return self.arrived.get(timeout=timeout)

    def answer(self, message):
        """To a request of the server, by a client that has nothing to say."""
        is_configuration = message["method"] == "workspace/configuration"
        self.send({"id": message["id"], "result": [None] * len(message["params"]["items"]) if is_configuration else None})

    def notify(self, method, params=None):
        self.send({"method": method} if params is None else {"method": method, "params": params})

    def request(self, method, params=None, meanwhile=None):
        """The result. Other messages that come first are given to `meanwhile`; requests of the server are answered."""
        self.last_id += 1
        self.send({"id": self.last_id, "method": method} | ({} if params is None else {"params": params}))
        while (message := self.receive()) is not None:
            if "method" not in message and message.get("id") == self.last_id:
                if "error" in message:
                    raise RuntimeError(message["error"])
                return message["result"]
            if "id" in message and "method" in message:
                self.answer(message)
            if meanwhile:
                meanwhile(message)
        raise EOFError(method)

    def wait_for(self, method, wanted=lambda params: True):
        """The parameters of the next notification of that name that is wanted."""
        while (message := self.receive()) is not None:
            if "id" in message and "method" in message:
                self.answer(message)
            if message.get("method") == method and wanted(message["params"]):
                return message["params"]
        raise EOFError(method)

    def start(self, capabilities=None, **params):
        result = self.request(
            "initialize", {"processId": None, "rootUri": None, "capabilities": capabilities or {}, **params}
        )
        self.notify("initialized", {})
        return result

    def open(self, uri, text, version=1):
        item = {"uri": uri, "languageId": "tikc", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def stop(self):
        """The exit status."""
        self.request("shutdown")
        self.notify("exit")
        self.process.stdin.close()
        status = self.process.wait(timeout=PATIENCE)
        self.reader.join(timeout=PATIENCE)
        self.process.stdout.close()
        judge(list(self.messages), self.wrong)
        return status
