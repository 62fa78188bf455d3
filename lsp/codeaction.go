package lsp

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"pallas-lsp/parse"
	"pallas-lsp/rules"
	"pallas-lsp/rules/fix"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/workspace"
)

// CodeAction implements textDocument/codeAction: the fixes of the findings in a range, a way to silence each, and all that is
// safe at once.
func (s *Server) CodeAction(ctx context.Context, p *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	n := s.asked(ctx, p.TextDocument.URI)
	if n == nil {
		return nil, nil
	}
	var out []protocol.CommandOrCodeAction
	switch {
	case wants(p.Context.Only, quickFix):
		out = n.quickFixes(p)
		if wants(p.Context.Only, rewrite) {
			out = append(out, n.refactorings(p, "").list...)
		}
	case wants(p.Context.Only, rewrite):
		out = n.rewrites(p, "")
	default:
		for _, k := range p.Context.Only {
			if leaf, ok := strings.CutPrefix(string(k), string(rewrite)+"."); ok {
				out = append(out, n.rewrites(p, leaf)...)
			}
		}
	}
	automatic := p.Context.TriggerKind == protocol.CodeActionTriggerKindAutomatic
	if wants(p.Context.Only, fixAll) && (len(p.Context.Only) > 0 || !automatic) {
		if a := n.fixAllAction(); a != nil {
			out = append(out, a)
		}
	}
	return out, ctx.Err()
}

// wants reports whether a client that asks for some kinds wants kind: a kind holds those that continue it after a dot.
func wants(only []protocol.CodeActionKind, kind protocol.CodeActionKind) bool {
	for _, k := range only {
		if k == kind || k == protocol.CodeActionKindEmpty || strings.HasPrefix(string(kind), string(k)+".") {
			return true
		}
	}
	return len(only) == 0
}

// maxAbout bounds the findings that a list of actions is about: nobody reads one of more.
const maxAbout = 200

func (n *snapshot) quickFixes(p *protocol.CodeActionParams) []protocol.CommandOrCodeAction {
	var fixes, ignores offered
	n.found(p, n.whole().Findings, func(d *rule.Diagnostic, about []protocol.Diagnostic) {
		for _, f := range d.Fixes {
			fixes.add(n.fixAction(f, quickFix, about))
		}
		ignores.add(n.ignoreAction(d, about))
	})
	return append(fixes.list, ignores.list...)
}

// rewrites are the fixes that have a kind of their own, for clients that ask for it: a key can be bound to it. leaf is what the kind is or
// begins with, up to a dot.
func (n *snapshot) rewrites(p *protocol.CodeActionParams, leaf string) []protocol.CommandOrCodeAction {
	out := n.refactorings(p, leaf)
	n.found(p, n.whole().Findings, func(d *rule.Diagnostic, about []protocol.Diagnostic) {
		n.ofKind(&out, d, leaf, about)
	})
	return out.list
}

// refactorings are what rules that report nothing offer for the code in the range.
func (n *snapshot) refactorings(p *protocol.CodeActionParams, leaf string) (out offered) {
	n.found(p, n.whole().Offers(), func(d *rule.Diagnostic, _ []protocol.Diagnostic) { n.ofKind(&out, d, leaf, nil) })
	return out
}

// ofKind adds the fixes of a finding whose kind is leaf, or begins with it.
func (n *snapshot) ofKind(out *offered, d *rule.Diagnostic, leaf string, about []protocol.Diagnostic) {
	for _, f := range d.Fixes {
		if f.Kind != "" && (leaf == "" || f.Kind == leaf || strings.HasPrefix(f.Kind, leaf+".")) {
			out.add(n.fixAction(f, rewrite+"."+protocol.CodeActionKind(f.Kind), about))
		}
	}
}

// found calls f for each of the findings that touches the range.
func (n *snapshot) found(p *protocol.CodeActionParams, findings []*rule.Diagnostic, f func(*rule.Diagnostic, []protocol.Diagnostic)) {
	from, to := n.offset(p.Range.Start), n.offset(p.Range.End)
	count := 0
	for _, d := range findings {
		start, end, ok := n.file().Range(d.Loc)
		if !ok || end < from || to < start {
			continue
		}
		if count++; count > maxAbout {
			return
		}
		f(d, []protocol.Diagnostic{n.sent(d, start, end, p.Context.Diagnostics)})
	}
}

// offered are actions in the order in which they came, each once: findings that the same edit mends share it, as an editor that is told to apply
// the one action of a title applies none when there are two.
type offered struct {
	list []protocol.CommandOrCodeAction
}

func (o *offered) add(a *protocol.CodeAction) {
	if a == nil {
		return
	}
	for _, x := range o.list {
		if old := x.(*protocol.CodeAction); old.Title == a.Title && reflect.DeepEqual(old.Edit, a.Edit) {
			old.Diagnostics = append(old.Diagnostics, a.Diagnostics...)
			if a.IsPreferred != nil {
				old.IsPreferred = a.IsPreferred
			}
			return
		}
	}
	o.list = append(o.list, a)
}

// sent is the diagnostic as the client has it, so that it can tell which of its own an action is about.
func (n *snapshot) sent(d *rule.Diagnostic, start, end int, known []protocol.Diagnostic) protocol.Diagnostic {
	own := n.diagnostic(d, workspace.Place{File: n.file(), Start: start, End: end})
	for _, k := range known {
		if k.Range == own.Range && k.Code == own.Code {
			return k
		}
	}
	return own
}

