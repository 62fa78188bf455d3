package explain

import (
	"cmp"
	"slices"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/workspace"
)

// Finding is an error that was found in a file which the pasted text names.
type Finding struct {
	Rule    *rule.Rule
	Path    string // as the text has it
	Line    int    // from 1
	Code    string // that line
	Message string
}

// look finds the mistake in the author's files. Of several pages with the same message it is that of the finding; one on the author's very line
// explains what no page, or a general one, does.
func (a *Answer) look(w *workspace.Workspace, trace *Trace) {
	if w == nil || a.Frame == nil {
		return
	}
	found := atHand(w, a.Frame, trace)
	if f := a.likeliest(found); f != nil {
		a.Others = append([]*rule.Rule{a.Rule}, a.Others...)
		a.Others = slices.DeleteFunc(a.Others, func(r *rule.Rule) bool { return r == f.Rule })
		a.Rule, a.Found = f.Rule, f
		return
	}
	i := slices.IndexFunc(found, func(f *Finding) bool { return f.Path == a.Frame.Path && f.Line == a.Frame.Line })
	if i < 0 {
		return
	}
	a.Found = found[i]
	if a.Rule == nil || rules.Meta(a.Rule).General {
		a.Rule = found[i].Rule
	}
}

// likeliest is the finding of one of the pages that have the message, the nearest to the author's line.
func (a *Answer) likeliest(found []*Finding) (best *Finding) {
	distance := 0
	for _, f := range found {
		if f.Rule != a.Rule && !slices.Contains(a.Others, f.Rule) {
			continue
		}
		d := 1 << 30 // in another file than the line
		if f.Path == a.Frame.Path {
			d = max(f.Line-a.Frame.Line, a.Frame.Line-f.Line)
		}
		if best == nil || d < distance {
			best, distance = f, d
		}
	}
	return best
}

// atHand is what is found in the files of the author's frames, the likeliest file first.
func atHand(w *workspace.Workspace, first *Frame, trace *Trace) (out []*Finding) {
	frames := []*Frame{first}
	for _, e := range slices.Backward(trace.Errors) {
		for i := range slices.Backward(e.Frames) {
			frames = append(frames, &e.Frames[i])
		}
	}
	seen := map[string]bool{}
	for _, f := range frames {
		if seen[f.Path] || !own(f.Path) || len(seen) == maxFiles {
			continue
		}
		seen[f.Path] = true
		if file := w.Named(f.Path, f.Line, f.Code); file != nil {
			out = append(out, findings(w, file, f.Path)...)
		}
	}
	return out
}

// maxFiles bounds the files that are checked for one text.
const maxFiles = 8

// findings are the errors that are found in a file.
func findings(w *workspace.Workspace, file *parse.File, path string) (out []*Finding) {
	a := w.Check(file)
	for _, d := range a.Findings {
		place, ok := a.Place(d.Loc)
		if !ok || d.Severity != rule.Error || place.File != file {
			continue
		}
		line, _ := file.Position(place.Start, parse.UTF8)
		out = append(out, &Finding{d.Rule, path, line + 1, strings.TrimSpace(file.Line(line)), d.Message})
	}
	slices.SortStableFunc(out, func(x, y *Finding) int { return cmp.Compare(x.Line, y.Line) })
	return out
}
