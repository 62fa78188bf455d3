-- Neovim 0.10, as README.md says: vim.lsp.start with the same file.
local d = require('drive')

vim.cmd.source('init.lua')
d.open('old.py')
d.await('the finding', function() return #d.findings() == 1 end)
d.go('x_hbm[...]')
vim.cmd('LspPallasExplain')
d.await('the page of the finding', function() return vim.bo.filetype == 'markdown' and d.text():find('sc-get-noncore-memory', 1, true) end)
vim.cmd.normal('q')
vim.lsp.buf.code_action({ apply = true, filter = function(a) return a.title:find('with async_copy', 1, true) end })
d.await('staging applied', function() return d.text():find('pltpu.async_copy(x_hbm, x_hbm_vmem, x_hbm_sem).wait()', 1, true) end)
d.await('nothing found any more', function() return #d.findings() == 0 end)
vim.cmd('silent write')
