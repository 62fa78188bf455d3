package explain

import (
	"strings"
	"sync"

	"pallas-lsp/rules/jax"
)

// findMessage finds where JAX raises what a.Error is: by its words, else by JAX's frame in the traceback, else by the words that it begins
// with. It looks in the release, then in the others, from the newest.
func (a *Answer) findMessage(release *jax.Release) {
	for _, find := range []func(*jax.Release, *Error) *jax.Message{findMessage, findPlace, findBeginning} {
		for _, r := range releases(release) {
			if m := find(r, a.Error); m != nil {
				a.Message, a.Release = m, r
				return
			}
		}
	}
	a.Release = release
}

// releases are all, the given one first, then from the newest.
func releases(first *jax.Release) []*jax.Release {
	out := []*jax.Release{first}
	versions := jax.Versions()
	for i := len(versions) - 1; i >= 0; i-- {
		if versions[i] != first.Version {
			out = append(out, jax.For(versions[i]))
		}
	}
	return out
}

// templates caches the templates of a release's messages: *jax.Release -> []template, in the order of the messages.
var templates sync.Map

func templatesOf(release *jax.Release) []template {
	if t, ok := templates.Load(release); ok {
		return t.([]template)
	}
	all := release.Messages()
	out := make([]template, len(all))
	for i := range all {
		out[i] = makeTemplate(all[i].Template)
	}
	templates.Store(release, out)
	return out
}

// findMessage finds the place in JAX's source that printed an error: of the templates that match, the one that says most; of several that say the
// same, the one in the traceback.
func findMessage(release *jax.Release, e *Error) *jax.Message {
	dense := squeeze(e.Message)
	frame := e.inJAX()
	var best *jax.Message
	weight := 0
	all := release.Messages()
	for i, t := range templatesOf(release) {
		if t.weight < minWeight {
			continue
		}
		w := 4 * t.weight
		if all[i].Exception == e.Type {
			w += 2
		}
		if raisedAt(&all[i], frame) {
			w++
		}
		if w > weight && t.match(dense) {
			best, weight = &all[i], w
		}
	}
	return best
}

// findPlace finds an error without words of its own, such as that of a bare assert, by the line of JAX that raised it.
func findPlace(release *jax.Release, e *Error) *jax.Message {
	frame := e.inJAX()
	var best *jax.Message
	nearest := 0
	all := release.Messages()
	for i := range all {
		m := &all[i]
		if m.Exception != e.Type || !raisedAt(m, frame) || !silent(m, e) {
			continue
		}
		if far := max(m.Line-frame.Line, frame.Line-m.Line); best == nil || far < nearest {
			best, nearest = m, far
		}
	}
	return best
}

// silent reports whether the place says as little as the error: nothing, or only a value.
func silent(m *jax.Message, e *Error) bool {
	return m.Template == "" && e.Message == "" || m.Template == "{}" && e.Message != ""
}

// findBeginning finds a message that was pasted, or printed, in part.
func findBeginning(release *jax.Release, e *Error) *jax.Message {
	dense := squeeze(e.Message)
	var best *jax.Message
	weight := 2 * distinct
	all := release.Messages()
	for i, t := range templatesOf(release) {
		w := 2 * t.matched(dense)
		if all[i].Exception == e.Type {
			w++
		}
		if w > weight {
			best, weight = &all[i], w
		}
	}
	return best
}

// matched counts the letters of the parts, from the first, that occur in order. The text must begin with the first, or be the beginning of it.
func (t template) matched(text string) int {
	n := 0
	if len(t.parts) > 0 && strings.HasPrefix(t.parts[0], text) {
		return len(text)
	}
	for i, p := range t.parts {
		at := strings.Index(text, p)
		if at < 0 || i == 0 && at > 0 {
			return n
		}
		n += len(p)
		text = text[at+len(p):]
	}
	return n
}

// inJAX is the innermost frame that is JAX's own; nil: the traceback shows none.
func (e *Error) inJAX() *Frame {
	for i := len(e.Frames) - 1; i >= 0; i-- {
		if f := &e.Frames[i]; belowJAX(f.Path) != "" {
			return f
		}
	}
	return nil
}

// belowJAX is a path below JAX's package, as messages have it; empty: it is elsewhere.
func belowJAX(path string) string {
	path = strings.ReplaceAll(path, `\`, "/")
	if i := strings.LastIndex(path, "/jax/_src/"); i >= 0 {
		return path[i+len("/jax/"):]
	}
	return ""
}

// raisedAt reports whether a place is in the function of a frame.
func raisedAt(m *jax.Message, f *Frame) bool {
	return f != nil && m.File == belowJAX(f.Path) && m.Function[strings.LastIndex(m.Function, ".")+1:] == f.Function[strings.LastIndex(f.Function, ".")+1:]
}
