-- Three servers on one buffer: ruff and pyright say theirs, we say ours, and positions hold although pyright counts columns in UTF-16.
local d = require('drive')

vim.lsp.config('pyright', { cmd = { 'pyright-langserver', '--stdio' }, filetypes = { 'python' }, root_markers = { '.git' },
  settings = { python = { analysis = {} } } })
vim.lsp.config('ruff', { cmd = { 'ruff', 'server' }, filetypes = { 'python' }, root_markers = { '.git' } })
vim.lsp.enable({ 'pyright', 'ruff', 'pallas_lsp' })
d.open('beside.py')
d.await('three servers', function() return #vim.lsp.get_clients({ bufnr = 0 }) == 3 end)

local function codes(source)
  return vim.tbl_map(function(f) return f.code end, d.findings(source))
end
d.await("ruff's finding", function() return vim.tbl_contains(codes('Ruff'), 'F401') end)
d.await("pyright's finding", function() return vim.tbl_contains(codes('Pyright'), 'reportAssignmentType') end)
d.await('ours', function() return vim.deep_equal(codes(), { 'sc-get-noncore-memory' }) end)
local f = d.findings()[1]
d.check('ours in its place', vim.api.nvim_buf_get_text(0, f.lnum, f.col, f.end_lnum, f.end_col, {})[1] == 'x_hbm[...]', f)

-- Hovers of several servers stand below one another: ours says nothing where there is nothing of Pallas.
local function hover(at, holds)
  d.go(at)
  vim.lsp.buf.hover()
  d.await('hover on ' .. at, function()
    local text = d.float()
    return text and holds(text)
  end)
  d.close_floats()
end
hover('x_hbm, o_hbm', function(text) return text:find('Ref in HBM', 1, true) and text:find('(parameter) x_hbm', 1, true) end)
hover('count', function(text) return text:find('(variable) count: int', 1, true) and not text:find('pallas_lsp', 1, true) end)

vim.lsp.inlay_hint.enable(true, { bufnr = 0 })
d.await('inlay hints', function() return vim.tbl_contains(d.hints(), ': HBM f32[16]') end)

d.go('x_hbm[...]')
vim.lsp.buf.code_action({ apply = true, filter = function(a) return a.title:find('(sync_copy)', 1, true) end })
d.await('staging applied', function() return d.text():find('buf[...] = x_hbm_vmem[...] * 2.0\n', 1, true) end)
d.await('ours is gone', function() return #d.findings() == 0 end)
d.await("the others' are not", function() return vim.tbl_contains(codes('Ruff'), 'F401') and vim.tbl_contains(codes('Pyright'), 'reportAssignmentType') end)
vim.cmd('silent write')
