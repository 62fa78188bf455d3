// Package oracle holds what real JAX said about the examples on the rules' pages, and what the pages claim it says.
//
// The files beside it ask JAX (README.md); this package only reads. It lives under testdata, so `./...` leaves it out:
// the tests that import it are what runs it.
package oracle

import (
	_ "embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"

	"pallas-lsp/rules/jax"
)

// Header holds the imports that a block without any gets, one a line.
//
//go:embed header.py
var Header string

// A Page is one rule's page, read for its claims: what JAX says about which block.
type Page struct {
	Path     string // in the tree of rules, such as sparsecore/load_from_hbm.md
	Name     string
	Severity string
	Raises   []Claim
	Also     []Claim // what else JAX says of it, to kernels of ../cases or ../agree
	Silent   string  // what goes wrong unsaid; set instead of Raises
	Unshown  string  // why a page about messages has no bad block
	JAX      jax.Range
	Chips    []string // those on which the rule holds; empty: all
	Blocks   []*Block
}

// A Claim is one message that a page says JAX prints.
type Claim struct {
	Type    string // of the exception or warning; abort when the process dies
	Stage   string // tracing, lowering or compiling
	Message string // a part of the message, with {holes}
	match   *regexp.Regexp
}

// A Block is one fenced Python block of a page.
type Block struct {
	Page      *Page
	Kind      string // bad, fixed or good
	Line      int    // of its first line on the page, from 1
	Code      string // without EXPECT markers
	Expect    []Expect
	Compile   bool
	Interpret bool
	Run       bool // as it stands, on a machine without a TPU
	Cores     int  // that interpret mode plays; 0: one
	Chips     []string
	JAX       []string
	Fix       string // on fixed: the start of the title of the quick fix that leads there
	Unshown   string // on bad: why interpret mode can't show it wrong
}

// Expect is a line of a bad block that a rule must name.
type Expect struct {
	Line int // in the block, from 1
	Name string
}

var importLine = regexp.MustCompile(`(?m)^(import|from)\s`)

// HeaderLines is the number of lines that File puts before the block's own.
func (b *Block) HeaderLines() int {
	if importLine.MatchString(b.Code) {
		return 0
	}
	return strings.Count(Header, "\n")
}

// File is the block as a file that stands alone: with the header before it when it imports nothing.
func (b *Block) File() string {
	if b.HeaderLines() == 0 {
		return b.Code
	}
	return Header + b.Code
}

func (b *Block) String() string { return fmt.Sprintf("%s:%d: %s block", b.Page.Path, b.Line, b.Kind) }

// Pages reads every page below the root: each .md file in a folder of it that starts with front matter.
func Pages(root fs.FS) ([]*Page, error) {
	var pages []*Page
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".md" {
			return err
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		if !strings.HasPrefix(string(text), "---\n") {
			return nil
		}
		page, err := ParsePage(name, string(text))
		if err != nil {
			return err
		}
		pages = append(pages, page)
		return nil
	})
	return pages, err
}

