// Package config reads what the author chose: [tool.pallas-lsp] of a pyproject.toml, or the same keys from an editor. It
// reads text that it is given and touches no file system.
package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"pallas-lsp/rules"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// Options are the choices of one source. A zero field was not chosen.
type Options struct {
	Chip       *jax.Chip
	JAXVersion string // as written: "0.9.2"
	Select     []string
	Ignore     []string
	Severity   map[string]rule.Severity // by rule name
	Hints      Hints
}

// Hints are the switches of what is shown beside the code; nil: not chosen.
type Hints struct {
	Refs   *bool // the memory space of kernel parameters and of buffers that a kernel makes
	Types  *bool // their type and shape beside it
	Copies *bool // the route and size of copies
	Budget *bool // what a kernel takes of the memories of its core, above its call
}

// Shown reports whether a kind is shown, which it is unless it was switched off.
func Shown(kind *bool) bool { return kind == nil || *kind }

// kinds are the kinds by name.
func (h *Hints) kinds() map[string]**bool {
	return map[string]**bool{"refs": &h.Refs, "types": &h.Types, "copies": &h.Copies, "budget": &h.Budget}
}

// Problem is something wrong in a source of options.
type Problem struct {
	Line    int // from 1; 0 when the source has no lines
	Message string
}

// HintKinds are the names of the kinds of hints, in order.
func HintKinds() []string { return slices.Sorted(maps.Keys((&Hints{}).kinds())) }

// Keys are the names that a table of options may hold, in order.
func Keys() []string { return slices.Clone(keys) }

var keys = []string{"chip", "hints", "ignore", "jax-version", "select", "severity"}

// Parse reads [tool.pallas-lsp] from the text of a pyproject.toml. The options are nil when the table is absent.
// Whatever is right is used, also when there are problems.
func Parse(text string) (*Options, []Problem) {
	var doc struct {
		Tool map[string]any `toml:"tool"`
	}
	if err := Decode(text, &doc); err != nil {
		return nil, parseProblem(text, err)
	}
	table, ok := doc.Tool["pallas-lsp"]
	if !ok {
		return nil, nil
	}
	options, problems := FromTable(table)
	for i := range problems {
		problems[i].Line = lineOf(text, problems[i].key)
	}
	return options, plain(problems)
}

// parseProblem speaks only when the table that can't be read is ours, so that we are silent about the files of others.
func parseProblem(text string, err error) []Problem {
	if !strings.Contains(text, "pallas-lsp") {
		return nil
	}
	line := 0
	if p, ok := err.(toml.ParseError); ok {
		line = p.Position.Line
		return []Problem{{line, "this is not TOML: " + p.Message}}
	}
	return []Problem{{line, "this is not TOML: " + err.Error()}}
}

type keyedProblem struct {
	Problem
	key string
}

func plain(problems []keyedProblem) []Problem {
	var out []Problem
	for _, p := range problems {
		out = append(out, p.Problem)
	}
	return out
}

// FromEditor reads the settings that an editor sends: the same keys, in kebab-case or camelCase, perhaps below "settings" or our
// name. Keys that are not ours are left alone, since editors keep their own beside them.
func FromEditor(settings any) (*Options, []Problem) {
	table, ok := settings.(map[string]any)
	if !ok {
		return &Options{}, nil
	}
	for _, name := range []string{"settings", "pallas-lsp", "pallasLsp", "pallas_lsp"} {
		if inner, ok := table[name].(map[string]any); ok {
			table = inner
		}
	}
	known := map[string]any{}
	for k, v := range table {
		if k := kebab(k); slices.Contains(keys, k) && v != nil {
			known[k] = v
		}
	}
	if v, ok := table["inlayHints"]; ok {
		known["hints"] = v
	}
	options, problems := FromTable(known)
	return options, plain(problems)
}

