---@brief
---
--- `pallas-lsp` finds mistakes in JAX Pallas kernels while they are typed. It runs beside pyright, ty or ruff.
---
--- Build it with `go build -o pallas-lsp ./cmd/pallas-lsp` and put it on the PATH.

---@type vim.lsp.Config
return {
  cmd = { 'pallas-lsp', 'serve' },
  filetypes = { 'python' },
  root_markers = { 'pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', '.git' },
}
