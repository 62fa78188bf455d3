package explain

import (
	"regexp"
	"strconv"
	"strings"
)

// Trace is what a pasted text was read as: the exceptions of a chain, in the order in which they are printed.
type Trace struct {
	Errors []*Error
}

// Error is one exception of a chain.
type Error struct {
	Type    string // the last part of the dotted name; empty when the text shows none
	Message string // all its lines
	Frames  []Frame
}

// Frame is one line of a stack, the outermost first.
type Frame struct {
	Path     string // as printed: a path, <stdin>, or the name of a notebook's cell
	Line     int
	Function string
	Code     string // the source line, when it was printed
}

var (
	ansi = regexp.MustCompile(`\x1b\[[0-9;:?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-_]`)
	// pythonFrame: File "kernels/embed.py", line 31, in kernel
	pythonFrame = regexp.MustCompile(`^[\s|+]*File "([^"]+)", line (\d+)(?:, in (.+))?$`)
	// notebookFrame: File ~/kernels/embed.py:31, in kernel(x_hbm) or: Cell In[3], line 5, in kernel(x_hbm)
	notebookFrame = regexp.MustCompile(`^(?:File (.+?):(\d+)|((?:Cell )?In ?\[\d+\]), line (\d+))(?:, in ([^()]+))?.*$`)
	// oldNotebookFrame: <ipython-input-3-0123abcd> in kernel(x_hbm) or: ~/kernels/embed.py in kernel(x_hbm)
	oldNotebookFrame = regexp.MustCompile(`^(<ipython-input-[^>]+>|[~/.\w][^\s"]*\.py) in ([^\s()]+)\(.*\)$`)
	// arrowLine: ---> 31     v = x_hbm[i, :]
	arrowLine = regexp.MustCompile(`^-+> ?(\d+) (.*)$`)
	// pytestFrame: kernels/embed.py:31: NotImplementedError
	pytestFrame = regexp.MustCompile(`^(\S+\.py):(\d+):(?: in (\S+)| [A-Z]\w*)?$`)
	pytestError = regexp.MustCompile(`^E {3,}(.*)$`)
	pytestCode  = regexp.MustCompile(`^> {3,}(.*)$`)
	// mosaicLoc: loc("get"("/kernels/embed.py":31:12 to :24))
	mosaicLoc = regexp.MustCompile(`"([^"\s]+\.py)":(\d+):\d+`)
	header    = regexp.MustCompile(`^[\s|+]*(Exception Group )?Traceback \(most recent call last\):|Traceback \(most recent call last\)\s*$`)
	// errorLine: jax.errors.JaxRuntimeError: INTERNAL: Mosaic failed ...
	errorLine = regexp.MustCompile(`^\s*((?:[A-Za-z_]\w*\.)*([A-Z]\w*))(?:: ?(.*))?$`)
	groupBars = regexp.MustCompile(`^ *[|+]-?[-+]*(?: \d+ -+$| )?`)
	between   = regexp.MustCompile(`^(The above exception was the direct cause of|During handling of the above exception|The preceding stack trace is the source of|-{20,}$)`)
)

// ReadTrace reads an error or a whole traceback as a terminal, a notebook, pytest or a log shows it. It never fails: a
// text without any such form is one error without a type.
func ReadTrace(text string) *Trace {
	text = ansi.ReplaceAllString(text, "")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\u00a0", " ")
	r := &traceReader{}
	for _, line := range unwrapped(unprefixed(strings.Split(text, "\n"))) {
		r.line(strings.TrimRight(r.ungrouped(line), " \t\r"))
	}
	r.finish()
	if len(r.trace.Errors) == 0 {
		r.trace.Errors = []*Error{{Message: strings.TrimSpace(text)}}
	}
	return &r.trace
}

// traceReader goes through the lines once. frames are those since the last error; code says that the next line may be the
// source of the last frame; message is the error whose further lines are being read.
type traceReader struct {
	trace   Trace
	frames  []Frame
	code    bool
	message *Error
	group   bool   // inside an exception group
	pending string // pytest's line of code, before its frame
	closed  bool   // the last error has all of its frames: pytest prints the innermost below it
}

// logged is the start of a traceback in a log, where each line has what the logger puts before it.
var logged = regexp.MustCompile(`^(.*\S\s+)Traceback \(most recent call last\):\s*$`)

