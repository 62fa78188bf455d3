---@brief
---
--- `pallas-lsp` finds mistakes in JAX Pallas kernels while they are typed: loads from memory that a core can't load from, copies that nobody waits
--- for, blocks that Mosaic does not take. It reads Python and never runs it, and works beside pyright, ty or ruff.
---
--- `pip install pallas-lsp`, or put the binary on the PATH.
---
--- `:LspPallasExplain` shows the page of the finding under the cursor.
---
--- Settings are those of `[tool.pallas-lsp]` in pyproject.toml:
---
--- ```lua
--- vim.lsp.config('pallas_lsp', {
---   settings = {
---     ['pallas-lsp'] = { chip = 'v5e', hints = { copies = false } },
---   },
--- })
--- ```

---@param bufnr integer
---@return string? name of the finding's rule: the one that the cursor is in, else the nearest of the line
local function finding_at_cursor(bufnr)
  local row, col = unpack(vim.api.nvim_win_get_cursor(0))
  local best, distance
  for _, d in ipairs(vim.diagnostic.get(bufnr, { lnum = row - 1 })) do
    if d.source == 'pallas-lsp' then
      local to_end = d.end_lnum == d.lnum and col - d.end_col + 1 or 0
      local away = math.max(d.col - col, to_end, 0)
      if not best or away < distance then
        best, distance = d.code, away
      end
    end
  end
  return best
end

---@param name string
---@param page string in Markdown
local function show_page(name, page)
  vim.cmd.new()
  local buf = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, vim.split(vim.trim(page), '\n'))
  vim.bo[buf].buftype = 'nofile'
  vim.bo[buf].bufhidden = 'wipe'
  vim.bo[buf].filetype = 'markdown'
  vim.bo[buf].modifiable = false
  vim.api.nvim_buf_set_name(buf, 'pallas-lsp://' .. buf .. '/' .. name)
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = buf, desc = 'Close the explanation' })
end

---@param client vim.lsp.Client
---@param bufnr integer
local function explain(client, bufnr)
  local name = finding_at_cursor(bufnr)
  if not name then
    return vim.notify('pallas-lsp: no finding in this line', vim.log.levels.INFO)
  end
  local function answer(err, result)
    if err then
      return vim.notify('pallas-lsp: ' .. err.message, vim.log.levels.ERROR)
    end
    show_page(name, result.markdown)
  end
  if vim.fn.has('nvim-0.11') == 1 then
    client:request('pallas-lsp/explain', { name = name }, answer, bufnr)
  else
    client.request('pallas-lsp/explain', { name = name }, answer, bufnr)
  end
end

---@type vim.lsp.Config
return {
  cmd = { 'pallas-lsp', 'serve' },
  filetypes = { 'python' },
  root_markers = { 'pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', '.git' },
  on_attach = function(client, bufnr)
    vim.api.nvim_buf_create_user_command(bufnr, 'LspPallasExplain', function()
      explain(client, bufnr)
    end, { desc = 'Explain the pallas-lsp finding under the cursor' })
  end,
}
