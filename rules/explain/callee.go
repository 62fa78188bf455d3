package explain

import (
	"regexp"
	"strconv"
	"strings"

	"pallas-lsp/rules/jax"
)

// callee is whose function a message of Python's about arguments speaks of.
type callee uint8

const (
	anyone callee = iota // not known
	authors
	jaxs
)

func readCallee(text string) callee {
	switch text {
	case "author":
		return authors
	case "JAX":
		return jaxs
	}
	return anyone
}

var (
	// calleeForm: Mesh.__init__() takes 1 positional argument but 2 were given
	calleeForm = regexp.MustCompile(`^([\w.<>]+)\(\) (takes|missing|got) (.*)`)
	takesForm  = regexp.MustCompile(`^(?:from \d+ to )?(\d+) positional`)
	quoted     = regexp.MustCompile(`'(\w+)'`)
	ownName    = regexp.MustCompile(`<locals>|<lambda>`)
)

// calleeModules are where JAX's functions are looked for, which Python names without their modules.
var calleeModules = []string{"jax.experimental.pallas.", "jax.experimental.pallas.tpu.", "jax.experimental.pallas.tpu_sc.",
	"jax._src.pallas.mosaic.primitives.", "jax.numpy.", "jax.lax.", "jax."}

// calleeOf goes by the name: it is JAX's when JAX has such a function, and the message is true of that one's parameters.
func calleeOf(release *jax.Release, message string) callee {
	m := calleeForm.FindStringSubmatch(message)
	if m == nil {
		return anyone
	}
	if ownName.MatchString(m[1]) {
		return authors
	}
	name, constructor := strings.CutSuffix(m[1], ".__init__")
	for _, module := range calleeModules {
		if o, ok := release.Lookup(module + name); ok && saidOf(o, constructor, m[2], m[3]) {
			return jaxs
		}
	}
	return authors
}

// saidOf reports whether Python can say so of a function with these parameters.
func saidOf(o *jax.Object, constructor bool, verb, rest string) bool {
	if !o.HasParams {
		return true
	}
	switch verb {
	case "missing":
		for _, name := range quoted.FindAllStringSubmatch(rest, -1) {
			if o.Param(name[1]) == nil {
				return false
			}
		}
		return true
	case "takes":
		m := takesForm.FindStringSubmatch(rest)
		return m == nil || m[1] == strconv.Itoa(positional(o, constructor))
	}
	m := quoted.FindStringSubmatch(rest)
	return m == nil || !o.Accepts(m[1])
}

// positional counts as Python does, with the self of a constructor, which is none of the object's parameters.
func positional(o *jax.Object, constructor bool) int {
	n := 0
	if constructor {
		n++
	}
	for _, p := range o.Params {
		if p.Kind == jax.PositionalOnly || p.Kind == jax.PositionalOrKeyword {
			n++
		}
	}
	return n
}
