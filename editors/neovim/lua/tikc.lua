-- Starts the server on versions of Neovim that do not start it themselves, and shows its long answers.
local M = {}

local warned = false
local started = {} -- by folder; a starting server is not yet among Neovim's active clients

--- Returns the configuration of lsp/tikc.lua with the user's settings from vim.lsp.config or vim.g.tikc.
local function configuration()
  if vim.lsp.config then
    return vim.lsp.config.tikc
  end
  local file = vim.api.nvim_get_runtime_file("lsp/tikc.lua", false)[1]
  return vim.tbl_deep_extend("force", dofile(file), vim.g.tikc or {})
end

local function root(path, markers)
  local folder = vim.fn.fnamemodify(path, ":p:h")
  for _, marker in ipairs(markers) do
    local at = folder
    while true do
      if vim.fn.getftype(at .. "/" .. marker) ~= "" then
        return at
      end
      local above = vim.fn.fnamemodify(at, ":h")
      if above == at then
        break
      end
      at = above
    end
  end
  return folder
end

local function has_program(config)
  if type(config.cmd) ~= "table" or vim.fn.executable(config.cmd[1]) == 1 then
    return true
  end
  if not warned then
    warned = true
    local set = vim.lsp.config and "vim.lsp.config('tikc', { cmd = { '/path/to/tikc', 'lsp' } })"
      or "vim.g.tikc = { cmd = { '/path/to/tikc', 'lsp' } }"
    vim.notify(("`%s` is not installed or not on PATH; set its location with %s"):format(config.cmd[1], set), vim.log.levels.WARN)
  end
  return false
end

--- Attaches a buffer to its folder's server.
function M.attach(buffer)
  local config = configuration()
  if not has_program(config) or vim.lsp.enable then
    return
  end
  config = vim.tbl_extend("force", config, { name = "tikc", root_dir = root(vim.api.nvim_buf_get_name(buffer), config.root_markers) })
  local id = started[config.root_dir]
  if not (id and vim.lsp.get_client_by_id(id)) then
    config.capabilities = vim.tbl_deep_extend("force", vim.lsp.protocol.make_client_capabilities(), config.capabilities or {})
    id = vim.lsp.start_client(config)
    started[config.root_dir] = id
  end
  if id then
    vim.lsp.buf_attach_client(buffer, id)
  end
end

local function page(title, text)
  vim.cmd("botright new")
  local buffer = vim.api.nvim_get_current_buf()
  vim.bo[buffer].buftype, vim.bo[buffer].bufhidden, vim.bo[buffer].swapfile = "nofile", "wipe", false
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(text, "\n"))
  vim.api.nvim_buf_set_name(buffer, ("%s %d"):format(title, buffer))
  vim.bo[buffer].modifiable = false
end

--- Runs a command of the server on the contract or claim at the cursor, or on the nearest claim above, and shows the answer.
function M.show(command)
  local buffer = vim.api.nvim_get_current_buf()
  local position = { line = vim.api.nvim_win_get_cursor(0)[1] - 1, character = 0 }
  local place = { textDocument = { uri = vim.uri_from_bufnr(buffer) }, position = position }
  vim.lsp.buf_request(buffer, "workspace/executeCommand", { command = command, arguments = { place } }, function(fault, answer)
    if fault then
      vim.notify(fault.message, vim.log.levels.WARN)
    elseif type(answer) == "string" then
      page(command, answer)
    end
  end)
end

return M
