package jax

import (
	"slices"
	"strings"
	"sync"
)

// ObjectKind is what a name of JAX stands for.
type ObjectKind string

// The kinds of objects.
const (
	KindModule    ObjectKind = "module"
	KindFunction  ObjectKind = "function"
	KindClass     ObjectKind = "class"
	KindEnum      ObjectKind = "enum"      // a class with a fixed set of members
	KindMember    ObjectKind = "member"    // of an enumeration: pltpu.VMEM, pltpu.SemaphoreType.DMA
	KindDType     ObjectKind = "dtype"     // jnp.float32; the name is Detail
	KindPrimitive ObjectKind = "primitive" // jax.lax.add_p; the name is Detail
	KindValue     ObjectKind = "value"     // any other value; Detail is its text for numbers and strings
	KindMethod    ObjectKind = "method"    // of a class
	KindProperty  ObjectKind = "property"  // of a class: property or field
	KindForeign   ObjectKind = "foreign"   // what a module of JAX imported from Python's library
)

// Object is one thing of JAX, with one canonical name whatever way a program reaches it.
type Object struct {
	// Canonical is the dotted name that stands for the object in every release known and under every alias, a public one
	// where there is one: "jax.experimental.pallas.tpu.CompilerParams", "jax.experimental.pallas.ds". A module's is its __name__.
	Canonical string
	Kind      ObjectKind
	// Module is true for modules.
	Module bool
	// Params are the parameters of a function, or of the constructor of a class. Methods have self first.
	Params []Param
	// HasParams is false when the parameters are not known, and for what can not be called.
	HasParams bool
	// Deprecated is JAX's warning on the access through the name that was looked up; empty when there is none.
	Deprecated string
	// Detail is the name of a dtype or primitive, or the value of a member or simple constant as Python prints it.
	Detail string
}

// ParamKind is how a parameter takes its argument, as inspect.Parameter.kind.
type ParamKind uint8

// The kinds of parameters.
const (
	PositionalOrKeyword ParamKind = iota
	PositionalOnly
	VarPositional // *args
	KeywordOnly
	VarKeyword // **kwargs
)

// Param is one parameter.
type Param struct {
	Name     string
	Kind     ParamKind
	Optional bool   // it has a default
	Default  string // as Python prints it, "..." for one that is no simple constant; empty without a default
}

// Accepts is true when a call may pass a keyword argument of that name, and when the parameters are not known.
func (o *Object) Accepts(keyword string) bool {
	if !o.HasParams {
		return true
	}
	for _, p := range o.Params {
		if p.Kind == VarKeyword || p.Name == keyword && (p.Kind == PositionalOrKeyword || p.Kind == KeywordOnly) {
			return true
		}
	}
	return false
}

// Param is the parameter of that name, nil when there is none.
func (o *Object) Param(name string) *Param {
	for i := range o.Params {
		if o.Params[i].Name == name {
			return &o.Params[i]
		}
	}
	return nil
}

// DType is the dtype that the object stands for: jnp.float32, and pltpu.SemaphoreType.DMA for its semaphores. Empty for
// everything else.
func (o *Object) DType() DType {
	switch o.Canonical {
	case "jax.experimental.pallas.tpu.SemaphoreType.DMA":
		return DMASem
	case "jax.experimental.pallas.tpu.SemaphoreType.REGULAR":
		return Sem
	case "jax.experimental.pallas.tpu.SemaphoreType.BARRIER":
		return BarrierSem
	}
	if o.Kind != KindDType {
		return ""
	}
	d, _ := ParseDType(o.Detail)
	return d
}

var spaceObjects = map[string]Space{
	"jax.experimental.pallas.ANY":               ANY,
	"jax.experimental.pallas.HOST":              HOST,
	"jax.experimental.pallas.MemorySpace.INDEX": INDEX,
	"jax.experimental.pallas.MemorySpace.KEY":   KEY,
	"jax.experimental.pallas.MemorySpace.ERROR": ERROR,
	"jax.experimental.pallas.tpu.HBM":           HBM,
	"jax.experimental.pallas.tpu.VMEM":          VMEM,
	"jax.experimental.pallas.tpu.VMEM_SHARED":   VMEMShared,
	"jax.experimental.pallas.tpu.SMEM":          SMEM,
	"jax.experimental.pallas.tpu.CMEM":          CMEM,
	"jax.experimental.pallas.tpu.SEMAPHORE":     Semaphore,
	"jax.experimental.pallas.tpu.ACC":           ACC,
	"jax.experimental.pallas.mosaic_gpu.GMEM":   GMEM,
	"jax.experimental.pallas.mosaic_gpu.SMEM":   SMEM,
	"jax.experimental.pallas.mosaic_gpu.TMEM":   TMEM,
	"jax.experimental.pallas.mosaic_gpu.REGS":   REGS,
	"jax.memory.Space.Device":                   DEVICE,
	"jax.memory.Space.Any":                      ANY,
}