var digits = regexp.MustCompile(`\d+`)

// unprefixed takes off what a logger puts before each line: what stands before "Traceback", with any digits for its digits.
func unprefixed(lines []string) []string {
	for _, line := range lines {
		m := logged.FindStringSubmatch(line)
		if m == nil || header.MatchString(line) {
			continue
		}
		prefix, err := regexp.Compile("^" + digits.ReplaceAllLiteralString(regexp.QuoteMeta(strings.TrimRight(m[1], " \t")), `\d+`) + `(?:\s{` + strconv.Itoa(len(m[1])-len(strings.TrimRight(m[1], " \t"))) + `}|$)`)
		if err != nil {
			return lines
		}
		out := make([]string, len(lines))
		for i, line := range lines {
			out[i] = prefix.ReplaceAllLiteralString(line, "")
		}
		return out
	}
	return lines
}

// A text was wrapped when so many of its lines are as long as the longest, and that is as long.
const (
	minWrapped = 5
	minWidth   = 60
)

// unwrapped puts lines together again that were broken at a width.
func unwrapped(lines []string) []string {
	width, n := 0, 0
	for _, line := range lines {
		switch l := len(line); {
		case l > width:
			width, n = l, 1
		case l == width:
			n++
		}
	}
	if n < minWrapped || width < minWidth {
		return lines
	}
	var out []string
	joined := ""
	for _, line := range lines {
		joined += line
		if len(line) < width {
			out = append(out, joined)
			joined = ""
		}
	}
	return append(out, joined)
}

// ungrouped takes off the bars that an exception group has at its left.
func (r *traceReader) ungrouped(line string) string {
	r.group = r.group || strings.Contains(line, "Exception Group Traceback")
	if !r.group {
		return line
	}
	return groupBars.ReplaceAllString(line, "")
}

func (r *traceReader) line(line string) {
	switch {
	case header.MatchString(line):
		r.endMessage()
		r.frames, r.code = nil, false
	case between.MatchString(line):
		r.endMessage()
		r.code, r.closed = false, true
	case r.frame(line):
		r.endMessage()
	case r.pytest(line):
	case r.arrow(line):
	case r.code && line != "" && (line[0] == ' ' || line[0] == '\t' || line[0] == '|'):
		r.source(line)
	case r.startsError(line):
	case r.message != nil:
		r.message.Message += "\n" + line
	}
}

func (r *traceReader) endMessage() { r.message = nil }

func (r *traceReader) add(f Frame) bool {
	r.frames = append(r.frames, f)
	r.code = f.Code == ""
	return true
}

func (r *traceReader) frame(line string) bool {
	if m := pythonFrame.FindStringSubmatch(line); m != nil {
		return r.add(Frame{Path: m[1], Line: number(m[2]), Function: m[3]})
	}
	if m := notebookFrame.FindStringSubmatch(line); m != nil {
		return r.add(Frame{Path: m[1] + m[3], Line: number(m[2] + m[4]), Function: m[5]})
	}
	if m := oldNotebookFrame.FindStringSubmatch(line); m != nil {
		return r.add(Frame{Path: m[1], Function: m[2]})
	}
	return false
}

// source takes the printed source of the last frame; Python prints it in one line, carets below it.
func (r *traceReader) source(line string) {
	text := strings.TrimSpace(strings.TrimLeft(line, "| "))
	last := &r.frames[len(r.frames)-1]
	if last.Code == "" && strings.Trim(text, "^~ ") != "" && !isNumbered(text) {
		last.Code = text
	}
}

// isNumbered recognises the lines around the failing one in a notebook: "     30 def kernel(x):".
func isNumbered(text string) bool {
	first, _, _ := strings.Cut(text, " ")
	_, err := strconv.Atoi(first)
	return err == nil
}

func (r *traceReader) arrow(line string) bool {
	m := arrowLine.FindStringSubmatch(line)
	if m == nil || len(r.frames) == 0 {
		return false
	}
	last := &r.frames[len(r.frames)-1]
	last.Code = strings.TrimSpace(m[2])
	if last.Line == 0 {
		last.Line = number(m[1])
	}
	return true
}

