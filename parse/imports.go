package parse

import "strings"

// Binding is one name that an import statement binds.
type Binding struct {
	Name   string // the name that is bound; "*" for a star import
	Target string // what it stands for, dotted: a module, or a member of one; for a star, the module
	Level  int    // the dots of a relative import, which Target is relative to
	Member bool   // from an ImportFrom: the last part of Target may be a member of the module before it
	Loc    Loc    // the alias in the import statement
	Nested bool   // not at the top level of the module
}

// Imports returns the bindings of all import statements in the order of the source, nested ones included.
func (f *File) Imports() []Binding { return f.imports() }

func (f *File) allImports() []Binding {
	var out []Binding
	for _, c := range f.Chunks {
		out = append(out, c.imports()...)
	}
	return out
}

func (c *Chunk) allImports() []Binding {
	var out []Binding
	for _, s := range c.Stmts {
		Walk(s, func(n Node) bool {
			switch n := n.(type) {
			case *Import, *ImportFrom:
				for _, b := range ImportBindings(n.(Stmt)) {
					b.Loc.Chunk = c
					b.Nested = n != s
					out = append(out, b)
				}
				return false
			case Expr:
				return false
			}
			return true
		})
	}
	return out
}

// ImportBindings returns what an Import or ImportFrom binds; the Chunk of the locations is not set.
func ImportBindings(s Stmt) []Binding {
	var out []Binding
	switch s := s.(type) {
	case *Import:
		for i := range s.Names {
			a := &s.Names[i]
			b := Binding{Name: boundName(*a), Target: a.Name, Loc: Loc{Span: a.Span()}}
			if a.As == "" {
				b.Target = b.Name // import a.b binds a
			}
			out = append(out, b)
		}
	case *ImportFrom:
		for i := range s.Names {
			a := &s.Names[i]
			b := Binding{Name: boundName(*a), Target: s.Module, Level: s.Level, Member: a.Name != "*", Loc: Loc{Span: a.Span()}}
			if b.Member {
				b.Target = joinDotted(s.Module, a.Name)
			}
			out = append(out, b)
		}
	}
	return out
}

// boundName returns the name that an alias binds: its As, or the first part of its name.
func boundName(a Alias) string {
	if a.As != "" {
		return a.As
	}
	name, _, _ := strings.Cut(a.Name, ".")
	return name
}

func joinDotted(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "." + b
}

// ResolveRelative returns the absolute dotted name of target, which an import with the given number of dots names
// inside the package pkg (for a module a.b.c, that is a.b; for a.b/__init__.py, a.b). It is false when the dots leave
// the package.
func ResolveRelative(pkg string, level int, target string) (string, bool) {
	if level == 0 {
		return target, true
	}
	for ; level > 1; level-- {
		i := strings.LastIndexByte(pkg, '.')
		if i < 0 {
			return "", false
		}
		pkg = pkg[:i]
	}
	if pkg == "" {
		return "", false
	}
	return joinDotted(pkg, target), true
}
