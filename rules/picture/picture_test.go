package picture

import (
	"encoding/xml"
	"errors"
	"flag"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules/inspect"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/workspace"
)

func draw(t *testing.T, path, kernel string) *Picture {
	t.Helper()
	f, wrong := read(t, path)
	k := Find(f, kernel, 0)
	if k == nil {
		t.Fatalf("%s: no kernel %q", path, kernel)
	}
	return Of(f, k, wrong)
}

func read(t *testing.T, path string) (*inspect.File, func(parse.Loc) bool) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	path, err = filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	a := workspace.New([]string{filepath.Dir(path)}, nil).Check(parse.Parse(path, text))
	return inspect.Of(a, filepath.Base), a.Wrong
}

const prefetch = `kernel on a TensorCore, grid (4,)
╭─ HBM ──────────────────────────────────╮
│ array of q_ref  bf16[32, 128]  8 KiB   │
│ array of o_ref  bf16[32, 128]  8 KiB   │
╰────────────────────────────────────────╯
╭─ ANY ───────────────────────────────╮
│ kv_hbm  bf16[64, 8, 128]  128 KiB   │
╰─────────────────────────────────────╯
╭─ VMEM  12 KiB ───────────────────╮
│ q_ref  bf16[8, 128]  2 × 2 KiB   │
│ o_ref  bf16[8, 128]  2 × 2 KiB   │
│ buf    bf16[2, 8, 128]  4 KiB    │
╰──────────────────────────────────╯
╭─ SMEM  36 B ──────────────╮
│ lens_ref   i32[4]  16 B   │
│ pages_ref  i32[4]  16 B   │
│ step_ref   i32[1]  4 B    │
╰───────────────────────────╯
╭─ SEMAPHORE ────────╮
│ sems  dma_sem[2]   │
╰────────────────────╯
  array of q_ref ┄┄▶ q_ref  each step · line 19
  o_ref ┄┄▶ array of o_ref  when the block changes · line 19
  pages_ref ──▶ core        load · line 10
  lens_ref ──▶ core         load · line 10
  step_ref ──▶ core         load · line 10
  kv_hbm ──▶ buf            2 KiB, sems · line 11
  q_ref ──▶ core            load · line 13
  buf ──▶ core              load · line 13
  core ──▶ o_ref            store · line 13
grid (4,): 4 steps
q_ref at (i, 0): (0, 0) (1, 0) (2, 0) (3, 0); all 4 blocks
o_ref at (i, 0): (0, 0) (1, 0) (2, 0) (3, 0); all 4 blocks
`

func TestText(t *testing.T) {
	if got := draw(t, "../../testdata/idioms/counted_prefetch.py", "").Text(); got != prefetch {
		t.Errorf("%s", got)
	}
}

