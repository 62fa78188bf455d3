package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"pallas-lsp/rules"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/workspace"
)

type (
	object = map[string]any
	list   = []any
)

// SARIF writes the findings as SARIF 2.1.0, with all that GitHub's code scanning asks for.
func SARIF(w io.Writer, findings []*Finding, style Style) error {
	index := map[*rule.Rule]int{}
	var used []*rule.Rule
	results := list{}
	prints := map[string]int{}
	for _, f := range findings {
		if _, ok := index[f.Rule]; !ok {
			index[f.Rule] = len(used)
			used = append(used, f.Rule)
		}
		results = append(results, sarifResult(f, index[f.Rule], prints, style))
	}
	driver := object{"name": "pallas-lsp", "informationUri": rules.Home, "rules": sarifRules(used)}
	if style.Version != "" {
		driver["version"], driver["semanticVersion"] = style.Version, style.Version
	}
	run := object{"tool": object{"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(object{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": list{run}})
}

func sarifRules(used []*rule.Rule) list {
	out := list{}
	for _, r := range used {
		m := rules.Meta(r)
		out = append(out, object{"id": r.Name, "name": r.Name, "helpUri": rules.URL(r),
			"shortDescription":     object{"text": sentence(m.Summary, r.Name)},
			"fullDescription":      object{"text": sentence(m.Summary, r.Name)},
			"help":                 object{"text": rules.Readable(m.Body), "markdown": rules.Readable(m.Body)},
			"defaultConfiguration": object{"level": sarifLevel(m.Severity)}})
	}
	return out
}

func sentence(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

func sarifLevel(s rule.Severity) string {
	switch s {
	case rule.Error, rule.Warning:
		return s.String()
	}
	return "note"
}

func sarifResult(f *Finding, index int, prints map[string]int, style Style) object {
	text := f.Message
	if says := Says(f.Diagnostic); says != "" {
		text += "\nJAX will say: " + says
	}
	related := list{}
	for i, r := range f.Related {
		loc := sarifLocation(r.Place, style)
		loc["id"] = i
		loc["message"] = object{"text": r.Message}
		related = append(related, loc)
	}
	out := object{"ruleId": f.Rule.Name, "ruleIndex": index, "level": sarifLevel(f.Severity), "message": object{"text": text},
		"locations": list{sarifLocation(f.Place, style)}, "relatedLocations": related,
		"partialFingerprints": object{"pallasLsp/v1": fingerprint(f, prints, style)}}
	if fixes := sarifFixes(f, style); len(fixes) > 0 {
		out["fixes"] = fixes
	}
	return out
}

// sarifFixes offers what the editor offers, each fix as one change a file.
func sarifFixes(f *Finding, style Style) list {
	var out list
	if f.Place.File.Notebook != nil { // a region of SARIF is one of the file, which has the code as JSON
		return nil
	}
	for i, fix := range f.Fixes {
		var changes list
		byFile := map[string]object{}
		for _, e := range f.Edits[i] {
			path := e.Place.File.Path
			change := byFile[path]
			if change == nil {
				change = object{"artifactLocation": object{"uri": sarifURI(path, style)}, "replacements": list{}}
				byFile[path] = change
				changes = append(changes, change)
			}
			change["replacements"] = append(change["replacements"].(list),
				object{"deletedRegion": sarifRegion(e.Place), "insertedContent": object{"text": e.New}})
		}
		if len(changes) > 0 {
			out = append(out, object{"description": object{"text": fix.Title}, "artifactChanges": changes})
		}
	}
	return out
}

func sarifLocation(p workspace.Place, style Style) object {
	at := object{"artifactLocation": object{"uri": sarifURI(p.File.Path, style)}}
	if pos := position(p.File, p.Start); pos.Cell > 0 {
		name := fmt.Sprintf("cell %d, line %d", pos.Cell, pos.Row)
		return object{"physicalLocation": at, "logicalLocations": list{object{"fullyQualifiedName": name}}}
	}
	at["region"] = sarifRegion(p)
	return object{"physicalLocation": at}
}

func sarifRegion(p workspace.Place) object {
	start, end := position(p.File, p.Start), position(p.File, p.End)
	return object{"startLine": start.Row, "startColumn": start.Column, "endLine": end.Row, "endColumn": end.Column}
}

// sarifURI is relative for files inside the folder, so that it means the same on every machine.
func sarifURI(path string, style Style) string {
	name := style.Name(path)
	u := url.URL{Path: filepath.ToSlash(name)}
	if filepath.IsAbs(name) {
		u.Scheme = "file"
	}
	return u.String()
}

// fingerprint stays the same when the finding's line moves: the rule, the file, the text of the line, and which of several.
func fingerprint(f *Finding, prints map[string]int, style Style) string {
	line := strings.TrimSpace(lineAt(f.Place.File, f.Place.Start).text)
	sum := sha256.Sum256([]byte(strings.Join([]string{f.Rule.Name, filepath.ToSlash(style.Name(f.Place.File.Path)), line}, "\x00")))
	print := hex.EncodeToString(sum[:12])
	prints[print]++
	return fmt.Sprintf("%s:%d", print, prints[print])
}
