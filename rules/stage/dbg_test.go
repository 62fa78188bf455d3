package stage

import (
	"fmt"
	"os"
	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"testing"
)

func TestDbg(t *testing.T) {
	p := os.Getenv("DBG")
	if p == "" {
		t.Skip()
	}
	src, _ := os.ReadFile(p)
	f := parse.Parse("case.py", src)
	facts := infer.Analyze(f, infer.Options{})
	for _, e := range facts.Entries {
		for _, w := range e.Worlds {
			for _, k := range w.Kernels {
				fmt.Println("kernel", k.Name, k.Core, k.Site.API, k.Site.Complete, len(k.Args), k.Blind)
				for _, ev := range k.Events {
					n, via := accessed(ev)
					fmt.Printf("  %s %s via %s %q refs %d node %T acc %v %q", ev.Op, ev.Loc.Text(), ev.Via, ev.Aug, len(ev.Refs), ev.Node, n != nil, via)
					for _, r := range ev.Refs {
						if r != nil {
							fmt.Printf(" %s:%s%s", r.Name, r.Spaces, r.View)
						}
					}
					fmt.Printf(" res %s idx %d\n", ev.Result, len(ev.Index))
				}
			}
		}
	}
}
func TestDbg2(t *testing.T) {
	p := os.Getenv("DBG")
	if p == "" {
		t.Skip()
	}
	src, _ := os.ReadFile(p)
	f := parse.Parse("case.py", src)
	facts := infer.Analyze(f, infer.Options{})
	for _, e := range facts.Entries {
		for _, w := range e.Worlds {
			for _, k := range w.Kernels {
				for _, ev := range k.Events {
					if ev.Call != nil {
						fmt.Println(ev.Via, ev.Call.API, ev.Call.Node != nil)
						for _, a := range ev.Call.Args {
							r, ok := a.Value.(*infer.Ref)
							fmt.Println("   ", a.Name, a.Node != nil, ok, ok && r == ev.Refs[0])
						}
					}
				}
			}
		}
	}
}
func TestDbg3(t *testing.T){ p:=os.Getenv("DBG"); if p=="" {t.Skip()}
 src,_:=os.ReadFile(p); f:=parse.Parse("case.py",src); facts:=infer.Analyze(f,infer.Options{})
 for _,e:=range facts.Entries{for _,w:=range e.Worlds{for _,k:=range w.Kernels{ for _,ev:=range k.Events{ if reads(ev)||writes(ev) { r:=ev.Refs[0]; fmt.Printf("%s %v type %s steps %d:", ev.Loc.Text(), k.Core, r.Type, len(r.Steps)); for _,s:=range r.Steps {fmt.Printf(" %s%v", s.Kind, s.Index)}; fmt.Printf(" idx %+v\n", ev.Index); d,ok:=selected(r,ev.Index); fmt.Println("  sel", d, ok, "cp", copyable(ev)) }}}}}
}
