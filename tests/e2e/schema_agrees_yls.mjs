// yaml-language-server judges structure by the schema as `tikc check` does, and completes and explains from it with no tikc at hand.

import { spawn, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL, fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const peers = process.env.TIKC_PEERS ?? path.join(root, "build/peers");
const server = path.join(peers, "node_modules/yaml-language-server/bin/yaml-language-server");
if (!existsSync(server)) {
  console.log("skipped: yaml-language-server is not installed in build/peers");
  process.exit(77);
}

class Client {
  constructor() {
    this.child = spawn(process.execPath, [server, "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
    this.buffer = Buffer.alloc(0);
    this.next = 1;
    this.waiting = new Map();
    this.diagnostics = new Map();
    this.child.stdout.on("data", (data) => this.read(data));
  }

  send(message) {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  request(method, params) {
    const id = this.next++;
    this.send({ id, method, params });
    return new Promise((resolve) => this.waiting.set(id, resolve));
  }

  notify(method, params) {
    this.send({ method, params });
  }

  read(data) {
    this.buffer = Buffer.concat([this.buffer, data]);
    for (;;) {
      const head = this.buffer.indexOf("\r\n\r\n");
      if (head < 0) return;
      const size = Number(/Content-Length: (\d+)/i.exec(this.buffer.subarray(0, head).toString())[1]);
      if (this.buffer.length < head + 4 + size) return;
      const message = JSON.parse(this.buffer.subarray(head + 4, head + 4 + size).toString());
      this.buffer = this.buffer.subarray(head + 4 + size);
      this.handle(message);
    }
  }

  handle(message) {
    if (message.method === "workspace/configuration") {
      this.send({ id: message.id, result: message.params.items.map((item) => settings(item.section)) });
    } else if (message.method === "textDocument/publishDiagnostics") {
      this.diagnostics.get(message.params.uri)?.(message.params.diagnostics);
    } else if (message.id !== undefined && message.method) {
      this.send({ id: message.id, result: null });
    } else if (message.id !== undefined) {
      this.waiting.get(message.id)?.(message);
      this.waiting.delete(message.id);
    }
  }

  open(uri, text) {
    const published = new Promise((resolve) => this.diagnostics.set(uri, resolve));
    this.notify("textDocument/didOpen", { textDocument: { uri, languageId: "yaml", version: 1, text } });
    return published;
  }

  close(uri) {
    this.diagnostics.delete(uri);
    this.notify("textDocument/didClose", { textDocument: { uri } });
  }
}

const schema = pathToFileURL(path.join(root, "schemas/kernel-contract.v1.schema.json")).href;
const settings = (section) =>
  section === "yaml"
    ? { validate: true, hover: true, completion: true, yamlVersion: "1.2", schemaStore: { enable: false }, schemas: { [schema]: "*.tikc.yaml" } }
    : {};

const cases = JSON.parse(
  execFileSync(process.env.TIKC_PYTHON ?? "/usr/bin/python3", [path.join(root, "tests/tools/structure_cases.py")], { maxBuffer: 1 << 26, env: process.env }).toString(),
);
const faults = [];
const client = new Client();
await client.request("initialize", {
  processId: process.pid,
  rootUri: pathToFileURL(root).href,
  capabilities: {
    workspace: { configuration: true },
    textDocument: { completion: { completionItem: { snippetSupport: true, documentationFormat: ["markdown"] } }, hover: { contentFormat: ["markdown"] } },
  },
});
client.notify("initialized", {});
client.notify("workspace/didChangeConfiguration", { settings: { yaml: settings("yaml") } });

let rejected = 0;
const judge = async (one) => {
  const uri = pathToFileURL(one.path).href;
  const found = (await client.open(uri, one.text)).filter((each) => (each.source ?? "").startsWith("yaml-schema"));
  client.close(uri);
  rejected += found.length > 0;
  if ((found.length === 0) !== one.accepted)
    faults.push(`${one.name}\n  tikc: ${one.codes}\n  schema: ${found.slice(0, 2).map((each) => each.message)}`);
};
// The server waits a while after each change; many at once share the wait.
for (let first = 0; first < cases.length; first += 40) await Promise.all(cases.slice(first, first + 40).map(judge));
if (rejected === 0) faults.push("the server rejected nothing: does it see the schema?");

const text = `tikc: v1
contract: rollout
version: 1.0.0
kernels:
  trainer:
    engine: fsdp2
    weights: 
pair: { train: trainer, infer: rollout }
model: { horizon: 4096 tokens }
numerical:
  drift: max(tv) <= 1
claims:
  tv: mean(tv) <= 1
`;
const sample = pathToFileURL(path.join(root, "sample.tikc.yaml")).href;
await client.open(sample, text);

const at = (line, character) => ({ textDocument: { uri: sample }, position: { line, character } });
const hover = async (what, line, character, ...wanted) => {
  const { result } = await client.request("textDocument/hover", at(line, character));
  const contents = result?.contents?.value ?? JSON.stringify(result?.contents ?? "");
  for (const each of wanted) if (!contents.includes(each)) faults.push(`hover on ${what} lacks "${each}": ${contents.slice(0, 300)}`);
};
const complete = async (what, line, character, ...wanted) => {
  const { result } = await client.request("textDocument/completion", at(line, character));
  const labels = (result?.items ?? result ?? []).map((item) => item.label);
  for (const each of wanted) if (!labels.includes(each)) faults.push(`completion of ${what} lacks "${each}": ${labels.slice(0, 40)}`);
};
await hover("kernels", 3, 2, "The programs that evaluate the policy");
await hover("engine", 5, 6, "vllm");
await hover("horizon", 8, 12, "The length of the longest response");
await hover("a clause", 10, 4, "logit_osc", "p99");
await hover("a claim", 12, 3, "reward_drift");
await complete("a top key", 13, 0, "escalation", "promotion", "slices");
await complete("a number format", 6, 13, "bf16", "fp8_e4m3");

await client.request("shutdown", null);
client.notify("exit");
console.log(faults.join("\n"));
console.log(`${cases.length - rejected} accepted and ${rejected} rejected, ${faults.length} faults`);
process.exit(faults.length ? 1 : 0);
