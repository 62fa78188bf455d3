package stage

import (
	"fmt"
	"slices"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/rule"
)

// local stages through a buffer that is made next to the access, so that no signature changes.
func (pl *plan) local() *rule.Fix {
	if _, missing := pl.pass.Release.Missing("jax.empty_ref"); missing {
		return nil
	}
	w := pl.writer()
	buf := w.free(pl.bufferName())
	region := w.region()
	var before, after []string
	if pl.form == lane && pl.loads && pl.stores || pl.form != lane && !(pl.whole && simple(pl.baseNode)) {
		part := w.free(pl.name + pl.partName())
		before = append(before, part+" = "+region)
		region = part
	}
	shape, dtype := region+".shape", region+".dtype"
	if pl.form == lane {
		shape, dtype = lanes, pl.base+".dtype"
	}
	before = append(before, pl.spot.Call(buf+" = ", w.name("jax", "empty_ref"), fmt.Sprintf("%s(%s, %s)", w.name("jax", "ShapeDtypeStruct"), shape, dtype),
		"memory_space="+w.name(tpu, pl.space.String())))
	if pl.loads {
		before = append(before, fmt.Sprintf("%s(%s, %s)", w.name(tpu, "sync_copy"), region, w.end(buf)))
	}
	if pl.stores {
		after = append(after, fmt.Sprintf("%s(%s, %s)", w.name(tpu, "sync_copy"), w.end(buf), region))
	}
	return &rule.Fix{Title: fmt.Sprintf("Stage through a local %s buffer `%s` (sync_copy)", pl.space, buf), Kind: "stage.syncCopy", Safety: rule.Unsafe, Edits: w.edits(buf, before, after)}
}

func (pl *plan) partName() string {
	if pl.stores {
		return "_dst"
	}
	return "_src"
}

func (pl *plan) bufferName() string { return pl.name + "_" + strings.ToLower(pl.space.String()) }

// simple: the expression of a ref may stand twice, as it does nothing and is short.
func simple(n parse.Node) bool {
	switch x := n.(type) {
	case *parse.Name:
		return true
	case *parse.Attr:
		return x.Name != "at" && simple(x.X)
	case *parse.Index:
		return simple(x.X) && len(x.Items) == 1 && literal(x.Items[0])
	}
	return false
}

func literal(x parse.Expr) bool {
	switch x.(type) {
	case *parse.Int, *parse.Str, *parse.Name:
		return true
	}
	return false
}

// writer writes the texts of one fix, with names as they are at the access.
type writer struct {
	pl    *plan
	names *edit.Names
	taken map[string]bool
}

func (pl *plan) writer() *writer {
	return &writer{pl: pl, names: &edit.Names{Spot: pl.spot}, taken: edit.Mentions(pl.spot.Funcs()[0])}
}

func (w *writer) name(module, member string) string { return w.names.Name(module, member) }

func (w *writer) free(base string) string { return edit.Free(w.taken, base) }

// region is the text of what is copied.
func (w *writer) region() string {
	if w.pl.form == lane {
		return fmt.Sprintf(w.pl.region, w.name(pallas, "ds"))
	}
	return w.pl.region
}

// end is the buffer as an end of the copy.
func (w *writer) end(buf string) string {
	if w.pl.form == lane {
		return buf + ".at[" + w.name(pallas, "ds") + "(0, 1)]"
	}
	return buf
}

// edits rewrites the uses, puts the statements around, and imports what is missing.
func (w *writer) edits(buf string, before, after []string) []rule.Edit {
	pl := w.pl
	var out []rule.Edit
	if len(before) > 0 {
		out = append(out, pl.spot.Before(before...))
	}
	for _, u := range pl.uses {
		out = append(out, pl.spot.Replace(u.node, buf+u.tail))
	}
	stmt, _ := pl.spot.Stmt()
	if a, ok := stmt.(*parse.Assign); ok && pl.form == lane && pl.stores {
		v := a.Value.Span()
		out = append(out, edit.Insert(pl.spot.Chunk, v.Start, w.name(numpy, "full")+"("+lanes+", "),
			edit.Insert(pl.spot.Chunk, v.End, ", "+pl.base+".dtype)"))
	}
	if len(after) > 0 {
		out = append(out, pl.spot.After(after...))
	}
	return unique(append(out, w.names.Edits...))
}

// unique drops edits that are there twice, such as an import that two places need.
func unique(in []rule.Edit) []rule.Edit {
	var out []rule.Edit
	for _, e := range in {
		if !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return out
}
