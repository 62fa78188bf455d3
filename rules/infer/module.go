package infer

import (
	"maps"
	"strings"

	"pallas-lsp/parse"
)

// module is a file of the workspace while it is interpreted.
type module struct {
	name  string
	file  *parse.File
	env   *env
	stars []Value // modules imported with *
	state uint8   // 0 not run, 1 running, 2 done
}

func (ip *interp) loadModule(f *parse.File, name string) *module {
	if m := ip.mods[f.Path]; m != nil {
		return m
	}
	m := &module{name: name, file: f}
	m.env = newEnv(nil, m, nil)
	m.env.vars["__name__"] = &Cell{v: Str(name)}
	m.env.vars["__file__"] = &Cell{v: Unknown}
	ip.mods[f.Path], ip.loaded = m, append(ip.loaded, m)
	return m
}

// runModule executes the top level of a module once.
func (ip *interp) runModule(m *module) {
	if m.state != 0 {
		return
	}
	m.state = 1
	if ip.moduleRun {
		defer ip.aside()()
	}
	saved := ip.suspend()
	if ip.importing == 0 {
		defer ip.countApart()()
	}
	ip.importing++
	fr := &frame{env: m.env, mark: len(ip.journal)}
	for _, c := range m.file.Chunks {
		fr.chunk = c
		for _, s := range c.Stmts {
			ip.stmt(fr, s) // a module that raises here is still worth reading
		}
	}
	ip.importing--
	ip.resume(saved)
	m.state = 2
}

// countApart counts the steps of modules by themselves: what an import costs is nothing to the entry that happens to be the first to need it.
// The function that it returns ends that.
func (ip *interp) countApart() func() {
	steps := ip.steps
	ip.steps = ip.imported
	return func() { ip.imported, ip.steps = ip.steps, steps }
}

// aside has what follows done beside the entry that runs: what it changes stays, and its facts are no part of the entry. The function that it
// returns ends that.
func (ip *interp) aside() func() {
	world, log, pending, sites, mark, x64 := ip.world, ip.log, ip.pending, ip.sites, len(ip.journal), ip.x64.v
	ip.world, ip.log = newWorld(), newReadLog()
	return func() {
		maps.Copy(log.files, ip.log.files)
		maps.Copy(log.called, ip.log.called)
		ip.world, ip.log, ip.pending, ip.sites, ip.journal = world, log, pending, sites, ip.journal[:mark]
		ip.x64.v = x64
	}
}

// suspended is the state of a run that the import of a module interrupts.
type suspended struct {
	kernel    *Kernel
	path      *path
	unrolling int
	depth     int
	asOf      *int
}

func (ip *interp) suspend() suspended {
	s := suspended{ip.kernel, ip.path, ip.unrolling, ip.depth, ip.asOf}
	ip.kernel, ip.path, ip.unrolling, ip.asOf = nil, nil, 0, nil
	return s
}

func (ip *interp) resume(s suspended) {
	ip.kernel, ip.path, ip.unrolling, ip.depth, ip.asOf = s.kernel, s.path, s.unrolling, s.depth, s.asOf
}

func (ip *interp) importStmt(fr *frame, s *parse.Import) {
	for _, a := range s.Names {
		if a.As != "" {
			ip.bind(fr.env, a.As, ip.importModule(fr, a.Name, 0))
			continue
		}
		first, rest, _ := strings.Cut(a.Name, ".")
		if rest != "" {
			ip.importModule(fr, a.Name, 0)
		}
		ip.bind(fr.env, first, ip.importModule(fr, first, 0))
	}
}

func (ip *interp) importModule(fr *frame, name string, level int) Value {
	if level == 0 && ip.isExternal(fr, name) {
		return &Module{Name: name}
	}
	if f := ip.resolveFile(fr, name, level); f != nil {
		m := ip.loadModule(f, name)
		ip.runModule(m)
		return &Module{Name: name, mod: m}
	}
	if level > 0 {
		return Unknown
	}
	return &Module{Name: name}
}

// isExternal: the module is none of the workspace's. What stands beside JAX's own modules and is no part of a release, such as helpers of its
// tests, is; what it imports of JAX is not.
func (ip *interp) isExternal(fr *frame, name string) bool {
	if !knownExternal(name) || strings.HasPrefix(name, jaxOps) {
		return false
	}
	private := strings.HasPrefix(name, "jax._src.")
	if !private || fr.env.mod == nil || strings.HasPrefix(fr.env.mod.name, "jax.") {
		return true
	}
	_, ok := ip.rel.Lookup(name)
	return ok
}

