-- One session of an author: the finding, its reasons and its explanation, a setting, a server that died, the fix, saved.
local d = require('drive')

vim.lsp.enable('pallas_lsp')
d.open('kernel.py')

local finding = d.await('the finding', function() return d.findings()[1] end)
d.check('its message', finding.message:find('`x_hbm` is in HBM; a SparseCore vector subcore can load only from', 1, true), finding)
d.check('its place', finding.severity == vim.diagnostic.severity.ERROR and finding.code == 'sc-get-noncore-memory'
  and vim.api.nvim_buf_get_text(0, finding.lnum, finding.col, finding.end_lnum, finding.end_col, {})[1] == 'x_hbm[...]', finding)

local related = finding.user_data.lsp.relatedInformation[1]
d.check('what it comes of', related.message:find('operands of pl.kernel', 1, true), related)
vim.lsp.util.show_document(related.location, 'utf-8', { focus = true })
d.check('the related place reached', vim.api.nvim_get_current_line():find('functools.partial', 1, true), vim.api.nvim_win_get_cursor(0))

d.go('x_hbm[...]')
vim.lsp.buf.hover()
d.await('hover explains', function()
  local text = d.float()
  return text and text:find('sc-get-noncore-memory', 1, true) and text:find('pltpu.', 1, true)
end)
d.close_floats()
d.go('x_hbm, o_hbm')
vim.lsp.buf.hover()
d.await('hover tells of a ref', function()
  local text = d.float()
  return text and text:find('Ref in HBM', 1, true)
end)
d.close_floats()

vim.cmd('LspPallasExplain')
d.await('the command says there is nothing in this line', function() return vim.fn.execute('messages'):find('no finding in this line', 1, true) end)
d.go('x_hbm[...]')
vim.cmd('LspPallasExplain')
d.await('the page of the finding', function()
  return vim.bo.filetype == 'markdown' and d.text():find('sc-get-noncore-memory', 1, true) and d.text():find('## The way out', 1, true)
end)
vim.cmd.normal('q')
d.check('closed', vim.bo.filetype == 'python', vim.bo.filetype)

vim.lsp.inlay_hint.enable(true, { bufnr = 0 })
d.await('inlay hints', function() return vim.tbl_contains(d.hints(), ': HBM f32[16]') and vim.tbl_contains(d.hints(), ': VMEM f32[16]') end)

-- A setting that is changed is obeyed without a restart.
local client = vim.lsp.get_clients({ name = 'pallas_lsp' })[1]
local function set(settings)
  client.settings = { ['pallas-lsp'] = settings }
  client:notify('workspace/didChangeConfiguration', { settings = client.settings })
end
set({ severity = { ['sc-get-noncore-memory'] = 'information' } })
d.await('a severity set', function() return (d.findings()[1] or {}).severity == vim.diagnostic.severity.INFO end)
set({ ignore = { 'sc-get-noncore-memory' } })
d.await('a rule ignored', function() return #d.findings() == 0 end)
set(vim.empty_dict())
d.await('and reported again', function() return #d.findings() == 1 end)

-- The server is killed; opening the file again starts another.
for _, pid in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
  if vim.api.nvim_get_proc(pid).name == 'pallas-lsp' then vim.uv.kill(pid, 'sigkill') end
end
d.await('the server died', function() return client:is_stopped() and #vim.lsp.get_clients() == 0 end)
vim.cmd.edit()
d.await('another found it again', function() return #vim.lsp.get_clients() == 1 and #d.findings() == 1 end)

-- The action, by its title, as a person picks it.
d.go('x_hbm[...]')
vim.lsp.buf.code_action({ apply = true, filter = function(a) return a.title:find('(sync_copy)', 1, true) end })
d.await('staging applied', function() return d.text():find('pltpu.sync_copy(x_hbm, x_hbm_vmem)', 1, true) end)
d.await('nothing found any more', function() return #d.findings() == 0 end)
vim.cmd('undo')
d.await('found again after undo', function() return #d.findings() == 1 end)
d.go('x_hbm[...]')
vim.lsp.buf.code_action({ apply = true, context = { only = { 'refactor.rewrite.stage.asyncCopy' }, diagnostics = {} } }) -- as a key may be bound
d.await('staging with async_copy applied', function() return d.text():find('pltpu.async_copy(x_hbm, x_hbm_vmem, x_hbm_sem).wait()', 1, true) end)
d.await('nothing found any more', function() return #d.findings() == 0 end)
vim.cmd('silent write')

vim.lsp.stop_client(vim.lsp.get_clients())
d.await('the server ended', function() return #vim.lsp.get_clients() == 0 end)
