package report

import (
	"encoding/json"
	"io"

	"pallas-lsp/rules"
)

type jsonFinding struct {
	Code     string        `json:"code"`
	Message  string        `json:"message"`
	Severity string        `json:"severity"`
	Filename string        `json:"filename"`
	Location Position      `json:"location"`
	End      Position      `json:"end_location"`
	Fix      *jsonFix      `json:"fix"`
	Related  []jsonRelated `json:"related"`
	URL      string        `json:"url"`
}

type jsonFix struct {
	Applicability string     `json:"applicability"`
	Message       string     `json:"message"`
	Edits         []jsonEdit `json:"edits"`
}

type jsonEdit struct {
	Content  string   `json:"content"`
	Location Position `json:"location"`
	End      Position `json:"end_location"`
}

type jsonRelated struct {
	Filename string   `json:"filename"`
	Location Position `json:"location"`
	Message  string   `json:"message"`
}

// JSON writes one list, each item in the shape of ruff's, with severity and related beside.
func JSON(w io.Writer, findings []*Finding) error {
	out := []jsonFinding{}
	for _, f := range findings {
		out = append(out, toJSON(f))
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

func toJSON(f *Finding) jsonFinding {
	j := jsonFinding{Code: f.Rule.Name, Message: f.Message, Severity: f.Severity.String(), Filename: f.Place.File.Path,
		Location: position(f.Place.File, f.Place.Start), End: position(f.Place.File, f.Place.End),
		Related: []jsonRelated{}, URL: rules.URL(f.Rule)}
	if safety(f) != 0 {
		j.Fix = &jsonFix{f.Fixes[0].Safety.String(), f.Fixes[0].Title, jsonEdits(f.Edits[0])}
	}
	for _, r := range f.Related {
		j.Related = append(j.Related, jsonRelated{r.Place.File.Path, position(r.Place.File, r.Place.Start), r.Message})
	}
	return j
}

func jsonEdits(edits []Edit) []jsonEdit {
	out := []jsonEdit{}
	for _, e := range edits {
		out = append(out, jsonEdit{e.New, position(e.Place.File, e.Place.Start), position(e.Place.File, e.Place.End)})
	}
	return out
}