func kebab(k string) string {
	var b strings.Builder
	for _, c := range k {
		if c >= 'A' && c <= 'Z' {
			b.WriteByte('-')
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	return b.String()
}

// FromTable reads a table of options as TOML or JSON decoded it.
func FromTable(value any) (*Options, []keyedProblem) {
	r := &reader{options: &Options{}}
	table, ok := asTable(value)
	if !ok {
		r.fail("pallas-lsp", "`pallas-lsp` must be a table")
		return r.options, r.problems
	}
	for _, k := range slices.Sorted(maps.Keys(table)) {
		r.read(k, table[k])
	}
	return r.options, r.problems
}

// asTable takes an empty list for an empty table: Lua and Lisp have one value for both, and their editors send that.
func asTable(v any) (map[string]any, bool) {
	if list, ok := v.([]any); ok && len(list) == 0 {
		return nil, true
	}
	table, ok := v.(map[string]any)
	return table, ok
}

type reader struct {
	options  *Options
	problems []keyedProblem
}

func (r *reader) fail(key, format string, args ...any) {
	r.problems = append(r.problems, keyedProblem{Problem{0, fmt.Sprintf(format, args...)}, key})
}

func (r *reader) read(key string, v any) {
	switch key {
	case "chip":
		r.chip(v)
	case "jax-version":
		r.version(v)
	case "select":
		r.options.Select = r.names(key, v)
	case "ignore":
		r.options.Ignore = append(r.options.Ignore, r.names(key, v)...)
	case "severity":
		r.severity(v)
	case "hints":
		r.hints(v)
	default:
		r.fail(key, "`%s` is no option of pallas-lsp%s", key, rules.DidYouMean(key, keys))
	}
}

func (r *reader) chip(v any) {
	s, ok := v.(string)
	if s == "" && ok {
		return
	}
	chip, err := ParseChip(s)
	if !ok || err != nil {
		r.fail("chip", "%v is no chip; chips are %s", quote(v), chipNames())
		return
	}
	r.options.Chip = chip
}

// ParseChip reads a chip's name, or says which there are.
func ParseChip(name string) (*jax.Chip, error) {
	chip, ok := jax.ParseChip(name)
	if !ok {
		return nil, fmt.Errorf("%q is no chip; chips are %s", name, chipNames())
	}
	return chip, nil
}

func chipNames() string {
	var names []string
	for _, c := range jax.Chips() {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}

func (r *reader) version(v any) {
	s, ok := v.(string)
	if s == "" && ok {
		return
	}
	if !ok || !ValidVersion(s) {
		r.fail("jax-version", "%v is no version of JAX; write it as \"0.9.2\"", quote(v))
		return
	}
	r.options.JAXVersion = s
}

// ValidVersion reports whether s looks like a release of JAX: numbers with dots, then perhaps a suffix.
func ValidVersion(s string) bool {
	if s == "" || s[0] < '0' || s[0] > '9' || !strings.Contains(s, ".") {
		return false
	}
	return strings.IndexFunc(s, func(c rune) bool {
		return !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c == '.' || c == '+')
	}) < 0
}

func (r *reader) names(key string, v any) []string {
	list, ok := v.([]any)
	if !ok {
		r.fail(key, "`%s` must be a list of rule names", key)
		return nil
	}
	var out []string
	for _, item := range list {
		name, _ := item.(string)
		if err := rules.CheckName(name); err != nil {
			r.fail(key, "`%s`: %v", key, err)
			continue
		}
		out = append(out, name)
	}
	return out
}

func (r *reader) severity(v any) {
	table, ok := asTable(v)
	if !ok {
		r.fail("severity", "`severity` must be a table of rule names and severities")
		return
	}
	for _, name := range slices.Sorted(maps.Keys(table)) {
		r.oneSeverity(name, table[name])
	}
}

func (r *reader) oneSeverity(name string, v any) {
	if err := rules.CheckName(name); err != nil {
		r.fail(name, "`severity`: %v", err)
		return
	}
	word, _ := v.(string)
	if word == "off" {
		r.options.Ignore = append(r.options.Ignore, name)
		return
	}
	for s := rule.Error; s <= rule.Hint; s++ {
		if s.String() == word {
			if r.options.Severity == nil {
				r.options.Severity = map[string]rule.Severity{}
			}
			r.options.Severity[rules.Find(name).Name] = s
			return
		}
	}
	r.fail(name, "`severity` of `%s` must be error, warning, information, hint or off, not %v", name, quote(v))
}

func (r *reader) hints(v any) {
	kinds := r.options.Hints.kinds()
	names := slices.Sorted(maps.Keys(kinds))
	if all, ok := v.(bool); ok {
		for _, name := range names {
			*kinds[name] = &all
		}
		return
	}
	table, ok := asTable(v)
	if !ok {
		r.fail("hints", "`hints` must be true, false or a table of %s", strings.Join(names, ", "))
		return
	}
	for _, k := range slices.Sorted(maps.Keys(table)) {
		on, isBool := table[k].(bool)
		kind := kinds[k]
		switch {
		case kind == nil:
			r.fail(k, "`hints.%s` is no kind of hint; there are %s", k, strings.Join(names, ", "))
		case !isBool:
			r.fail(k, "`hints.%s` must be true or false", k)
		default:
			*kind = &on
		}
	}
}

func quote(v any) string {
	if s, ok := v.(string); ok {
		return fmt.Sprintf("%q", s)
	}
	return fmt.Sprint(v)
}

// Over returns o with what it did not choose taken from below; either may be nil.
func (o *Options) Over(below *Options) *Options {
	if o == nil {
		o = &Options{}
	}
	if below == nil {
		return o
	}
	out := *o
	if out.Chip == nil {
		out.Chip = below.Chip
	}
	if out.JAXVersion == "" {
		out.JAXVersion = below.JAXVersion
	}
	if len(out.Select) == 0 {
		out.Select = below.Select
	}
	out.Ignore = slices.Concat(o.Ignore, below.Ignore)
	out.Severity = maps.Clone(below.Severity)
	if out.Severity == nil {
		out.Severity = map[string]rule.Severity{}
	}
	maps.Copy(out.Severity, o.Severity)
	for name, kind := range below.Hints.kinds() {
		if mine := out.Hints.kinds()[name]; *mine == nil {
			*mine = *kind
		}
	}
	return &out
}

// lineOf finds the line, from 1, on which a key of our table is written; the table's own line when it is not found.
func lineOf(text, key string) int {
	header, inside := 0, false
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		ours := strings.Contains(line, "pallas-lsp")
		if strings.HasPrefix(line, "[") {
			inside = ours
		}
		if ours && header == 0 {
			header = i + 1
		}
		name, _, isKey := strings.Cut(line, "=")
		if inside && isKey && strings.Trim(strings.TrimSpace(name), `"'`) == key {
			return i + 1
		}
	}
	return header
}