// Space is the memory space that the object stands for: pltpu.VMEM, pl.ANY, plgpu.SMEM. Zero for everything else.
// pl.MemorySpace.DEFAULT is none, since the backend decides.
func (o *Object) Space() Space { return spaceObjects[o.Canonical] }

// names is one release's names.txt: a section for each module and class, read when it is first used.
type names struct {
	sections map[string]*section
}

type section struct {
	text   string
	flag   string // module: every public name is listed; partial: a module of which only some are; class; enum: every one
	once   sync.Once
	parsed map[string]*entry
}

type entry struct {
	kind                        ObjectKind
	canonical, info, deprecated string
	once                        sync.Once
	object                      *Object
}

func readNames(text string) *names {
	n := &names{sections: make(map[string]*section, 600)}
	for text != "" {
		end := strings.Index(text, "\n@")
		var block string
		if end < 0 {
			block, text = text, ""
		} else {
			block, text = text[:end+1], text[end+1:]
		}
		head, body, _ := strings.Cut(block, "\n")
		title, flag, _ := strings.Cut(strings.TrimPrefix(head, "@"), "\t")
		n.sections[title] = &section{text: body, flag: flag}
	}
	return n
}

func (s *section) entries() map[string]*entry {
	s.once.Do(func() {
		s.parsed = make(map[string]*entry, strings.Count(s.text, "\n"))
		for line := range strings.Lines(s.text) {
			fields := [5]string{}
			rest := strings.TrimSuffix(line, "\n")
			for i := range fields {
				fields[i], rest, _ = strings.Cut(rest, "\t")
			}
			s.parsed[fields[0]] = &entry{kind: ObjectKind(fields[1]), canonical: fields[2], info: fields[3], deprecated: fields[4]}
		}
	})
	return s.parsed
}

const kindRemoved ObjectKind = "removed"

// find walks a dotted name as Python's attribute access does. It returns the section and the name where the walk ended, the
// entry there (nil when there is none), and whether the walk reached the last part.
//
// An attribute of a class is found through the class's canonical name too, which an older release may not have as a path.
func (n *names) find(dotted string) (title string, s *section, name string, e *entry, last bool) {
	if owner, attribute, ok := cutLast(dotted); ok {
		if s := n.sections[owner]; s != nil && (s.flag == "class" || s.flag == "enum") {
			return owner, s, attribute, s.entries()[attribute], true
		}
	}
	root, rest, more := strings.Cut(dotted, ".")
	if s = n.sections[root]; s == nil {
		return "", nil, "", nil, false
	}
	title = root
	if !more {
		return title, s, "", nil, true
	}
	for {
		var part string
		part, rest, more = strings.Cut(rest, ".")
		if part == "" {
			return "", nil, "", nil, false
		}
		own := title + "." + part
		e = s.entries()[part]
		submodule := n.sections[own]
		if submodule != nil && (submodule.flag == "class" || submodule.flag == "enum") {
			submodule = nil
		}
		switch {
		case e != nil:
			if !more {
				return title, s, part, e, true
			}
			next := own
			if e.canonical != "" {
				next = e.canonical
			}
			inner := n.sections[next]
			if inner == nil && submodule != nil {
				next, inner = own, submodule // the package hides its submodule behind a function of the same name
			}
			if inner == nil || e.kind == kindRemoved || e.kind == KindForeign {
				return title, s, part, e, false
			}
			title, s = next, inner
		case submodule != nil:
			// A submodule that the package's own file does not import.
			title, s = own, submodule
			if !more {
				return title, s, "", nil, true
			}
		default:
			return title, s, part, nil, !more
		}
	}
}

// Lookup resolves a dotted name as Python's import and attribute access would, through modules, re-exports and private
// modules: "jax.experimental.pallas.tpu.VMEM", "jax.experimental.pallas.tpu.SemaphoreType.DMA",
// "jax._src.pallas.core.BlockSpec". It is false for names that this release does not have and for names of which nothing is
// known: [Release.Missing] tells the two apart. Two results with one Canonical are one thing to a reader.
func (r *Release) Lookup(dotted string) (*Object, bool) {
	n := r.names()
	title, s, name, e, last := n.find(dotted)
	switch {
	case !last || s == nil:
		return nil, false
	case name == "":
		return moduleObject(title), true
	case e == nil || e.kind == kindRemoved:
		return nil, false
	}
	e.once.Do(func() { e.object = n.object(title+"."+name, e) })
	return e.object, true
}

func moduleObject(name string) *Object {
	return &Object{Canonical: name, Kind: KindModule, Module: true}
}

func (n *names) object(own string, e *entry) *Object {
	o := &Object{Canonical: e.canonical, Kind: e.kind, Deprecated: e.deprecated, Module: e.kind == KindModule}
	if o.Canonical == "" {
		o.Canonical = own
	}
	info := e.info
	if info == "" && e.canonical != "" && !o.Module {
		// The line of the canonical name carries what is known of the object.
		if module, last, ok := cutLast(e.canonical); ok && n.sections[module] != nil {
			if home := n.sections[module].entries()[last]; home != nil {
				info = home.info
			}
		}
	}
	switch e.kind {
	case KindFunction, KindClass, KindMethod:
		if info != "?" {
			o.Params, o.HasParams = parseParams(info), true
		}
	default:
		o.Detail = info
	}
	return o
}

