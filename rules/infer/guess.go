package infer

// Picks reports whether the access may be no access at all: its base may be a tuple or list of refs, of which a constant subscript picks one.
func (e *Event) Picks() bool {
	if len(e.Refs) == 0 || e.Refs[0] == nil || !e.Refs[0].Guess || len(e.Refs[0].Steps) > 0 {
		return false
	}
	written := 0
	for _, x := range e.Index {
		if x.Node != nil {
			written++
		}
		switch v := x.Value.(type) {
		case *Dynamic, Ellipsis, *Ref:
			return false
		case *Array:
			if v.Traced {
				return false
			}
		}
	}
	return written <= 1
}
