// Package fix applies the fixes of findings to the text of a file.
package fix

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/workspace"
)

// maxRounds bounds how often a file is checked again; a fix whose result is found and fixed again would go on for ever.
const maxRounds = 100

// Result is a file with fixes applied.
type Result struct {
	File    *parse.File
	Applied int
	Left    *workspace.Analysis // of File
}

// All applies fixes, checks again, and so on until nothing changes. Safe ones only, or with unsafe also the first offered
// fix of each finding; after a round with unsafe fixes the findings are new. It fails when fixes do not come to an end or
// would break the syntax, and the file is then to be left alone.
func All(w *workspace.Workspace, f *parse.File, unsafe bool) (Result, error) {
	r := Result{File: f}
	seen := map[string]bool{string(f.Src): true}
	for range maxRounds {
		r.Left = w.Check(r.File)
		edits, n := Round(r.Left, unsafe)
		if n == 0 {
			return r, nil
		}
		text, err := parse.Apply(r.File.Src, edits)
		if err != nil {
			return r, err
		}
		next := r.File.Edit(text)
		if broken(next) > broken(r.File) {
			return r, fmt.Errorf("a fix would break the syntax near line %d", lineOf(r.File, edits[0].Start))
		}
		if seen[string(next.Src)] {
			return r, fmt.Errorf("fixes undo each other near line %d", lineOf(r.File, edits[0].Start))
		}
		seen[string(next.Src)] = true
		r.File, r.Applied = next, r.Applied+n
	}
	return r, fmt.Errorf("fixes do not come to an end after %d rounds", maxRounds)
}

func lineOf(f *parse.File, off int) int {
	line, _ := f.Position(off, parse.UTF8)
	return line + 1
}

func broken(f *parse.File) int {
	n := 0
	for _, c := range f.Chunks {
		if c.Broken {
			n++
		}
	}
	return n
}

// Round gathers the edits of as many fixes as can be applied together, ordered by position, and how many fixes they are of. Of
// unsafe ones it takes one for each top-level statement.
func Round(a *workspace.Analysis, unsafe bool) ([]parse.Edit, int) {
	var taken []parse.Edit
	n := 0
	changed := map[*parse.Chunk]bool{} // by unsafe fixes: what else is found there may be another thing afterwards
	for _, d := range a.Findings {
		f := pick(d, unsafe)
		if f == nil || f.Safety == rule.Unsafe && touches(changed, f) {
			continue
		}
		edits, ok := Edits(a, f)
		if !ok || overlaps(taken, edits) {
			continue
		}
		taken = merge(taken, edits)
		n++
		for _, e := range f.Edits {
			changed[e.Loc.Chunk] = changed[e.Loc.Chunk] || f.Safety == rule.Unsafe
		}
	}
	return taken, n
}

func touches(changed map[*parse.Chunk]bool, f *rule.Fix) bool {
	return slices.ContainsFunc(f.Edits, func(e rule.Edit) bool { return changed[e.Loc.Chunk] })
}

// pick chooses the fix that is applied without asking: the first safe one, or with unsafe the first of all.
func pick(d *rule.Diagnostic, unsafe bool) *rule.Fix {
	for i, f := range d.Fixes {
		if f.Safety == rule.Safe || unsafe && i == 0 && f.Safety == rule.Unsafe {
			return f
		}
	}
	return nil
}

// Edits turns a fix into edits of the analysed file, with the line ends that the file has. It fails when a place is gone or
// in another file.
func Edits(a *workspace.Analysis, f *rule.Fix) ([]parse.Edit, bool) {
	var out []parse.Edit
	crlf := usesCRLF(a.File.Src)
	for _, e := range f.Edits {
		start, end, ok := a.File.Range(e.Loc)
		if !ok {
			return nil, false
		}
		text := e.New
		if crlf {
			text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
		}
		out = append(out, parse.Edit{Start: start, End: end, New: text})
	}
	return out, len(out) > 0
}

// usesCRLF looks at the first line end.
func usesCRLF(text []byte) bool {
	for i, c := range text {
		if c == '\n' {
			return i > 0 && text[i-1] == '\r'
		}
	}
	return false
}

// overlaps reports whether an edit touches text that one already taken touches; those taken are in order. Two equal edits, such as the same import
// added for two findings, do not overlap: they are made once.
func overlaps(taken, edits []parse.Edit) bool {
	for _, e := range edits {
		first, _ := slices.BinarySearchFunc(taken, e.Start, func(t parse.Edit, start int) int { return cmp.Compare(t.End, start) })
		for _, t := range taken[first:] {
			if t.Start > e.End {
				break
			}
			if e != t {
				return true
			}
		}
	}
	return false
}

func merge(taken, edits []parse.Edit) []parse.Edit {
	for _, e := range edits {
		at, _ := slices.BinarySearchFunc(taken, e, func(t, e parse.Edit) int {
			return cmp.Or(cmp.Compare(t.Start, e.Start), cmp.Compare(t.End, e.End))
		})
		same := at
		for same < len(taken) && taken[same].Start == e.Start && taken[same].End == e.End && taken[same] != e {
			same++
		}
		if same == len(taken) || taken[same] != e {
			taken = slices.Insert(taken, same, e)
		}
	}
	return taken
}
