"""The plugin in Neovim itself, without a window: a story of editing, and what it says where there is no tikc."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import PATIENCE, ROOT, TIKC, Case, main, skip_unless  # noqa: E402

skip_unless(shutil.which("nvim"), "Neovim is not installed")
PLUGIN = ROOT / "editors/neovim"

CONTRACT = """tikc: v1
contract: a
version: 1.0.0
kernels:
  trainer: { engine: fsdp2, weights: bf16 }
  rollout: { engine: vllm, weights: bf16 }
pair: { train: trainer, infer: rollout }
assumptions: { support: full }
numerical:
  drift: max(logit_ocs) <= 1
claims:
  token_tv: tv <= 0.5
observability:
  rows: sample(logits, 1%)
escalation:
  r: { when: violated(any), do: hold }
  s: { when: undecided(any) for 6 windows, do: hold }
"""


class Neovim(Case):
    def nvim(self, *arguments, path=None):
        environment = {**os.environ, "HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder),
                       "XDG_STATE_HOME": str(self.folder), "PATH": path or f"{self.folder}/bin:{os.environ['PATH']}"}
        return subprocess.run([shutil.which("nvim"), "--clean", "--headless", "--cmd", f"set runtimepath^={PLUGIN}", *arguments],
                              cwd=self.folder, env=environment, capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL)

    def link(self):
        (self.folder / "bin").mkdir()
        (self.folder / "bin/tikc").symlink_to(Path(TIKC).resolve())

    def test_the_story(self):
        self.link()
        self.write("work/a.tikc.yaml", CONTRACT)
        done = self.nvim("work/a.tikc.yaml", "-c", f"luafile {ROOT / 'tests/tools/neovim_story.lua'}")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("the story is told", done.stdout, done.stderr)

    def test_newer_neovim_starts_the_server_itself(self):
        # From 0.11 on a configuration is a file of the runtime path, and enabled by its name; the rest is Neovim's.
        new = (f"lua local config = dofile('{PLUGIN}/lsp/tikc.lua'); vim.lsp.config = {{ tikc = config }}; "
               "vim.lsp.enable = function(name) print('enabled ' .. name .. ' for ' .. vim.lsp.config[name].filetypes[1]) end")
        if self.nvim("-c", "lua if vim.lsp.enable then vim.cmd('cquit 1') end", "-c", "qall!").returncode:
            self.skipTest("Neovim is new")
        self.link()
        self.write("a.tikc.yaml", CONTRACT)
        done = self.nvim("--cmd", new, "a.tikc.yaml", "-c", "lua vim.wait(300); print(#vim.lsp.get_active_clients())", "-c", "qall!")
        self.assertEqual(done.stderr.strip(), "enabled tikc for tikc0")

    def test_one_server_a_folder(self):
        self.link()
        for name in ("one/a", "one/b", "two/c"):
            self.write(f"{name}.tikc.yaml", CONTRACT)
        for name in ("one", "two"):
            self.write(f"{name}/tikc.yaml", "")
        count = ("lua local clients = vim.lsp.get_clients or vim.lsp.get_active_clients; "
                 "vim.wait(20000, function() return #clients() == 2 end); vim.wait(300); print(#clients())")
        done = self.nvim("one/a.tikc.yaml", "one/b.tikc.yaml", "two/c.tikc.yaml", "-c", "silent bufdo edit", "-c", count, "-c", "qall!")
        self.assertEqual(done.stderr.split()[-1:], ["2"], done.stderr)

    def test_without_tikc_it_says_so_once(self):
        self.write("a.tikc.yaml", CONTRACT)
        self.write("b.tikc.yaml", CONTRACT)
        done = self.nvim("a.tikc.yaml", "-c", "edit b.tikc.yaml", "-c", "lua print(vim.bo.filetype)", "-c", "qall!", path="/usr/bin:/bin")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(re.findall("not on PATH", done.stderr)), 1, done.stderr)
        self.assertEqual(done.stderr.split()[-1], "tikc")

    def test_the_configuration_names_settings_that_the_server_reads(self):
        read = (ROOT / "compiler/lsp/session/Configure.cpp").read_text()
        documented = (PLUGIN / "README.md").read_text()
        names = re.findall(r'get(?:String|Boolean)\("(\w+)"\)', read)
        self.assertGreater(len(names), 2)
        for name in names:
            self.assertIn(f"| `{name}` |", documented)
        (settings,) = re.findall(r"settings = \{ tikc = \{(.*)\} \}", (PLUGIN / "lsp/tikc.lua").read_text())
        for name in re.findall(r"(\w+) =", settings):
            self.assertIn(name, names)


main()