func (n *snapshot) fixAction(f *rule.Fix, kind protocol.CodeActionKind, about []protocol.Diagnostic) *protocol.CodeAction {
	edits, ok := fix.Edits(n.whole(), f)
	if !ok {
		return nil
	}
	a := n.action(f.Title, kind, edits, about)
	if f.Safety == rule.Safe {
		a.IsPreferred = new(true)
	}
	return a
}

func (n *snapshot) ignoreAction(d *rule.Diagnostic, about []protocol.Diagnostic) *protocol.CodeAction {
	edit := rules.IgnoreHere(n.file(), d)
	if edit == nil {
		return nil
	}
	return n.action("Ignore "+d.Rule.Name+" here", quickFix, []parse.Edit{*edit}, about)
}

func (n *snapshot) action(title string, kind protocol.CodeActionKind, edits []parse.Edit, about []protocol.Diagnostic) *protocol.CodeAction {
	a := &protocol.CodeAction{Title: title, Kind: &kind, Diagnostics: about}
	if edits == nil {
		return a
	}
	if a.Edit = n.workspaceEdit(edits); a.Edit == nil {
		return nil
	}
	return a
}

// workspaceEdit says which version of each document it is for, where the client can take that. It is nil when an edit of a notebook reaches
// from a cell into another.
func (n *snapshot) workspaceEdit(edits []parse.Edit) *protocol.WorkspaceEdit {
	lists, ok := n.textEdits(edits)
	if !ok {
		return nil
	}
	out := &protocol.WorkspaceEdit{}
	if !n.s.can.documentChanges {
		out.Changes = map[uri.URI][]protocol.TextEdit{}
	}
	for _, v := range n.views() {
		list := lists[v.uri()]
		if len(list) == 0 && n.book != nil {
			continue
		}
		if out.Changes != nil {
			out.Changes[v.uri()] = list
			continue
		}
		change := &protocol.TextDocumentEdit{}
		change.TextDocument.URI, change.TextDocument.Version = v.uri(), &v.version
		for i := range list {
			change.Edits = append(change.Edits, &list[i])
		}
		out.DocumentChanges = append(out.DocumentChanges, change)
	}
	return out
}

// textEdits are edits by the document that they are in.
func (n *snapshot) textEdits(edits []parse.Edit) (map[uri.URI][]protocol.TextEdit, bool) {
	out := map[uri.URI][]protocol.TextEdit{}
	if n.book == nil {
		for _, e := range edits {
			out[n.doc.uri] = append(out[n.doc.uri], protocol.TextEdit{Range: n.span(n.file(), e.Start, e.End), NewText: e.New})
		}
		return out, true
	}
	cut, ok := n.book.text.Cut(edits)
	for i, list := range cut {
		start, _ := n.book.text.Span(i)
		for _, e := range list {
			u := n.book.cells[i].uri
			out[u] = append(out[u], protocol.TextEdit{Range: n.at(i).span(n.file(), start+e.Start, start+e.End), NewText: e.New})
		}
	}
	return out, ok
}

// fixAllTitle is the name of the action that applies everything safe.
const fixAllTitle = "pallas-lsp: apply all safe fixes"

// resolveData is what an action carries whose edit is worked out when it is chosen.
type resolveData struct {
	URI uri.URI `json:"uri"`
}

func (n *snapshot) fixAllAction() *protocol.CodeAction {
	if _, some := fix.Round(n.whole(), false); some == 0 {
		return nil
	}
	if !n.s.can.resolveEdit {
		return n.action(fixAllTitle, fixAll, n.allEdits(), nil)
	}
	a := n.action(fixAllTitle, fixAll, nil, nil)
	a.Data, _ = json.Marshal(resolveData{n.uri()}) // a string always becomes JSON
	return a
}

// allEdits applies everything safe, again and again, and is the one edit from the text to the result.
func (n *snapshot) allEdits() []parse.Edit {
	r, err := fix.All(n.s.w, n.file(), false)
	if err != nil {
		n.s.log.notification(string(fixAll), err)
		return []parse.Edit{}
	}
	if n.book != nil {
		return fix.Lines(string(n.text), string(r.File.Src))
	}
	return []parse.Edit{replacement(n.text, r.File.Src)}
}

// replacement is the smallest single edit between two texts that starts and ends at whole lines.
func replacement(old, text []byte) parse.Edit {
	head := 0
	for i := 0; i < min(len(old), len(text)) && old[i] == text[i]; i++ {
		if old[i] == '\n' {
			head = i + 1
		}
	}
	tail := 0
	for i := 1; i <= min(len(old), len(text))-head && old[len(old)-i] == text[len(text)-i]; i++ {
		if i < len(old)-head && i < len(text)-head && old[len(old)-i-1] == '\n' && text[len(text)-i-1] == '\n' {
			tail = i
		}
	}
	return parse.Edit{Start: head, End: len(old) - tail, New: string(text[head : len(text)-tail])}
}

// CodeActionResolve implements codeAction/resolve: the edit is worked out for the newest version.
func (s *Server) CodeActionResolve(ctx context.Context, a *protocol.CodeAction) (*protocol.CodeAction, error) {
	var d resolveData
	if len(a.Data) == 0 || json.Unmarshal(a.Data, &d) != nil || a.Edit != nil {
		return a, nil
	}
	n := s.newest(d.URI)
	out := *a
	out.Data = append(protocol.LSPAny{}, a.Data...)
	jsonrpc2.Async(ctx)
	if n != nil {
		out.Edit = n.workspaceEdit(n.allEdits())
	}
	return &out, ctx.Err()
}
