-- What `vim.lsp.enable("tikc")` starts; Neovim reads this file from 0.11 on, lua/tikc.lua does before.
return {
  cmd = { "tikc", "lsp" },
  filetypes = { "tikc" },
  root_markers = { "tikc.yaml", ".git" },
  -- What is not in the protocol: :TikcExplain and :TikcSolve show what commands answer.
  capabilities = { experimental = { tikc = { showsResults = true } } },
  settings = { tikc = { inlayHints = true, codeLenses = true } },
}
