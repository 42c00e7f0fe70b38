if vim.g.loaded_tikc then
  return
end
vim.g.loaded_tikc = true

local tikc = require("tikc")
if vim.lsp.enable then
  vim.lsp.enable("tikc")
end
vim.api.nvim_create_autocmd("FileType", {
  pattern = "tikc",
  callback = function(event)
    tikc.attach(event.buf)
  end,
})
vim.api.nvim_create_user_command("TikcDiff", function()
  tikc.show("tikc.diff")
end, { desc = "What changed in this contract since HEAD" })
vim.api.nvim_create_user_command("TikcExplain", function()
  tikc.show("tikc.explain")
end, { desc = "Why the claims of this contract follow" })
vim.api.nvim_create_user_command("TikcSolve", function()
  tikc.show("tikc.solve")
end, { desc = "The largest tolerances with which the claim at the cursor follows" })
