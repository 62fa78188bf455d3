package oracle

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
)

// Elsewhere is what JAX is recorded to have said of other kernels than a page's own: those of testdata/cases, testdata/agree and the pages, in any release.
// root is testdata.
func Elsewhere(root fs.FS) ([]Answer, error) {
	var out []Answer
	names, err := fs.Glob(root, "cases/*/expected.jsonl")
	if err != nil {
		return nil, err
	}
	pages, err := fs.Glob(root, "oracle/recorded/*/*.jsonl")
	for _, name := range slices.Concat(names, pages, []string{"agree/seed1.jsonl.gz"}) {
		var f fs.File
		if err == nil {
			f, err = root.Open(name)
		}
		if err != nil {
			return nil, err
		}
		var r io.Reader = f
		if strings.HasSuffix(name, ".gz") {
			r, err = gzip.NewReader(f)
		}
		if err == nil {
			out, err = readAnswers(out, r)
		}
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return measured(out, root)
}

// measured adds what the releases said of the pages' blocks.
func measured(out []Answer, root fs.FS) ([]Answer, error) {
	names, err := fs.Glob(root, "oracle/measured/*.jsonl")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return nil, err
		}
		for line := range bytes.Lines(text) {
			var m Measure
			if err := json.Unmarshal(line, &m); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			for _, s := range m.Said {
				out = append(out, Answer{JAX: s.JAX[0], Mode: m.Mode, Outcome: s.Outcome, Stage: s.Stage, Type: s.Type, Message: s.Message, Warnings: s.Warnings})
			}
		}
	}
	return out, nil
}

func readAnswers(out []Answer, r io.Reader) ([]Answer, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var a Answer
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, lines.Err()
}

// JudgeAlso holds what a page says that JAX says elsewhere against what it is recorded to have said there. What no kernel made it
// say may be in JAX's source: in tells whether the source raises that type with a message that the claim matches.
func JudgeAlso(p *Page, elsewhere []Answer, in func(Claim) bool) []string {
	var out []string
	for _, c := range p.Also {
		if !c.said(elsewhere) && !in(c) {
			out = append(out, fmt.Sprintf("%s: no recorded kernel makes JAX say %q (%s at %s)", p.Path, c.Message, c.Type, c.Stage))
		}
	}
	return out
}

// Matches tells whether the message is the claimed one; white space counts as one blank.
func (c Claim) Matches(message string) bool {
	return c.match.MatchString(spaces.ReplaceAllString(message, " "))
}

func (c Claim) said(answers []Answer) bool {
	for _, a := range answers {
		if c.fits(a) {
			return true
		}
	}
	return false
}
