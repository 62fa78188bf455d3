package infer

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/jax"
)

// Options say what the interpretation may use beside the file itself.
type Options struct {
	Release *jax.Release // nil: the newest known
	Files   Resolver     // nil: nothing can be imported
}

// Resolver finds files of the workspace by module name.
type Resolver interface {
	// Resolve returns the file that `from .name import x` (level dots) or `import name` in the file at path names; nil when it
	// is not in the workspace. Packages resolve to their __init__.py.
	Resolve(path, name string, level int) *parse.File
}
