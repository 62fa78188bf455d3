-- What the scripts for Neovim share: waiting for what a person would see.
local M = { source = 'pallas-lsp' }

-- Two minutes are no measure of speed, only the time after which nothing is expected to come.
function M.await(what, see)
  local seen
  local ok = vim.wait(120000, function()
    seen = see()
    return seen
  end, 20)
  assert(ok, 'not seen: ' .. what)
  print('ok: ' .. what)
  return seen
end

-- check says what held; what did not is the error.
function M.check(what, holds, got)
  assert(holds, 'not so: ' .. what .. '\n' .. vim.inspect(got))
  print('ok: ' .. what)
end

function M.open(path)
  vim.cmd('filetype on')
  vim.cmd.edit(path)
end

-- findings of a source in this buffer; of ours when none is named.
function M.findings(source)
  return vim.tbl_filter(function(d)
    return d.source == (source or M.source)
  end, vim.diagnostic.get(0))
end

function M.text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
end

-- go puts the cursor on the first place where text stands.
function M.go(text)
  for i, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local from = line:find(text, 1, true)
    if from then
      return vim.api.nvim_win_set_cursor(0, { i, from - 1 })
    end
  end
  error('no such text: ' .. text)
end

-- float is what the floating window shows.
function M.float()
  for _, w in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(w).relative ~= '' then
      return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(w), 0, -1, false), '\n')
    end
  end
end

function M.close_floats()
  for _, w in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(w).relative ~= '' then
      vim.api.nvim_win_close(w, true)
    end
  end
end

-- hints are the labels of inlay hints.
function M.hints()
  local out = {}
  for _, h in ipairs(vim.lsp.inlay_hint.get({ bufnr = 0 })) do
    out[#out + 1] = h.inlay_hint.label
  end
  return out
end

return M