func cutLast(dotted string) (before, last string, ok bool) {
	i := strings.LastIndexByte(dotted, '.')
	if i < 0 {
		return "", dotted, false
	}
	return dotted[:i], dotted[i+1:], true
}

// parseParams reads what generate.py's signature wrote: "x,/,*,axis=None,**kw". No default has a comma in it.
func parseParams(text string) []Param {
	if text == "" {
		return nil
	}
	list := make([]Param, 0, strings.Count(text, ",")+1)
	kind := PositionalOrKeyword
	for part := range strings.SplitSeq(text, ",") {
		name, def, optional := strings.Cut(part, "=")
		switch {
		case part == "/":
			for i := range list {
				list[i].Kind = PositionalOnly
			}
			continue
		case part == "*":
			kind = KeywordOnly
			continue
		case strings.HasPrefix(name, "**"):
			list = append(list, Param{Name: name[2:], Kind: VarKeyword})
			continue
		case strings.HasPrefix(name, "*"):
			list = append(list, Param{Name: name[1:], Kind: VarPositional})
			kind = KeywordOnly
			continue
		}
		list = append(list, Param{Name: name, Kind: kind, Optional: optional, Default: def})
	}
	return list
}

// Absence is a name that is known not to exist in a release.
type Absence struct {
	Owner     string   // the module or enumeration that lacks it, as JAX calls it: "jax.experimental.pallas.tpu"
	Attribute string   // the name that it lacks: "HOST"
	Message   string   // what JAX says on access, when it remembers the removed name; else empty
	In        []string // the releases known that have the name, oldest first
	Canonical string   // what it stands for in the newest of those; empty when none has it
}

// Missing says that a dotted name does not exist in the release: a module or enumeration of which every public name is known
// lacks it, so the access raises AttributeError and the import ImportError. It is false for names that exist, for private
// ones, and wherever nothing certain is known. For a version that is no release known ([Release.Asked]) the name must be missing in
// the releases before and after it, or JAX itself must say that it was removed by then.
func (r *Release) Missing(dotted string) (*Absence, bool) {
	title, name, e, last, missing := r.lacks(dotted)
	if !missing {
		return nil, false
	}
	if r.Asked != "" && !(e != nil && removedBy(e.deprecated, r.Asked)) {
		older, newer := r.neighbours()
		for _, n := range []*Release{older, newer} {
			if n == nil {
				return nil, false
			}
			if _, _, _, _, also := n.lacks(dotted); !also {
				return nil, false
			}
		}
	}
	absence := &Absence{Owner: title, Attribute: name}
	if e != nil {
		absence.Message = e.deprecated
	}
	if last {
		for _, other := range releases() {
			if o, ok := other.Lookup(dotted); ok {
				absence.In = append(absence.In, other.Version)
				absence.Canonical = o.Canonical
			}
		}
	}
	return absence, true
}

// lacks is Missing for the release's own data: the owner and the name that it lacks, the entry of a name that JAX remembers as
// removed, and whether that name is the last of the dotted ones.
func (r *Release) lacks(dotted string) (owner, name string, e *entry, last, missing bool) {
	owner, s, name, e, last := r.names().find(dotted)
	switch {
	case s == nil || name == "" || strings.HasPrefix(name, "_"):
	case e != nil:
		missing = e.kind == kindRemoved
	default:
		missing = s.flag == "module" || s.flag == "enum"
	}
	return owner, name, e, last, missing
}

// removedBy is true when a message of JAX says that the name was removed in that version or an older one: "pltpu.HOST was deprecated in
// JAX v0.10.0, and removed in JAX v0.12.0."
func removedBy(message, version string) bool {
	_, after, ok := strings.Cut(message, "removed in JAX v")
	if !ok {
		return false
	}
	end := strings.IndexFunc(after, func(c rune) bool { return c != '.' && (c < '0' || c > '9') })
	if end >= 0 {
		after = after[:end]
	}
	return AtLeast(version, strings.TrimRight(after, "."))
}

// Attributes is every name that a module, class or enumeration has, sorted, with its object; nil when it is not known.
// Of a class only what JAX itself defines is listed.
func (r *Release) Attributes(dotted string) []string {
	n := r.names()
	s := n.sections[dotted]
	if s == nil {
		o, ok := r.Lookup(dotted)
		if !ok || n.sections[o.Canonical] == nil {
			return nil
		}
		s = n.sections[o.Canonical]
	}
	var list []string
	for name, e := range s.entries() {
		if e.kind != kindRemoved {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// Known is the releases known in which a dotted name exists, oldest first.
func Known(dotted string) []string {
	var list []string
	for _, r := range releases() {
		if _, ok := r.Lookup(dotted); ok {
			list = append(list, r.Version)
		}
	}
	return list
}
