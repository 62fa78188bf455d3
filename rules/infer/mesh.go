package infer

// Mesh is the mesh that a kernel runs on, with all its axis names known; nil where there is none.
func (k *Kernel) Mesh() *Mesh {
	for ; k != nil; k = k.Outer {
		if api := k.Site.API; api != "kernel" && api != "core_map" {
			if api == "mpmd_map" {
				return nil
			}
			continue
		}
		m := k.Site.Mesh
		if m == nil || len(m.Names) == 0 {
			return nil
		}
		want := 1
		if m.Call != nil && m.Call.API == plsc+"VectorSubcoreMesh" {
			want = 2
		}
		if len(m.Names) != want {
			return nil
		}
		return m
	}
	return nil
}

// Split reports whether a pipeline is certainly split over several cores: it names axes of its kernel's mesh that have more than one
// (jax/_src/pallas/mosaic/pipeline.py _partition_grid).
func (s *Site) Split() bool {
	if axis := s.Call.Arg("core_axis"); axis != nil && !isNone(axis) {
		return s.splitByGrid(axis)
	}
	m := s.Outer.Mesh()
	if m == nil {
		return false
	}
	v := s.Call.Arg("core_axis_name")
	if l, ok := v.(*List); ok && !l.Changed {
		v = l.Content()
	}
	names := []Value{v}
	if t, ok := v.(*Tuple); ok {
		if t.Rest != nil {
			return false
		}
		names = t.Head
	}
	many := false
	for _, v := range names {
		name, ok := v.(Str)
		size, has := m.Axes[string(name)]
		if !ok || !has {
			return false
		}
		n, known := size.Known()
		given := m.Call.Arg("num_cores")
		if len(m.Names) > 1 && m.Names[1] == string(name) {
			given = m.Call.Arg("num_subcores")
		}
		many = many || known && n > 1 || size == nil && given == nil && !m.Call.Open && m.Core.IsSparseCore()
	}
	return many
}

// splitByGrid: the axis of the grid around the pipeline that is to be its cores has more than one step, whatever the chip.
func (s *Site) splitByGrid(axis Value) bool {
	i, known := asInt(axis).Known()
	for k := s.Outer; k != nil && known; k = k.Outer {
		if k.Site.API != "pallas_call" {
			continue
		}
		if !k.Site.GridKnown || i < 0 || int(i) >= len(k.Site.Grid) || k.Site.Grid[i] == nil {
			return false
		}
		n, static := k.Site.Grid[i].Known()
		return static && n > 1
	}
	return false
}
