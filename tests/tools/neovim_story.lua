-- A story of editing, told in Neovim without a window: open, squiggle, fix, format, hover. What fails is said and ends the editor with 1.
local function fail(what)
  io.stdout:write("FAILED: " .. what .. "\n")
  vim.cmd("cquit 1")
end

local function check(condition, what)
  if not condition then
    fail(what)
  end
end

local function until_(what, holds)
  if not vim.wait(20000, holds, 10) then
    local seen = vim.tbl_map(function(each)
      return each.message
    end, vim.diagnostic.get(0))
    fail("waited in vain until " .. what .. "; seen: " .. table.concat(seen, " | "))
  end
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
end

local function squiggle(code)
  for _, each in ipairs(vim.diagnostic.get(0)) do
    local given = each.code or (each.user_data and each.user_data.lsp and each.user_data.lsp.code)
    if given == code then
      return each
    end
  end
end

local function server()
  for _, client in pairs((vim.lsp.get_clients or vim.lsp.get_active_clients)()) do
    if client.name == "tikc" then
      return client
    end
  end
end

local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000)
  check(answers, method .. " is not answered")
  local _, answer = next(answers)
  check(answer and not answer.error, method .. ": " .. vim.inspect(answer))
  return answer.result
end

local function story()
  check(vim.bo.filetype == "tikc", "the type is " .. vim.bo.filetype)
  check(vim.bo.shiftwidth == 2, "the indentation is two")
  until_("the server is there", function()
    return server() ~= nil and server().initialized ~= false
  end)
  local document = { uri = vim.uri_from_bufnr(0) }

  until_("the slip is seen", function()
    return squiggle("TK5001") ~= nil
  end)
  local slip = squiggle("TK5001")
  local line = vim.api.nvim_buf_get_lines(0, slip.lnum, slip.lnum + 1, false)[1]
  check(line:sub(slip.col + 1, slip.end_col) == "logit_ocs", "the squiggle is under " .. line:sub(slip.col + 1, slip.end_col))

  local range = { start = { line = slip.lnum, character = slip.col }, ["end"] = { line = slip.lnum, character = slip.end_col } }
  local actions = ask("textDocument/codeAction", { textDocument = document, range = range, context = { diagnostics = {}, only = { "quickfix" } } })
  check(actions and actions[1], "there is a fix")
  local action = actions[1]
  if not action.edit then
    action = ask("codeAction/resolve", action)
  end
  vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
  check(text():find("max%(logit_osc%)"), "the fix is applied")
  until_("it is mended", function()
    return squiggle("TK5001") == nil
  end)

  -- Typed, with characters of several units before it.
  local row = vim.fn.search("logit_osc", "nw") - 1
  vim.api.nvim_buf_set_lines(0, 1, 1, false, { "summary: 💡 Überschuß" })
  vim.api.nvim_buf_set_text(0, row + 1, 2, row + 1, 2, { "a: 'max(tv) <= 💡'", "  " })
  until_("what is typed is judged", function()
    return #vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }) > 0
  end)
  vim.cmd(("%ddelete"):format(row + 2))
  until_("it is forgotten", function()
    return #vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }) == 0
  end)

  vim.cmd([[%s/<= 1$/<=1/]])
  if vim.lsp.buf.format then
    vim.lsp.buf.format({ timeout_ms = 20000 })
  else
    vim.lsp.buf.formatting_sync(nil, 20000)
  end
  check(text():find("<= 1"), "it is formatted")

  vim.fn.search("logit_osc", "w")
  local hover = ask("textDocument/hover", vim.lsp.util.make_position_params(0, "utf-16"))
  check(hover and hover.contents.value:find("scillation"), "the metric is told: " .. vim.inspect(hover))
  vim.lsp.buf.hover()
  until_("a window opens", function()
    return #vim.api.nvim_list_wins() > 1
  end)

  vim.fn.search("token_tv", "w")
  vim.cmd("TikcExplain")
  until_("the page opens", function()
    return vim.api.nvim_buf_get_name(0):find("tikc.explain", 1, true) ~= nil
  end)
  check(text():find("token_tv"), "the page tells of the claim")

  vim.cmd("close")
  local said
  vim.notify = function(message)
    said = message
  end
  vim.cmd([[%s/max(logit_osc)/max(logit_ocs)/]])
  vim.fn.search("token_tv", "w")
  vim.cmd("TikcExplain")
  until_("it is said why there is no page", function()
    return said ~= nil
  end)
  check(said:find("the file has errors"), "for the errors: " .. said)

  io.stdout:write("the story is told\n")
  vim.cmd("qall!")
end

local ok, fault = xpcall(story, debug.traceback)
if not ok then
  fail(fault)
end