// TestPipeline: the kernel around a pipeline is drawn with the pipeline's blocks, which come from the refs that it was given.
func TestPipeline(t *testing.T) {
	got := draw(t, "../../testdata/idioms/pipeline_scratches.py", "kernel").Text()
	for _, want := range []string{"x_hbm ┄┄▶ x_vmem", "o_vmem ┄┄▶ o_hbm", "x_vmem  f32[8, 128]  2 × 4 KiB", "x_hbm ──▶ state"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

// TestWrong: what an error is about is marked in every format, and nothing else is.
func TestWrong(t *testing.T) {
	p := draw(t, "../../testdata/cases/tensorcore/load_hbm_bad.py", "")
	if text := p.Text(); strings.Count(text, "✗") != 1 || !strings.Contains(text, "✗ x_hbm ──▶ core") {
		t.Errorf("%s", text)
	}
	if svg := p.SVG(); !strings.Contains(svg, `class="arrow load wrong"`) || strings.Contains(svg, `class="arrow store wrong"`) {
		t.Errorf("%s", svg)
	}
	if !strings.Contains(p.Mermaid(), "linkStyle") {
		t.Errorf("%s", p.Mermaid())
	}
	if good := draw(t, "../../testdata/idioms/counted_prefetch.py", ""); strings.Contains(good.Mermaid(), "linkStyle") || strings.Contains(good.SVG(), `wrong"`) {
		t.Error("something is wrong in a good kernel")
	}
}

// TestSVG: every drawing is well-formed, and each of its texts lies inside the page.
func TestSVG(t *testing.T) {
	for _, pattern := range []string{"../../testdata/idioms/*.py", "../../testdata/cases/golden/*.py"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatal(pattern, err)
		}
		for _, path := range paths {
			f, wrong := read(t, path)
			for _, k := range f.Kernels {
				checkSVG(t, path, Of(f, k, wrong).SVG())
			}
		}
	}
}

func checkSVG(t *testing.T, path, svg string) {
	t.Helper()
	var page struct {
		Width  float64 `xml:"width,attr"`
		Height float64 `xml:"height,attr"`
		Texts  []struct {
			X      float64 `xml:"x,attr"`
			Y      float64 `xml:"y,attr"`
			Anchor string  `xml:"text-anchor,attr"`
			Text   string  `xml:",innerxml"`
		} `xml:"g>text"`
	}
	if err := xml.NewDecoder(strings.NewReader(svg)).Decode(&page); err != nil && !errors.Is(err, io.EOF) {
		t.Errorf("%s: %v", path, err)
		return
	}
	for _, x := range page.Texts {
		if x.X < 0 || x.Y < 0 || x.X > page.Width || x.Y > page.Height || x.Anchor == "end" && x.X < textWidth(x.Text)*0.5 {
			t.Errorf("%s: %q at %v, %v is off the page of %v by %v", path, x.Text, x.X, x.Y, page.Width, page.Height)
		}
	}
}

func TestFind(t *testing.T) {
	f := &inspect.File{Kernels: []*inspect.Kernel{
		{Name: "a", Line: 3, Core: jax.TensorCore, Site: inspect.Site{Line: 30}},
		{Name: "b", Line: 10, Site: inspect.Site{Line: 20}},
	}}
	for _, c := range []struct {
		name string
		line int
		want string
	}{{"b", 0, "b"}, {"", 5, "a"}, {"", 12, "b"}, {"", 20, "b"}, {"", 30, "a"}, {"", 0, "a"}, {"", 1, "a"}} {
		if k := Find(f, c.name, c.line); k == nil || k.Name != c.want {
			t.Errorf("%q, line %d: %v, want %s", c.name, c.line, k, c.want)
		}
	}
	if Find(f, "c", 0) != nil || Find(&inspect.File{}, "", 1) != nil {
		t.Error("found what there is not")
	}
}

var label = regexp.MustCompile(`<g class="arrow [^>]*><text x="(-?\d+)" y="(-?\d+)"( text-anchor="end")?>([^<]*)</text>`)

// TestLabels: no label of an arrow lies on another one.
func TestLabels(t *testing.T) {
	drawn := 0
	for _, pattern := range []string{"../../testdata/idioms/*.py", "../../testdata/cases/golden/*.py", "../../testdata/cases/sparsecore/*_bad.py", "../../testdata/readme/*.py"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			f, wrong := read(t, path)
			for _, name := range Names(f) {
				drawn++
				apart(t, path+":"+name, Of(f, Find(f, name, 0), wrong).SVG())
			}
		}
	}
	if drawn < 100 {
		t.Fatalf("only %d drawings", drawn)
	}
}

func apart(t *testing.T, what, svg string) {
	type box struct {
		x, y, w float64
		text    string
	}
	var all []box
	for _, m := range label.FindAllStringSubmatch(svg, -1) {
		x, _ := strconv.ParseFloat(m[1], 64)
		y, _ := strconv.ParseFloat(m[2], 64)
		b := box{x, y, textWidth(html.UnescapeString(m[4])), m[4]}
		if m[3] != "" {
			b.x -= b.w
		}
		for _, o := range all {
			if b.x < o.x+o.w && o.x < b.x+b.w && b.y-9 < o.y && o.y-9 < b.y {
				t.Errorf("%s: %q lies on %q", what, b.text, o.text)
			}
		}
		all = append(all, b)
	}
}

var update = flag.Bool("update", false, "draw the pictures of the README anew")

// TestReadme: the pictures that the README shows are those that are drawn.
func TestReadme(t *testing.T) {
	for name, path := range map[string]string{"picture-wrong": "../../testdata/readme/embed.py", "picture-grid": "../../testdata/idioms/counted_prefetch.py"} {
		got, file := draw(t, path, "").SVG(), "../../docs/img/"+name+".svg"
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(file); err != nil || string(want) != got {
			t.Errorf("%s is not what is drawn; go test ./rules/picture -update (%v)", file, err)
		}
	}
}
