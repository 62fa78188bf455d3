// Package explain finds the page for an error that JAX printed: it reads pasted tracebacks and compares their messages with
// what the pages say that JAX raises, then with all messages that JAX is known to have.
package explain

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"pallas-lsp/rules"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/workspace"
)

// Answer is what is known of a pasted error.
type Answer struct {
	Rule    *rule.Rule   // whose page explains it; nil: none
	Others  []*rule.Rule // that have the same message on their pages
	Found   *Finding     // what is wrong in the author's file, where that is at hand; nil: nothing, or it is not
	Error   *Error       // the one of the chain that it was found by; the last one when nothing was found
	Frame   *Frame       // the author's line; nil: not shown
	Message *jax.Message // where JAX raises it; nil: not known
	Release *jax.Release // of Message
}

// Read finds the page for a pasted text. The files that it names are looked for in w, which may be nil. It never fails; an answer may be empty.
func Read(text string, release *jax.Release, w *workspace.Workspace) Answer {
	trace := ReadTrace(text)
	a := Answer{Error: trace.Errors[len(trace.Errors)-1], Frame: trace.UserFrame(), Release: release}
	var found []candidate
	for _, e := range trace.Errors {
		if c := candidates(weigh(release, e)); len(c) > 0 && (found == nil || c[0].weight > found[0].weight) {
			found, a.Error = c, e
		}
	}
	if found == nil {
		found = candidates(weigh(release, &Error{Message: text}))
	}
	if len(found) > 0 {
		a.Rule, a.Others = found[0].rule, sameWords(found)
	}
	a.look(w, trace)
	a.findMessage(release)
	return a
}

// template is a message with holes, white space taken out, since terminals and mail break lines anywhere.
type template struct {
	parts  []string
	weight int // letters that are not in holes
}

var hole = regexp.MustCompile(`\{[^{}]*\}`)

func makeTemplate(text string) template {
	var t template
	for _, part := range hole.Split(text, -1) {
		if part = squeeze(part); part != "" {
			t.parts = append(t.parts, part)
			t.weight += len(part)
		}
	}
	return t
}

func squeeze(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) {
			return -1
		}
		return c
	}, text)
}

// match wants a squeezed text; the parts must occur in order.
func (t template) match(text string) bool {
	for _, p := range t.parts {
		i := strings.Index(text, p)
		if i < 0 {
			return false
		}
		text = text[i+len(p):]
	}
	return len(t.parts) > 0
}

// distinct is the number of letters from which a template means one message, whatever the exception's class is.
const distinct = 24

// What counts beside the letters of a template, in letters: that the place is one that the page names, the exception's class, that the rule finds
// the mistake too. Of several places that are in a traceback the innermost counts most. What speaks against a page leaves it as the last resort before the general ones.
const (
	letter      = 16
	inFrames    = 10 * letter
	farthest    = 3 * letter
	inMessage   = 6 * letter
	sameClass   = 8
	findsIt     = 4
	generalOnly = 1
	unlikely    = 32
)

// fits weighs a claim against an exception; 0: it is another message.
func (p page) fits(e *evidence) int {
	same := p.exception == e.Type
	if e.Type != "" && !same && p.template.weight < distinct || !p.template.match(e.dense) {
		return 0
	}
	w := 0
	if same {
		w += sameClass
	}
	if r := p.rule; r.Kernel != nil || r.Site != nil || r.Call != nil || r.World != nil {
		w += findsIt
	}
	place, against := p.place(e)
	switch {
	case p.meta.General:
		return w + generalOnly
	case against:
		return w + unlikely + p.template.weight
	}
	return w + letter*p.template.weight + place
}

// place weighs where the mistake is, for a page that says where; against: it is not there.
func (p page) place(e *evidence) (weight int, against bool) {
	if of := readCallee(p.meta.Callee); of != anyone && e.callee != anyone && of != e.callee {
		return 0, true
	}
	words := strings.Fields(p.meta.Within)
	for _, w := range words {
		if distance := e.distance(w); distance >= 0 {
			weight = max(weight, inFrames-min(distance, farthest))
		} else if strings.Contains(e.dense, w) {
			weight = max(weight, inMessage)
		}
	}
	return weight, weight == 0 && len(words) > 0
}

// distance counts the frames from the innermost to one that has a word; -1: none has.
func (e *evidence) distance(word string) int {
	for i := range e.Frames {
		if inFrame(e.Frames[len(e.Frames)-1-i], word) {
			return i
		}
	}
	return -1
}

// inFrame reports whether a frame has a word: as a part of its function, path or code, or one with holes of its code alone.
func inFrame(f Frame, word string) bool {
	if t := makeTemplate(word); len(t.parts) > 1 {
		return t.match(squeeze(f.Code))
	}
	return strings.Contains(f.Function, word) || strings.Contains(f.Path, word) || strings.Contains(f.Code, word)
}

// evidence is an exception with what is worked out of it once.
type evidence struct {
	*Error
	dense  string // the message without white space
	callee callee
}

func weigh(release *jax.Release, e *Error) *evidence {
	return &evidence{e, squeeze(e.Message), calleeOf(release, e.Message)}
}

// minWeight is the number of letters below which a template says nothing.
const minWeight = 8

// page is one message that a rule's page names.
type page struct {
	rule      *rule.Rule
	meta      *rules.PageMeta
	exception string // empty: the page names none
	template  template
}

// pages are the messages of all pages.
func pages() []page {
	var out []page
	for _, r := range rules.All() {
		meta := rules.Meta(r)
		for _, c := range meta.Messages() {
			if t := makeTemplate(c.Text); t.weight >= minWeight {
				out = append(out, page{r, meta, c.Exception, t})
			}
		}
	}
	return out
}

// candidate is a page that may be the one.
type candidate struct {
	rule    *rule.Rule
	weight  int
	letters int  // of the template
	general bool // the page says that something failed, not what
}

// candidates are the pages that have the message of an exception, the likeliest first, each once.
func candidates(e *evidence) []candidate {
	var all []candidate
	for _, p := range pages() {
		if w := p.fits(e); w > 0 {
			all = append(all, candidate{p.rule, w, p.template.weight, p.meta.General})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.weight, a.weight) })
	var out []candidate
	for _, c := range all {
		if !slices.ContainsFunc(out, func(o candidate) bool { return o.rule == c.rule }) {
			out = append(out, c)
		}
	}
	return out
}

// sameWords are the pages besides the first that have all, or nearly all, of what the message says.
func sameWords(found []candidate) (out []*rule.Rule) {
	for i, c := range found {
		if i > 0 && !c.general && 10*c.letters >= 7*found[0].letters {
			out = append(out, c.rule)
		}
	}
	return out
}

// Names are the rules whose pages a search for word finds: in the name first, then in the summary.
func Names(word string) []string {
	var byName, bySummary []string
	for _, r := range rules.All() {
		switch {
		case strings.Contains(r.Name, word):
			byName = append(byName, r.Name)
		case strings.Contains(strings.ToLower(rules.Meta(r).Summary), strings.ToLower(word)):
			bySummary = append(bySummary, r.Name)
		}
	}
	return slices.Concat(byName, bySummary)
}