// ParsePage reads one page; an error names the line that it can't read.
func ParsePage(name, text string) (*Page, error) {
	p := &Page{Path: name}
	lines := strings.Split(text, "\n")
	at, err := p.frontMatter(lines)
	for ; err == nil && at < len(lines); at++ {
		if strings.HasPrefix(lines[at], "```python") {
			at, err = p.block(lines, at)
		}
	}
	if err == nil && len(p.Blocks) == 0 && p.Unshown == "" {
		err = fmt.Errorf("%s: no python block, and no unshown: that says why", name)
	}
	if err == nil && p.Unshown != "" && !p.messages() {
		err = fmt.Errorf("%s: unshown: is for pages that only explain messages", name)
	}
	if err == nil && (len(p.Raises) == 0) == (p.Silent == "") && !p.messages() {
		err = fmt.Errorf("%s: front matter has neither or both of raises and silent", name)
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// messages tells a page that only explains messages, all of them recorded answers to other kernels than its own.
func (p *Page) messages() bool { return len(p.Also) > 0 && len(p.Raises) == 0 && p.Silent == "" }

// frontMatter reads up to the second ---, and returns the index of the line after it.
func (p *Page) frontMatter(lines []string) (int, error) {
	var list *[]Claim // that the items go into
	for i := 1; i < len(lines); i++ {
		line := lines[i]
		if line == "---" {
			if p.Name == "" || p.Severity == "" {
				return 0, fmt.Errorf("%s: front matter lacks name or severity", p.Path)
			}
			return i + 1, nil
		}
		key, value, ok := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		item := strings.TrimSpace(line)
		var err error
		switch {
		case item == "":
		case list != nil && strings.HasPrefix(item, "- "):
			err = claim(list, strings.TrimPrefix(item, "- "))
		case !ok:
			err = fmt.Errorf("no key: value")
		default:
			list = map[string]*[]Claim{"raises": &p.Raises, "also": &p.Also}[key]
			err = p.set(key, value)
		}
		if err != nil {
			return 0, fmt.Errorf("%s:%d: %w", p.Path, i+1, err)
		}
	}
	return 0, fmt.Errorf("%s: front matter has no end", p.Path)
}

func (p *Page) set(key, value string) (err error) {
	switch key {
	case "name":
		p.Name = value
	case "severity":
		p.Severity = value
	case "silent":
		p.Silent = value
	case "unshown":
		p.Unshown = value
	case "raises":
		if value != "" {
			err = claim(&p.Raises, value)
		}
	case "also":
		if value != "" {
			err = claim(&p.Also, value)
		}
	case "jax":
		p.JAX, err = jax.ParseRange(value)
	case "chips":
		p.Chips = strings.FieldsFunc(value, func(r rune) bool { return r == ' ' || r == ',' })
	}
	return err
}

var (
	claimForm = regexp.MustCompile(`^(\w+) at (tracing|lowering|compiling|interpreting), "(.*)"$`)
	hole      = regexp.MustCompile(`\\\{[^{}]*\\\}`)
	spaces    = regexp.MustCompile(`\s+`)
)

func claim(list *[]Claim, text string) error {
	m := claimForm.FindStringSubmatch(text)
	if m == nil {
		return fmt.Errorf(`a claim is TYPE at tracing|lowering|compiling, "MESSAGE"; got %s`, text)
	}
	message := strings.TrimSpace(spaces.ReplaceAllString(m[3], " "))
	pattern := hole.ReplaceAllString(regexp.QuoteMeta(message), `.*?`)
	if message == "" { // an exception that says nothing
		pattern = "^$"
	} else if len(strings.ReplaceAll(pattern, ".*?", "")) < 8 {
		return fmt.Errorf("a message that would match almost anything: %s", m[3])
	}
	match, err := regexp.Compile("(?s)" + pattern)
	*list = append(*list, Claim{Type: m[1], Stage: m[2], Message: m[3], match: match})
	return err
}

var (
	attribute = regexp.MustCompile(`^(\w+)(?:=("[^"]*"|\S+))?\s*`)
	marker    = regexp.MustCompile(`[ \t]*# EXPECT: ([a-z0-9-]+)[ \t]*$`)
)

// block reads the fenced block that starts at the line, and returns the index of its last line.
func (p *Page) block(lines []string, at int) (int, error) {
	b := &Block{Page: p, Line: at + 2}
	if err := b.attributes(strings.TrimSpace(strings.TrimPrefix(lines[at], "```python"))); err != nil {
		return 0, fmt.Errorf("%s:%d: %w", p.Path, at+1, err)
	}
	var code strings.Builder
	for i := at + 1; i < len(lines); i++ {
		if lines[i] == "```" {
			b.Code = code.String()
			p.Blocks = append(p.Blocks, b)
			return i, nil
		}
		line := lines[i]
		if m := marker.FindStringSubmatchIndex(line); m != nil {
			b.Expect = append(b.Expect, Expect{Line: i - at, Name: line[m[2]:m[3]]})
			line = line[:m[0]]
		}
		code.WriteString(line + "\n")
	}
	return 0, fmt.Errorf("%s:%d: block has no end", p.Path, at+1)
}

func (b *Block) attributes(text string) error {
	for first := true; text != ""; first = false {
		m := attribute.FindStringSubmatch(text)
		if m == nil {
			return fmt.Errorf("not an attribute: %s", text)
		}
		text = text[len(m[0]):]
		value := strings.Trim(m[2], `"`)
		switch m[1] {
		case "bad", "fixed", "good":
			if !first {
				return fmt.Errorf("a second kind: %s", m[1])
			}
			b.Kind = m[1]
		case "compile":
			b.Compile = true
		case "run":
			b.Run = true
		case "interpret":
			b.Interpret = true
			if value != "" {
				var err error
				if b.Cores, err = strconv.Atoi(value); err != nil || b.Cores < 2 {
					return fmt.Errorf("interpret=CORES wants a number of cores, got %s", value)
				}
			}
		case "chip":
			b.Chips = strings.Split(value, ",")
		case "jax":
			b.JAX = strings.Split(value, ",")
		case "fix":
			b.Fix = value
		case "unshown":
			b.Unshown = value
		default:
			return fmt.Errorf("unknown attribute %s", m[1])
		}
	}
	if b.Kind == "" {
		return fmt.Errorf("a python block must be bad, fixed or good")
	}
	return nil
}
