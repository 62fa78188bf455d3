package workspace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"pallas-lsp/parse"
)

// Notebook is the text of a notebook file (nbformat 4) with where its Python stands.
type Notebook struct {
	*parse.Notebook
	raw   []byte
	cells []cellSource
}

// cellSource is the source of a code cell, and where its JSON lies in the file.
type cellSource struct {
	text       string
	start, end int
}

// IsNotebook tells a notebook by its name.
func IsNotebook(path string) bool { return filepath.Ext(path) == ".ipynb" }

// ReadNotebook reads the code cells of a notebook. It fails when the text is no notebook, or one of another language than Python.
func ReadNotebook(raw []byte) (*Notebook, error) {
	var whole struct {
		Cells    []json.RawMessage `json:"cells"`
		Metadata struct {
			Kernelspec struct {
				Language string `json:"language"`
			} `json:"kernelspec"`
			LanguageInfo struct {
				Name string `json:"name"`
			} `json:"language_info"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(raw, &whole); err != nil {
		return nil, fmt.Errorf("it is no notebook: %w", err)
	}
	if whole.Cells == nil {
		return nil, errors.New("it is no notebook: it has no list of cells")
	}
	for _, language := range []string{whole.Metadata.LanguageInfo.Name, whole.Metadata.Kernelspec.Language} {
		if language != "" && !strings.EqualFold(language, "python") && !strings.EqualFold(language, "ipython") {
			return nil, fmt.Errorf("it is a notebook of %s", language)
		}
	}
	n := &Notebook{raw: raw}
	var numbers []int
	err := eachMember(raw, 0, func(key string, at int, value json.RawMessage) error {
		if key != "cells" {
			return nil
		}
		i := 0
		return eachItem(value, at, func(at int, cell json.RawMessage) error {
			i++
			source, ok, err := codeCell(cell, at)
			if ok && err == nil {
				n.cells = append(n.cells, source)
				numbers = append(numbers, i)
			}
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("it is no notebook: %w", err)
	}
	n.Notebook = parse.JoinCells(n.Cells())
	n.Numbers = numbers
	return n, nil
}

// Cells are the texts of the code cells as they are in the file.
func (n *Notebook) Cells() []string {
	out := make([]string, len(n.cells))
	for i, c := range n.cells {
		out[i] = c.text
	}
	return out
}

// Parse parses the Python of the notebook at path.
func (n *Notebook) Parse(path string) *parse.File {
	f := parse.Parse(path, n.Text)
	f.Notebook = n.Notebook
	return f
}

// Apply returns the text of the notebook file with edits of its Python made; what else is in the file stays byte by byte. It fails when an
// edit reaches from a cell into another.
func (n *Notebook) Apply(edits []parse.Edit) ([]byte, error) {
	cut, ok := n.Cut(edits)
	if !ok {
		return nil, errors.New("a fix reaches from a cell into another")
	}
	var out []parse.Edit
	for i, edits := range cut {
		c := n.cells[i]
		text, err := parse.Apply([]byte(c.text), edits)
		if err != nil {
			return nil, err
		}
		out = append(out, parse.Edit{Start: c.start, End: c.end, New: sourceLike(n.raw[c.start:c.end], string(text))})
	}
	return parse.Apply(n.raw, out)
}

// codeCell reads a cell whose JSON begins at an offset of the file; ok is false for one that holds no code.
func codeCell(cell json.RawMessage, at int) (out cellSource, ok bool, err error) {
	err = eachMember(cell, at, func(key string, at int, value json.RawMessage) error {
		switch key {
		case "cell_type":
			ok = string(value) == `"code"`
		case "source":
			out.start, out.end = at, at+len(value)
			return joined(value, &out.text)
		}
		return nil
	})
	return out, ok && out.end > 0, err
}

// joined reads a source: a text, or a list of its lines.
func joined(value json.RawMessage, out *string) error {
	if value[0] != '[' {
		return json.Unmarshal(value, out)
	}
	var lines []string
	err := json.Unmarshal(value, &lines)
	*out = strings.Join(lines, "")
	return err
}

// sourceLike writes a source in the form that it had: one text, or a list of lines, each on a line of its own or not.
func sourceLike(old []byte, text string) string {
	if old[0] != '[' {
		return quoted(text)
	}
	open, between, end := "", ", ", ""
	if i := bytes.IndexByte(old, '"'); i > 0 && bytes.IndexByte(old[:i], '\n') >= 0 {
		open = string(old[1:i])
		between = "," + open
		end = string(old[bytes.LastIndexByte(old, '"')+1 : len(old)-1])
	}
	var lines []string
	for _, line := range strings.SplitAfter(text, "\n") {
		if line != "" {
			lines = append(lines, quoted(line))
		}
	}
	if len(lines) == 0 {
		return "[]"
	}
	return "[" + open + strings.Join(lines, between) + end + "]"
}

func quoted(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		return `""` // a string always becomes JSON
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// eachMember calls f for each member of a JSON object that begins at an offset of the file.
func eachMember(object json.RawMessage, at int, f func(key string, at int, value json.RawMessage) error) error {
	d := json.NewDecoder(bytes.NewReader(object))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.Join(errors.New("an object is missing"), err)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if err := f(key.(string), at+int(d.InputOffset())-len(value), value); err != nil {
			return err
		}
	}
	return nil
}

// eachItem calls f for each item of a JSON list that begins at an offset of the file.
func eachItem(list json.RawMessage, at int, f func(at int, item json.RawMessage) error) error {
	d := json.NewDecoder(bytes.NewReader(list))
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return errors.Join(errors.New("a list is missing"), err)
	}
	for d.More() {
		var item json.RawMessage
		if err := d.Decode(&item); err != nil {
			return err
		}
		if err := f(at+int(d.InputOffset())-len(item), item); err != nil {
			return err
		}
	}
	return nil
}
