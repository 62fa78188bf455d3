package lsp

import (
	"context"
	"encoding/json"
	"fmt"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"pallas-lsp/rules"
	"pallas-lsp/rules/explain"
	"pallas-lsp/rules/jax"
)

// Request implements the requests that are our own; docs/requests.md describes them for clients.
func (s *Server) Request(ctx context.Context, method string, params any) (any, error) {
	raw, _ := params.(protocol.LSPAny)
	switch method {
	case source + "/status":
		return own(ctx, raw, s.status)
	case source + "/explain":
		return own(ctx, raw, s.explain)
	case source + "/picture":
		return own(ctx, raw, s.picture)
	}
	return nil, jsonrpc2.ErrMethodNotFound
}

// own reads the parameters of a request, lets go of the read loop, and answers.
func own[P, R any](ctx context.Context, raw []byte, answer func(*P) (R, error)) (any, error) {
	var p P
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &p); err != nil {
			return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, err.Error())
		}
	}
	jsonrpc2.Async(ctx)
	return answer(&p)
}

type statusParams struct {
	TextDocument struct {
		URI uri.URI `json:"uri"`
	} `json:"textDocument"`
}

// status is what a document is checked with.
type status struct {
	Version string   `json:"version"`
	JAX     jaxInUse `json:"jax"`
	Chip    *string  `json:"chip"`
	Chips   []string `json:"chips"`
	Source  string   `json:"source"` // the pyproject.toml; empty: none
}

type jaxInUse struct {
	Version string `json:"version"`
	From    string `json:"from"` // empty: the newest known, since the workspace names none
}

func (s *Server) status(p *statusParams) (*status, error) {
	path := pathOf(p.TextDocument.URI)
	if d := s.notebookOf(p.TextDocument.URI); d != nil {
		path = d.path
	}
	settings := s.w.Settings(path)
	out := &status{Version: s.version, Source: settings.Source, JAX: jaxInUse{settings.Release.Version, settings.ReleaseFrom}}
	if c := settings.Config.Chip; c != nil {
		out.Chip = &c.Name
	}
	for _, c := range jax.Chips() {
		out.Chips = append(out.Chips, c.Name)
	}
	return out, nil
}

type explainParams struct {
	Name       string `json:"name"`       // of a rule
	Text       string `json:"text"`       // or what JAX printed
	JAXVersion string `json:"jaxVersion"` // that printed it; empty: the newest known
}

// explanation is a page as Markdown, and the line of the author's that a traceback names.
type explanation struct {
	Name     *string `json:"name"`
	Markdown string  `json:"markdown"`
	Path     string  `json:"path,omitempty"`
	Line     int     `json:"line,omitempty"` // from 1
	Found    *found  `json:"found,omitempty"`
}

// found is what is wrong in the author's file.
type found struct {
	Name    string `json:"name"`
	Path    string `json:"path"`
	Line    int    `json:"line"` // from 1
	Message string `json:"message"`
}

func (s *Server) explain(p *explainParams) (*explanation, error) {
	if p.Name != "" {
		if err := rules.CheckName(p.Name); err != nil {
			return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, err.Error())
		}
		r := rules.Find(p.Name)
		return &explanation{Name: &r.Name, Markdown: explain.Markdown(r)}, nil
	}
	if p.Text == "" {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, fmt.Sprintf("%s/explain needs a name or a text", source))
	}
	a := explain.Read(p.Text, jax.For(p.JAXVersion), s.w)
	out := &explanation{Markdown: a.Markdown()}
	if a.Rule != nil {
		out.Name = &a.Rule.Name
	}
	if a.Frame != nil {
		out.Path, out.Line = a.Frame.Path, a.Frame.Line
	}
	if f := a.Found; f != nil {
		out.Found = &found{f.Rule.Name, f.Path, f.Line, f.Message}
	}
	return out, nil
}
