package edit

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/rule"
)

// Names finds texts for members of modules at one place of a file, and gathers the imports that they need.
type Names struct {
	Spot  *Spot
	Edits []rule.Edit // the imports that are missing
	added map[string]string
}

// usual are the import statements and aliases that people write; other modules are imported by their full name.
var usual = map[string][2]string{
	"jax.numpy":                      {"import jax.numpy as %", "jnp"},
	"jax.experimental.pallas":        {"from jax.experimental import pallas as %", "pl"},
	"jax.experimental.pallas.tpu":    {"from jax.experimental.pallas import tpu as %", "pltpu"},
	"jax.experimental.pallas.tpu_sc": {"from jax.experimental.pallas import tpu_sc as %", "plsc"},
}

// reachable are modules that importing another one brings along.
var reachable = map[string]string{"jax.numpy": "jax", "jax.lax": "jax"}

// Name returns how the place can write a member of a module, with the alias that the file uses for the module already.
func (n *Names) Name(module, member string) string {
	for _, b := range n.Spot.File.Imports() {
		if b.Level != 0 || !n.visible(b) {
			continue
		}
		switch {
		case b.Member && b.Target == module+"."+member:
			return b.Name
		case b.Target == module:
			return b.Name + "." + member
		}
	}
	if parent := reachable[module]; parent != "" && n.added[module] == "" {
		for _, b := range n.Spot.File.Imports() {
			if b.Target == parent && b.Level == 0 && n.visible(b) && usual[module][0] == "" {
				return b.Name + strings.TrimPrefix(module, parent) + "." + member
			}
		}
	}
	return n.add(module) + "." + member
}

// visible: the place sees the import, and nothing between hides it.
func (n *Names) visible(b parse.Binding) bool {
	if b.Nested {
		return n.inScope(b)
	}
	return !n.hidden(b.Name)
}

func (n *Names) hidden(name string) bool {
	for _, f := range n.Spot.Funcs() {
		if binds(f, name) {
			return true
		}
	}
	return false
}

func binds(f parse.Node, name string) bool {
	switch f := f.(type) {
	case *parse.FuncDef:
		return f.Scope != nil && f.Scope.Locals[name]
	case *parse.Lambda:
		return f.Locals[name]
	}
	return false
}

// inScope: a nested import is seen from the function that holds it, after it.
func (n *Names) inScope(b parse.Binding) bool {
	if b.Loc.Chunk != n.Spot.Chunk {
		return false
	}
	for _, f := range n.Spot.Funcs() {
		if !binds(f, b.Name) {
			continue
		}
		def, ok := f.(*parse.FuncDef)
		return ok && holdsImport(def.Body, b.Loc.Span) && b.Loc.End <= n.Spot.Node().Span().Start
	}
	return false
}

// holdsImport: an import statement directly among the statements holds the span.
func holdsImport(body []parse.Stmt, span parse.Span) bool {
	for _, s := range body {
		switch s.(type) {
		case *parse.Import, *parse.ImportFrom:
			if s.Span().Start <= span.Start && span.End <= s.Span().End {
				return true
			}
		}
	}
	return false
}

// add imports a module at the top of the file and returns the name that it is bound to.
func (n *Names) add(module string) string {
	if alias := n.added[module]; alias != "" {
		return alias
	}
	form, ok := usual[module]
	if !ok {
		form = [2]string{"import " + module, module}
	}
	alias := form[1]
	if ok {
		taken := map[string]bool{}
		for name := range n.Spot.File.ModuleScope().Locals {
			taken[name] = true
		}
		for _, f := range n.Spot.Funcs() {
			for name := range Mentions(f) {
				taken[name] = true
			}
		}
		if taken[alias] && n.used(alias) {
			alias = Free(taken, alias)
		}
	}
	n.Edits = append(n.Edits, addImport(n.Spot.File, n.Spot.Chunk, strings.ReplaceAll(form[0], "%", alias)))
	if n.added == nil {
		n.added = map[string]string{}
	}
	n.added[module] = alias
	return alias
}

// used: the name is bound to something where the new import would be seen.
func (n *Names) used(name string) bool {
	return n.Spot.File.ModuleScope().Locals[name] || n.hidden(name)
}

// addImport puts an import statement after the last import that stands before any definition and before the chunk that needs it.
func addImport(f *parse.File, user *parse.Chunk, line string) rule.Edit {
	var last *parse.Chunk
	for _, c := range f.Chunks {
		if c == user || defines(c) {
			break
		}
		if imports(c) {
			last = c
		}
	}
	if last != nil {
		return Insert(last, int32(len(last.Text)), "\n"+line)
	}
	for _, c := range f.Chunks {
		if !isHeader(c) || c == user {
			return Insert(c, 0, line+"\n")
		}
	}
	return Insert(user, 0, line+"\n")
}

func defines(c *parse.Chunk) bool {
	for _, s := range c.Stmts {
		switch s.(type) {
		case *parse.FuncDef, *parse.ClassDef:
			return true
		}
	}
	return false
}

func imports(c *parse.Chunk) bool {
	for _, s := range c.Stmts {
		switch s := s.(type) {
		case *parse.Import:
			return true
		case *parse.ImportFrom:
			return s.Module != "__future__"
		}
	}
	return false
}

// isHeader: a docstring or a __future__ import, which must stay first.
func isHeader(c *parse.Chunk) bool {
	if len(c.Stmts) == 0 {
		return true
	}
	switch s := c.Stmts[0].(type) {
	case *parse.ExprStmt:
		_, doc := s.X.(*parse.Str)
		return doc
	case *parse.ImportFrom:
		return s.Module == "__future__"
	}
	return false
}
