package api

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// indexed writes ref[...] for the call of pl.load or pl.store that a name is the function of. A mask or a fill value has no such form.
func indexed(p *rule.Pass, u *infer.NameUse) *rule.Fix {
	spot, ok := edit.FindAt(p.File, u.Loc, func(n parse.Node) bool { _, is := n.(parse.Expr); return is })
	if !ok || spot.Up(1) == nil {
		return nil
	}
	call, ok := spot.Up(1).Node().(*parse.Call)
	if !ok || call.Func != spot.Node() || !positional(call) || strings.Contains(spot.Text(call), "#") {
		return nil
	}
	target, ok := element(spot, call)
	up := spot.Up(2)
	if !ok || up == nil {
		return nil
	}
	_, alone := up.Node().(*parse.ExprStmt)
	switch {
	case u.Name == "jax.experimental.pallas.load" && len(call.Args) == 2:
		return edit.Fix(true, "Write `"+target+"`", rule.Safe, []rule.Edit{spot.Replace(call, target)})
	case u.Name == "jax.experimental.pallas.store" && len(call.Args) == 3 && alone:
		return edit.Fix(true, "Write `"+target+" = ...`", rule.Safe, []rule.Edit{spot.Replace(call, target+" = "+assigned(spot, call.Args[2].Value))})
	}
	return nil
}

// assigned is a value as it is written on the right of an assignment: what spans lines keeps its parentheses.
func assigned(spot *edit.Spot, x parse.Expr) string {
	text := spot.Text(x)
	switch x.(type) {
	case *parse.Walrus:
		return "(" + text + ")"
	case *parse.Call, *parse.Index, *parse.List, *parse.Dict:
		return text
	}
	if strings.Contains(text, "\n") {
		return "(" + text + ")"
	}
	return text
}

func positional(call *parse.Call) bool {
	for _, a := range call.Args {
		if a.Name != "" || a.Star > 0 {
			return false
		}
	}
	return len(call.Args) >= 2
}

// element is the part of the ref that the first two arguments name, as it is written to index the ref.
func element(spot *edit.Spot, call *parse.Call) (string, bool) {
	ref := spot.Text(call.Args[0].Value)
	switch call.Args[0].Value.(type) {
	case *parse.Name, *parse.Attr, *parse.Index, *parse.Call:
	default:
		ref = "(" + ref + ")"
	}
	items := []parse.Expr{call.Args[1].Value}
	if t, ok := call.Args[1].Value.(*parse.Tuple); ok {
		items = t.Elems
	}
	var texts []string
	for _, x := range items {
		text, ok := subscript(spot, x)
		if !ok {
			return "", false
		}
		texts = append(texts, text)
	}
	if len(texts) == 0 {
		texts = []string{"..."}
	}
	return ref + "[" + strings.Join(texts, ", ") + "]", true
}

// subscript is an index as it is written between brackets: a:b for slice(a, b).
func subscript(spot *edit.Spot, x parse.Expr) (string, bool) {
	call, ok := x.(*parse.Call)
	if !ok {
		_, starred := x.(*parse.Starred)
		return spot.Text(x), !starred
	}
	fn, named := call.Func.(*parse.Name)
	if !named || fn.ID != "slice" || spot.File.ModuleScope().Locals["slice"] {
		return spot.Text(x), true
	}
	var parts []string
	for _, a := range call.Args {
		if a.Name != "" || a.Star > 0 {
			return "", false
		}
		parts = append(parts, bound(spot, a.Value))
	}
	switch len(parts) {
	case 1:
		return ":" + parts[0], true
	case 2:
		return parts[0] + ":" + parts[1], true
	case 3:
		return strings.TrimSuffix(strings.Join(parts, ":"), ":"), parts[0] != "" || parts[1] != "" || parts[2] != ""
	}
	return "", false
}

// bound is an end of a slice between colons, where None is written as nothing.
func bound(spot *edit.Spot, x parse.Expr) string {
	switch x := x.(type) {
	case *parse.Const:
		if x.Kind == parse.ConstNone {
			return ""
		}
	case *parse.Lambda, *parse.IfExp, *parse.Walrus:
		return "(" + spot.Text(x) + ")"
	}
	return spot.Text(x)
}