// jaxOps is the package of the kernels that JAX ships: code like that of any other library.
const jaxOps = "jax.experimental.pallas.ops."

// knownExternal: packages that are never looked for in the workspace, because their names are modelled.
func knownExternal(name string) bool {
	first, _, _ := strings.Cut(name, ".")
	switch first {
	case "jax", "numpy", "functools", "math", "typing", "dataclasses", "itertools", "collections", "enum", "operator":
		return true
	}
	return false
}

func (ip *interp) resolveFile(fr *frame, name string, level int) *parse.File {
	if fr.env.mod == nil {
		return nil
	}
	return ip.importFile(fr.env.mod.file.Path, name, level)
}

func (ip *interp) importFrom(fr *frame, s *parse.ImportFrom) {
	if s.Level == 0 && s.Module == "__future__" {
		return
	}
	m := ip.importModule(fr, s.Module, s.Level)
	for _, a := range s.Names {
		if a.Name == "*" {
			fr.env.mod.stars = append(fr.env.mod.stars, m)
			continue
		}
		name := a.As
		if name == "" {
			name = a.Name
		}
		ip.bind(fr.env, name, ip.fromModule(fr, m, s, a))
	}
}

func (ip *interp) fromModule(fr *frame, m Value, s *parse.ImportFrom, a parse.Alias) Value {
	mod, ok := m.(*Module)
	if !ok {
		return Unknown
	}
	if mod.mod == nil {
		if v := ip.submodule(fr, mod.Name, a.Name, s); v != nil { // a package without an __init__.py
			return v
		}
		if v := ip.handedOn(fr, s.Module, s.Level, a.Name); v != nil {
			return v
		}
		return ip.external(mod.Name, a.Name, parse.Loc{Chunk: fr.chunk, Span: a.Span()})
	}
	if v := ip.moduleAttr(mod.mod, a.Name); v != nil {
		return v
	}
	return orUnknown(ip.submodule(fr, mod.Name, a.Name, s))
}

// handedOn is a name that an installed package takes from one of its modules; nil when it is not known.
func (ip *interp) handedOn(fr *frame, module string, level int, name string) Value {
	if fr.env.mod == nil || ip.opts.Files == nil || level == 0 && ip.isExternal(fr, module) {
		return nil
	}
	path := fr.env.mod.file.Path
	f, as := ip.opts.Files.Origin(path, module, level, name)
	ip.log.files[imported{path, module, level, name}] = f
	if f == nil {
		return nil
	}
	m := ip.loadModule(f, module)
	ip.runModule(m)
	return ip.moduleAttr(m, as)
}

// submodule is a module of a package of the workspace, nil when there is none.
func (ip *interp) submodule(fr *frame, pkg, name string, s *parse.ImportFrom) Value {
	sub := name
	if s.Module != "" {
		sub = s.Module + "." + name
	}
	if s.Level == 0 && ip.isExternal(fr, sub) {
		return nil
	}
	f := ip.resolveFile(fr, sub, s.Level)
	if f == nil {
		return nil
	}
	x := ip.loadModule(f, sub)
	ip.runModule(x)
	return &Module{Name: sub, mod: x}
}

// moduleAttr is a name of a workspace module, nil when it has none.
func (ip *interp) moduleAttr(m *module, name string) Value {
	return ip.attrOf(m, name, map[*module]bool{})
}

// moduleStar finds a name among the modules imported with *.
func (ip *interp) moduleStar(m *module, name string) Value {
	if m == nil || len(m.stars) == 0 {
		return nil
	}
	return ip.starOf(m, name, map[*module]bool{m: true})
}

// attrOf looks into each module once, however many ways of star imports lead there.
func (ip *interp) attrOf(m *module, name string, seen map[*module]bool) Value {
	if seen[m] {
		return nil
	}
	seen[m] = true
	if c := ip.global(m, name); c != nil && c.v != nil {
		return c.v
	}
	return ip.starOf(m, name, seen)
}

func (ip *interp) starOf(m *module, name string, seen map[*module]bool) Value {
	for i := len(m.stars) - 1; i >= 0; i-- {
		mod, ok := m.stars[i].(*Module)
		if !ok {
			continue
		}
		if mod.mod != nil {
			if v := ip.attrOf(mod.mod, name, seen); v != nil {
				return v
			}
			continue
		}
		if obj, ok := ip.rel.Lookup(mod.Name + "." + name); ok && obj != nil {
			return ip.apiValue(obj, mod.Name+"."+name)
		}
	}
	return nil
}
