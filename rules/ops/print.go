package ops

import (
	"fmt"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

const plPrint, jaxPrint = "jax.experimental.pallas.debug_print", "jax.debug.print"

// printed is a call of pl.debug_print or jax.debug.print, as far as it is known.
type printed struct {
	format       string
	placeholders int
	specs, names bool // format specs or conversions, and fields with a name or number
	args         []infer.Value
	locs         []parse.Loc // where each is written
	keywords     bool
}

// readPrint reads a call of debug_print; false when its format is not known.
func readPrint(c *infer.Call) (*printed, bool) {
	d := &printed{}
	seen := false
	for _, a := range c.Args {
		switch {
		case a.Star != 0:
			return nil, false
		case a.Name == "fmt" || a.Name == "" && !seen:
			s, ok := a.Value.(infer.Str)
			if !ok {
				return nil, false
			}
			d.format, seen = string(s), true
		case a.Name == "ordered" || a.Name == "partitioned" || a.Name == "skip_format_check":
		case a.Name != "":
			d.keywords = true
		default:
			d.args, d.locs = append(d.args, a.Value), append(d.locs, a.Loc)
		}
	}
	return d, seen && d.parse()
}

// parse reads the format as string.Formatter does; false when it is not well formed or nested.
func (d *printed) parse() bool {
	for s := d.format; s != ""; {
		i := strings.IndexAny(s, "{}")
		if i < 0 {
			break
		}
		if i+1 < len(s) && s[i+1] == s[i] {
			s = s[i+2:]
			continue
		}
		end := strings.IndexByte(s, '}')
		if s[i] == '}' || end < i || strings.IndexByte(s[i+1:end], '{') >= 0 {
			return false
		}
		field, spec, hasSpec := strings.Cut(s[i+1:end], ":")
		field, _, conversion := strings.Cut(field, "!")
		d.placeholders++
		d.specs = d.specs || hasSpec && spec != "" || conversion
		d.names = d.names || field != ""
		s = s[end+1:]
	}
	return true
}

// scalars: how many of the values are scalars and how many are not; known is false when that can't be told of one.
func (d *printed) scalars() (scalars, others int, known bool) {
	for _, v := range d.args {
		xs, ok := alternatives(v)
		if !ok {
			return 0, 0, false
		}
		for i, x := range xs {
			if x.Shape.Dims == nil || i > 0 && x.Shape.IsRank(0) != xs[0].Shape.IsRank(0) {
				return 0, 0, false
			}
		}
		if xs[0].Shape.IsRank(0) {
			scalars++
		} else {
			others++
		}
	}
	return scalars, others, true
}

// printFormat models jax/_src/pallas/primitives.py check_debug_print_format, as jax/_src/pallas/mosaic/lowering.py _debug_print_rule uses it.
var printFormat = &rule.Rule{
	Name: "debug-print-format",
	Page: page("print_format.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){plPrint: onTC(checkFormat), jaxPrint: func(p *rule.Pass, c *infer.Call) {
		if !unusedValues(p, c) {
			onTC(checkFormat)(p, c)
		}
	}},
}

// unusedValues models jax/_src/debugging.py, whose print wants a placeholder for each value.
func unusedValues(p *rule.Pass, c *infer.Call) bool {
	d, ok := readPrint(c)
	if !ok || c.Kernel == nil || onGPU(c.Kernel) || c.Open || !decided(c.Path) || d.names || c.Arg("skip_format_check") != nil || len(d.args) <= d.placeholders {
		return false
	}
	p.Report(c.Loc, "the format has %s for %s; `jax.debug.print` wants one for each value, `pl.debug_print` does not", count(d.placeholders, "placeholder"), count(len(d.args), "value")).
		Says("ValueError: Unused positional arguments to `jax.debug.print`")
	return true
}

