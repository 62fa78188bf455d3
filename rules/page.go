package rules

import (
	"strings"
	"sync"

	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// PageMeta is the front matter of a rule's page.
type PageMeta struct {
	Name     string
	Summary  string
	Severity rule.Severity
	Raises   string // what JAX says: Type at stage, "message with {holes}", one a line (see Claims); empty when it says nothing
	Also     string // further messages of the same mistake, as Raises has them; found in recorded answers rather than shown by a block
	Within   string // where such a message can mean another mistake: words of the traceback or the message that say it is this one
	Callee   string // whose function a message about arguments speaks of: author, JAX; empty: the page is not about that
	General  bool   // the messages say that something failed, not what: every other page comes first
	Silent   string // what goes wrong although JAX accepts the code; set instead of Raises
	Source   string // the file and function of JAX that the rule models
	JAX      string // the releases it holds for, in words: "0.10 and later"
	Releases jax.Range
	Chips    string
	Fix      string // what the quick fix does; empty: none
	Body     string // the page after the front matter
}

var metas sync.Map // *rule.Rule -> *PageMeta

// Meta returns the front matter of a rule's page.
func Meta(r *rule.Rule) *PageMeta {
	if m, ok := metas.Load(r); ok {
		return m.(*PageMeta)
	}
	m := ParsePage(r.Page)
	metas.Store(r, m)
	return m
}

// ParsePage splits a page into its front matter and its body. Unknown keys are ignored here; a test refuses them.
func ParsePage(page string) *PageMeta {
	m := &PageMeta{Body: page, Severity: rule.Error}
	rest, ok := strings.CutPrefix(page, "---\n")
	if !ok {
		return m
	}
	head, body, ok := strings.Cut(rest, "\n---\n")
	if !ok {
		return m
	}
	m.Body = strings.TrimLeft(body, "\n")
	list := &m.Raises
	for _, line := range strings.Split(head, "\n") {
		if claim, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok { // one of several under `raises:` or `also:`
			*list = strings.TrimPrefix(*list+"\n"+claim, "\n")
			continue
		}
		k, v, _ := strings.Cut(line, ":")
		k = strings.TrimSpace(k)
		if k == "also" {
			list = &m.Also
		}
		m.set(k, strings.TrimSpace(v))
	}
	return m
}

func (m *PageMeta) set(k, v string) {
	switch k {
	case "name":
		m.Name = v
	case "summary":
		m.Summary = v
	case "severity":
		m.Severity = parseSeverity(v)
	case "raises":
		m.Raises = v
	case "also":
		m.Also = v
	case "within":
		m.Within = v
	case "callee":
		m.Callee = v
	case "general":
		m.General = v == "yes"
	case "silent":
		m.Silent = v
	case "source":
		m.Source = v
	case "jax":
		m.JAX = v
		m.Releases, _ = jax.ParseRange(v) // a test refuses what can't be read
	case "chips":
		m.Chips = v
	case "fix":
		m.Fix = v
	}
}

func parseSeverity(v string) rule.Severity {
	for s := rule.Error; s <= rule.Hint; s++ {
		if s.String() == v {
			return s
		}
	}
	return rule.Error
}
