// Package report writes findings for people and for machines: full, concise, json, github and sarif. It decides nothing.
package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules"
	"pallas-lsp/rules/control"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/workspace"
)

// Finding is a diagnostic with its places worked out.
type Finding struct {
	*rule.Diagnostic
	Place   workspace.Place
	Related []Related
	Edits   [][]Edit // of each fix; nil where one of its places is gone
}

// Related is another place with what it has to do with the finding.
type Related struct {
	Place   workspace.Place
	Message string
}

// Edit replaces the text of a place.
type Edit struct {
	Place workspace.Place
	New   string
}

// All works out the findings of several analyses together, ordered by file and position. A finding that several made, as happens
// in a helper that several files import, is reported once; a comment that silenced something for one of them is not unused.
func All(analyses []*workspace.Analysis) []*Finding {
	var out []*Finding
	silenced := map[workspace.Spot]bool{}
	for _, a := range analyses {
		out = append(out, locate(a)...)
		maps.Copy(silenced, a.Silenced)
	}
	out = slices.DeleteFunc(out, func(f *Finding) bool {
		return f.Rule == control.UnusedSuppression && silenced[workspace.Spot{Path: f.Place.File.Path, Offset: f.Place.Start}]
	})
	slices.SortStableFunc(out, compare)
	return slices.CompactFunc(out, func(a, b *Finding) bool { return compare(a, b) == 0 && a.Place.End == b.Place.End })
}

// locate works out the places of an analysis' findings. A finding whose place is gone is left out.
func locate(a *workspace.Analysis) []*Finding {
	var out []*Finding
	for _, d := range a.Findings {
		place, ok := a.Place(d.Loc)
		if !ok {
			continue
		}
		f := &Finding{Diagnostic: d, Place: place}
		for _, r := range d.Related {
			if p, ok := a.Place(r.Loc); ok {
				f.Related = append(f.Related, Related{p, r.Message})
			}
		}
		for _, fix := range d.Fixes {
			f.Edits = append(f.Edits, edits(a, fix))
		}
		out = append(out, f)
	}
	return out
}

func edits(a *workspace.Analysis, fix *rule.Fix) []Edit {
	var out []Edit
	for _, e := range fix.Edits {
		p, ok := a.Place(e.Loc)
		if !ok {
			return nil
		}
		out = append(out, Edit{p, e.New})
	}
	return out
}

func compare(a, b *Finding) int {
	return cmp.Or(
		cmp.Compare(a.Place.File.Path, b.Place.File.Path),
		cmp.Compare(a.Place.Start, b.Place.Start),
		cmp.Compare(a.Rule.Name, b.Rule.Name))
}

// Style says how to write for people.
type Style struct {
	Dir    string // paths inside it are written relative to it; empty: all as they are
	Colour bool
	// Version is ours, for formats that name it; empty: it is left out.
	Version string
}

// Name is how a path is written: relative to the folder when it is inside.
func (s Style) Name(path string) string {
	if s.Dir == "" || !filepath.IsAbs(path) {
		return path
	}
	rel, err := filepath.Rel(s.Dir, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return path
	}
	return rel
}

// Position is a row and a column from 1; columns count characters. In a notebook they are those in a cell.
type Position struct {
	Row    int `json:"row"`
	Column int `json:"column"`
	Cell   int `json:"cell,omitempty"` // from 1; 0: not in a notebook
}

// position turns a byte offset into what people and ruff count.
func position(f *parse.File, off int) Position {
	line, column := f.Position(off, parse.UTF32)
	out := Position{Row: line + 1, Column: column + 1}
	if n := f.Notebook; n != nil && n.Len() > 0 {
		cell := n.Cell(off)
		out.Row -= n.Line(cell)
		out.Cell = n.Numbers[cell]
	}
	return out
}

// at writes path:row:column, of a notebook path:cell number:row:column.
func (s Style) at(p workspace.Place) string {
	pos := position(p.File, p.Start)
	name := s.Name(p.File.Path)
	if pos.Cell > 0 {
		name += fmt.Sprintf(":cell %d", pos.Cell)
	}
	return fmt.Sprintf("%s:%d:%d", name, pos.Row, pos.Column)
}

// Formats are the names of the output formats.
var Formats = []string{"full", "concise", "json", "github", "sarif"}

// Write writes the findings in a format.
func Write(w io.Writer, format string, findings []*Finding, style Style) error {
	switch format {
	case "concise":
		return Concise(w, findings, style)
	case "json":
		return JSON(w, findings)
	case "github":
		return GitHub(w, findings, style)
	case "sarif":
		return SARIF(w, findings, style)
	}
	return Full(w, findings, style)
}

// Concise writes one line a finding, and the summary.
func Concise(w io.Writer, findings []*Finding, style Style) error {
	var b strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&b, "%s: %s[%s] %s\n", style.at(f.Place), f.Severity, f.Rule.Name, f.Message)
	}
	b.WriteString(Summary(findings))
	_, err := io.WriteString(w, b.String())
	return err
}

// Summary counts findings in one line: errors, warnings, notes and what can be fixed.
func Summary(findings []*Finding) string {
	if len(findings) == 0 {
		return "No findings.\n"
	}
	var errors, warnings, notes, safe, offered int
	for _, f := range findings {
		switch f.Severity {
		case rule.Error:
			errors++
		case rule.Warning:
			warnings++
		default:
			notes++
		}
		switch safety(f) {
		case rule.Safe:
			safe++
		case rule.Unsafe:
			offered++
		}
	}
	line := fmt.Sprintf("Found %s, %s", count(errors, "error"), count(warnings, "warning"))
	if notes > 0 {
		line += ", " + count(notes, "note")
	}
	switch {
	case safe > 0 && offered > 0:
		line += fmt.Sprintf("; `fix` mends %d, `fix --unsafe-fixes` %d more", safe, offered)
	case safe > 0:
		line += fmt.Sprintf("; `fix` mends %d", safe)
	case offered > 0:
		line += fmt.Sprintf("; `fix --unsafe-fixes` mends %d", offered)
	}
	return line + ".\n"
}

// safety is that of the fix that the command line would apply: the first. Zero: there is none.
func safety(f *Finding) rule.Safety {
	if len(f.Fixes) == 0 || len(f.Edits[0]) == 0 {
		return 0
	}
	return f.Fixes[0].Safety
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Says is what JAX will say of a finding: what the rule predicted, else the one message on its page; empty when JAX is silent.
func Says(d *rule.Diagnostic) string {
	claims := rules.Meta(d.Rule).Claims()
	switch {
	case d.Raises != "":
		return d.Raises
	case len(claims) == 1:
		return claims[0].String()
	}
	return ""
}