func checkFormat(p *rule.Pass, c *infer.Call) {
	d, ok := readPrint(c)
	if !ok {
		return
	}
	_, vectors, known := d.scalars()
	switch {
	case d.keywords:
		p.Report(c.Loc, "a kernel prints positional values only: write `{}` in the format and pass them in order").
			Says("ValueError: Only positional arguments are supported by debug_print on Pallas.").
			Offer(plainFormat(p, c, d))
	case !known || vectors > 0 || d.placeholders == 0:
	case d.specs:
		p.Report(c.Loc, "the format holds a format spec or a conversion; in a kernel a placeholder is a plain `{}`").
			Says("ValueError: The format string should not contain any format specs or conversions").
			Offer(plainFormat(p, c, d))
	case d.names:
		p.Report(c.Loc, "the format names a value; in a kernel a placeholder is a plain `{}`, and the values are taken in order").
			Says("ValueError: The format string should not reference arguments by position or name").
			Offer(plainFormat(p, c, d))
	case d.placeholders != len(d.args):
		p.Report(c.Loc, "the format has %s for %s", count(d.placeholders, "placeholder"), count(len(d.args), "value")).
			Says("TypeError: The format string expects %s, but got %d", count(d.placeholders, "argument"), len(d.args))
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// printDType models the check of the types of scalars in jax/_src/pallas/mosaic/lowering.py _debug_print_rule.
var printDType = &rule.Rule{
	Name: "debug-print-dtype",
	Page: page("print_dtype.md"),
	Call: on(onTC(func(p *rule.Pass, c *infer.Call) {
		d, ok := readPrint(c)
		if !ok || d.placeholders == 0 || d.placeholders != len(d.args) || d.specs || d.names || d.keywords {
			return
		}
		if _, vectors, known := d.scalars(); !known || vectors > 0 {
			return
		}
		for i, v := range d.args {
			x, isArray := array(v)
			if !isArray || x.DType == "" || x.DType == jax.Float32 || x.DType.IsInteger() && x.DType.Bits() >= 32 {
				continue
			}
			p.Report(c.Loc, "a %s scalar is printed; only int32, uint32 and float32 scalars go into placeholders: convert it first", x.DType).
				Says("TypeError: All arguments must be 32-bit integers or floats when using placeholders (`{...}`). If you need to print values of other types, remove placeholders from the format string.").
				Offer(printable(p, d.locs[i], x.DType))
			return
		}
	}), plPrint, jaxPrint),
}

// printVector models the checks for arrays in jax/_src/pallas/mosaic/lowering.py _debug_print_rule.
var printVector = &rule.Rule{
	Name: "debug-print-vector",
	Page: page("print_vector.md"),
	Call: on(onTC(func(p *rule.Pass, c *infer.Call) {
		d, ok := readPrint(c)
		if !ok || d.keywords {
			return
		}
		_, vectors, known := d.scalars()
		for _, v := range d.args {
			if r, isRef := v.(*infer.Ref); isRef && !r.Guess {
				p.Report(c.Loc, "`%s` is a ref; print what `%s[...]` reads", r.Name, r.Name).
					Says("ValueError: All inputs to debug_print must be all scalars or a single vector, but got ...")
				return
			}
		}
		switch {
		case !known || vectors == 0:
		case len(d.args) > 1:
			p.Report(c.Loc, "an array is printed together with other values; a kernel prints scalars, or one array").
				Says("ValueError: All inputs to debug_print must be all scalars or a single vector, but got ...")
		case !strings.HasSuffix(d.format, "{}"):
			p.Report(c.Loc, "an array is printed; its format must end with `{}`, where the array goes").
				Says("ValueError: For vector input, the format string must end with {}.")
		}
	}), plPrint, jaxPrint),
}

// scPrint models jax/_src/pallas/mosaic/sc_lowering.py _debug_print_lowering_rule.
var scPrint = &rule.Rule{
	Name: "sc-debug-print",
	Page: page("sc_print.md"),
	Call: on(onSC(func(p *rule.Pass, c *infer.Call) {
		d, ok := readPrint(c)
		if !ok {
			return
		}
		switch {
		case d.placeholders > 0:
			p.Report(c.Loc, "the format has a placeholder; a SparseCore prints the text, then the value: leave `{}` out").
				Says("NotImplementedError: pl.debug_print() does not support placeholders when lowering to SparseCore").
				Offer(noPlaceholder(p, c, d))
		case d.keywords:
			p.Report(c.Loc, "a SparseCore prints one positional value").
				Says("NotImplementedError: pl.debug_print() does not support keyword arguments when lowering to SparseCore")
		case len(d.args) > 1:
			p.Report(c.Loc, "%d values are printed; a SparseCore prints one: print them one by one", len(d.args)).
				Says("NotImplementedError: pl.debug_print() does not support multiple inputs when lowering to SparseCore")
		}
	}), plPrint, jaxPrint),
}
