package picture

import (
	"fmt"
	"strings"
)

// Mermaid writes the picture as a flowchart of Mermaid.
func (p *Picture) Mermaid() string {
	var b strings.Builder
	b.WriteString("---\ntitle: " + quoted(p.Title) + "\n---\nflowchart LR\n")
	ids := map[*Ref]string{nil: "core"}
	for i, box := range p.Boxes {
		title := box.Name
		if box.Note != "" {
			title += ", " + box.Note
		}
		fmt.Fprintf(&b, "  subgraph m%d[%s]\n", i, quoted(title))
		for _, r := range box.Refs {
			ids[r] = fmt.Sprintf("r%d", len(ids))
			fmt.Fprintf(&b, "    %s[%s]\n", ids[r], quoted(strings.TrimSpace(r.Name+"<br/>"+r.Type+" "+r.Size)))
		}
		b.WriteString("  end\n")
	}
	fmt.Fprintf(&b, "  core([%s])\n", quoted(p.Core))
	var wrong []string
	for i, a := range p.Arrows {
		shaft := "-->"
		if a.Kind == Window {
			shaft = "-.->"
		}
		fmt.Fprintf(&b, "  %s %s|%s| %s\n", ids[a.From], shaft, quoted(a.text()), ids[a.To])
		if a.Wrong {
			wrong = append(wrong, fmt.Sprint(i))
		}
	}
	if len(wrong) > 0 {
		fmt.Fprintf(&b, "  linkStyle %s stroke:#cf222e,stroke-width:3px,color:#cf222e\n", strings.Join(wrong, ","))
	}
	return b.String()
}

func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, "#quot;") + `"` }