func (r *traceReader) pytest(line string) bool {
	if m := pytestCode.FindStringSubmatch(line); m != nil {
		r.pending = strings.TrimSpace(m[1])
		return true
	}
	if m := pytestError.FindStringSubmatch(line); m != nil {
		if !r.startsError(m[1]) && r.message != nil {
			r.message.Message += "\n" + m[1]
		}
		return true
	}
	if m := pytestFrame.FindStringSubmatch(line); m != nil {
		f := Frame{Path: m[1], Line: number(m[2]), Function: m[3], Code: r.pending}
		r.pending = ""
		if n := len(r.trace.Errors); n > 0 && m[3] == "" && !r.closed { // pytest prints the error first
			e := r.trace.Errors[n-1]
			e.Frames = append(e.Frames, f)
			r.closed = true
			r.endMessage()
			return true
		}
		return r.add(f)
	}
	return false
}

// startsError recognises "Type: message" at the start of a line, where one can be.
func (r *traceReader) startsError(line string) bool {
	m := errorLine.FindStringSubmatch(line)
	if m == nil || !isException(m[2]) || r.message != nil && len(r.frames) == 0 {
		return false
	}
	e := &Error{Type: m[2], Message: m[3], Frames: r.frames}
	r.trace.Errors = append(r.trace.Errors, e)
	r.message, r.frames, r.code, r.closed = e, nil, false, false
	return true
}

// isException goes by the name, as a pasted text has no more.
func isException(name string) bool {
	for _, end := range []string{"Error", "Exception", "Warning", "Interrupt", "Exit", "StopIteration", "Transformation", "Traceback", "Group"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// finish gives frames that no error followed, as in a text that was cut off, to an error without a type.
func (r *traceReader) finish() {
	if len(r.frames) > 0 {
		r.trace.Errors = append(r.trace.Errors, &Error{Frames: r.frames})
	}
	for _, e := range r.trace.Errors {
		e.Message = strings.TrimSpace(e.Message)
	}
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

// UserFrame is the author's own line: the last frame outside JAX, Python's library and installed packages. The source of the
// operation, which JAX prints as an error of its own, says more than where the compilation was asked for, and most of all the frames that JAX
// makes of what the compiler says of places; then comes what Mosaic names in its message. It is nil when there is none.
func (t *Trace) UserFrame() *Frame {
	for _, e := range t.Errors {
		if placed[e.Type] {
			if f := innermost(e.Frames); f != nil {
				return f
			}
		}
	}
	for _, e := range t.Errors {
		if e.Type == "JaxStackTraceBeforeTransformation" {
			if f := lastOwn(e.Frames); f != nil {
				return f
			}
		}
	}
	for i := len(t.Errors) - 1; i >= 0; i-- {
		if f := located(t.Errors[i]); f != nil {
			return f
		}
	}
	for i := len(t.Errors) - 1; i >= 0; i-- {
		if f := lastOwn(t.Errors[i].Frames); f != nil {
			return f
		}
	}
	return nil
}

// placed are the exceptions whose innermost frames JAX makes of the compiler's places.
var placed = map[string]bool{"VerificationError": true, "MosaicError": true}

// innermost is the last frame, if it is the author's and not the whole program's.
func innermost(frames []Frame) *Frame {
	if len(frames) == 0 || frames[len(frames)-1].Function == "<module>" || lastOwn(frames) != &frames[len(frames)-1] {
		return nil
	}
	return lastOwn(frames)
}

// located reads a place that the compiler wrote in its message.
func located(e *Error) *Frame {
	if !strings.Contains(e.Message, "loc(") {
		return nil
	}
	for _, m := range mosaicLoc.FindAllStringSubmatch(e.Message, -1) {
		if own(m[1]) {
			return &Frame{Path: m[1], Line: number(m[2])}
		}
	}
	return nil
}

func lastOwn(frames []Frame) *Frame {
	for i := len(frames) - 1; i >= 0; i-- {
		generated := frames[i].Path == "<string>" && frames[i].Function != "<module>" // by dataclasses and their like
		if own(frames[i].Path) && !generated {
			return &frames[i]
		}
	}
	return nil
}

var library = regexp.MustCompile(`[/\\](site-packages|dist-packages|lib[/\\]python3[.\d]*|Lib)[/\\]|[/\\](jax|jaxlib)[/\\](_src|experimental|interpreters|_private)[/\\]|^/<frozen |[/\\]jaxlib[/\\]`)

func own(path string) bool {
	path = strings.ReplaceAll(path, "\n", "")
	return !library.MatchString("/" + path)
}
