// Package rule says what a rule is: a value with a name, a page and functions over inferred facts. It knows no editor
// protocol; positions are locations in the syntax tree.
package rule

import (
	"bytes"
	"embed"
	"fmt"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
)

// Severity says what happens to code with the finding.
type Severity uint8

// The severities. Error: JAX, Mosaic or Python refuses the code. Warning: it is accepted, then hangs, reads garbage or gives a wrong
// result. Information and Hint: wasteful, deprecated, worth knowing.
const (
	Error Severity = iota + 1
	Warning
	Information
	Hint
)

// String returns the name as `check --output-format json` prints it.
func (s Severity) String() string {
	return [...]string{"", "error", "warning", "information", "hint"}[s]
}

// Tag marks a finding for editors that draw such code differently.
type Tag uint8

// The tags of the protocol.
const (
	Unnecessary Tag = iota + 1
	Deprecated
)

// Rule is one entry of the catalogue. One rule is one .go file beside its page, one .md file.
// The functions that are set are called once for each fact of their kind; all may be nil in a rule that only explains
// a message.
type Rule struct {
	Name    string   // kebab-case; reads well after "ignore"; never changes its meaning
	Old     []string // names it had before
	Page    string   // the Markdown page with its front matter, embedded from the file beside the rule
	Tag     Tag
	Follows bool // may come of another error: not reported beside one, since JAX stops at the first
	Unbinds bool // its errors mean that a kernel's parameters are not what its site gives it: nothing else is said of that site
	Off     bool // not reported unless selected by name
	Offers  bool // its fixes are offered as refactorings, also where it is not selected

	Kernel func(*Pass, *infer.Kernel)          // each kernel at each site
	Site   func(*Pass, *infer.Site)            // each pallas_call, kernel, run_scoped, ... site
	Call   map[string]func(*Pass, *infer.Call) // each call of an API by canonical name, in kernels and outside; "*" is any
	World  func(*Pass, *infer.World)           // once a run
}

// Pass is what a rule's functions are given.
type Pass struct {
	Rule     *Rule
	Severity Severity // of the rule's page, as configured
	File     *parse.File
	Release  *jax.Release
	Chip     *jax.Chip // nil: not configured, so a finding must hold on every chip
	World    *infer.World
	Facts    *infer.Facts           // of the whole file; for fixes only: findings rest on what their own run has read
	Emit     func(*Diagnostic)      // set by the checker
	Has      func(word string) bool // set by the checker: what Mentions answers; nil: File is looked through each time
}

// Diagnostic is one finding.
type Diagnostic struct {
	Rule     *Rule
	Severity Severity
	Loc      parse.Loc // the squiggle
	Anchor   parse.Loc // the call, subscript or definition whose evaluation proves it; Loc when not set
	Message  string    // one line that stands alone
	Raises   string    // what JAX will say, when the rule predicts it and the page's text is not precise enough
	Related  []Related
	Fixes    []*Fix
	Site     *infer.Site // whose kernel it is about; for the checker, which sets it and takes it out again
}

// Related is another place that has to do with a finding.
type Related struct {
	Loc     parse.Loc
	Message string
}

// Safety says whether a fix keeps the meaning of the code.
type Safety uint8

// The classes of fixes. Safe: applied by `fix` and source.fixAll. Unsafe: changes what the program does, or rests on an
// intention that we can't know; offered as a quick fix only. Display: shown, never applied without a person.
const (
	Safe Safety = iota + 1
	Unsafe
	Display
)

// String returns the applicability as ruff's JSON has it.
func (s Safety) String() string { return [...]string{"", "safe", "unsafe", "display"}[s] }

// Fix is an edit that removes a finding.
type Fix struct {
	Title  string // in the author's words
	Kind   string // a name that a person may bind a key to: "stage.asyncCopy"; empty: none
	Safety Safety
	Edits  []Edit
}

// Edit replaces the text at Loc. An empty Loc span inserts.
type Edit struct {
	Loc parse.Loc
	New string
}

// Report adds a finding at loc and returns it, so that more can be added to it.
func (p *Pass) Report(loc parse.Loc, format string, args ...any) *Diagnostic {
	d := &Diagnostic{Rule: p.Rule, Severity: p.Severity, Loc: loc, Message: fmt.Sprintf(format, args...)}
	p.Emit(d)
	return d
}

// Mentions reports whether a word stands anywhere in the file, comments included: a sign that something may be at work that can't be seen
// from here, so that a rule had better be silent.
func (p *Pass) Mentions(word string) bool {
	if p.Has != nil {
		return p.Has(word)
	}
	return bytes.Contains(p.File.Src, []byte(word))
}

// At names the place whose evaluation proves the finding, where that is not the squiggle itself. A finding holds only if it was
// made in every world that reached its anchor.
func (d *Diagnostic) At(anchor parse.Loc) *Diagnostic {
	d.Anchor = anchor
	return d
}

// Because adds the chain of reasons as related information.
func (d *Diagnostic) Because(why *infer.Why) *Diagnostic {
	for ; why != nil; why = why.From {
		if why.Loc.Valid() {
			d.Related = append(d.Related, Related{why.Loc, why.Reason})
		}
	}
	return d
}

// Also adds a related place.
func (d *Diagnostic) Also(loc parse.Loc, format string, args ...any) *Diagnostic {
	if loc.Valid() {
		d.Related = append(d.Related, Related{loc, fmt.Sprintf(format, args...)})
	}
	return d
}

// Offer adds fixes; nil ones are left out.
func (d *Diagnostic) Offer(fixes ...*Fix) *Diagnostic {
	for _, f := range fixes {
		if f != nil && len(f.Edits) > 0 {
			d.Fixes = append(d.Fixes, f)
		}
	}
	return d
}

// Says sets what JAX will print, word for word where known.
func (d *Diagnostic) Says(format string, args ...any) *Diagnostic {
	d.Raises = fmt.Sprintf(format, args...)
	return d
}

// Page reads an embedded page. A page that is not there is a mistake of the build, so it panics.
func Page(pages embed.FS, name string) string {
	text, err := pages.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return string(text)
}
