package jax

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestSpaces(t *testing.T) {
	unknown := Spaces(0)
	if unknown.Known() || unknown.Only(HBM) || unknown.Has(HBM) || unknown.Never(HBM) {
		t.Error("nothing may be certain of an unknown space")
	}
	two := SpacesOf(HBM, VMEMShared)
	if !two.Only(HBM, VMEMShared, SMEM) || two.Only(HBM) || !two.Has(HBM) || two.Has(VMEM) || !two.Never(VMEM, SMEM) {
		t.Error("the set of two spaces answers wrongly")
	}
	if two.One() != 0 || SpacesOf(VMEM).One() != VMEM {
		t.Error("One is for a single space")
	}
	if got := two.Join(unknown); got.Known() {
		t.Errorf("joined with the unknown: %v", got)
	}
	if got := SpacesOf(HBM, VMEM, SMEM).String(); got != "HBM, VMEM or SMEM" {
		t.Errorf("a set of three: %q", got)
	}
	for i := range numSpaces {
		s := Space(1) << i
		if back, ok := ParseSpace(s.String()); !ok || back != s {
			t.Errorf("ParseSpace(%q) = %v", s.String(), back)
		}
	}
}

func TestCoreJSON(t *testing.T) {
	got, err := json.Marshal([]Core{CoreUnknown, TensorCore, SCVectorSubcore, SCScalarSubcore, MosaicGPU, Triton})
	if want := `[null,"tensorcore","sc_vector_subcore","sc_scalar_subcore","mosaic_gpu","triton"]`; err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestDTypes(t *testing.T) {
	for _, c := range []struct {
		d                   DType
		bits, item, packing int
	}{
		{Bool, 8, 1, 4}, {Int4, 4, 1, 8}, {Uint2, 2, 1, 16}, {Float8E4M3FN, 8, 1, 4}, {Float4E2M1FN, 4, 1, 8},
		{BFloat16, 16, 2, 2}, {Float32, 32, 4, 1}, {Int64, 64, 8, 0}, {Complex64, 64, 8, 0}, {DMASem, 0, 0, 0}, {"", 0, 0, 0},
	} {
		if c.d.Bits() != c.bits || c.d.ItemSize() != c.item || c.d.Packing() != c.packing {
			t.Errorf("%v: %d bits, %d bytes, packing %d", c.d, c.d.Bits(), c.d.ItemSize(), c.d.Packing())
		}
	}
	if got := Int4.Bytes(3); got != 2 {
		t.Errorf("three int4 take %d bytes", got)
	}
	for name, want := range map[string]DType{"float32": Float32, "f4": Float32, "<i2": Int16, "bfloat16": BFloat16, "int": Int64, "semaphore": Sem, "key<fry>": KeyFry} {
		if got, ok := ParseDType(name); !ok || got != want {
			t.Errorf("ParseDType(%q) = %q", name, got)
		}
	}
	if _, ok := ParseDType("floot32"); ok {
		t.Error("floot32 is a dtype")
	}
	for d := range dtypes {
		if got, ok := ParseShort(d.Short()); !ok || got != d {
			t.Errorf("ParseShort(%q) = %q", d.Short(), got)
		}
	}
}

// The table is what JAX 0.12.0.1 answers, and 0.8.3 the same (generate.py promotion).
func TestPromotion(t *testing.T) {
	table, err := os.ReadFile("testdata/promotion.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for line := range strings.Lines(string(table)) {
		f := strings.Fields(line)
		a, b, weakA, weakB := DType(f[1]), DType(f[3]), f[2] == "1", f[4] == "1"
		want, wantWeak := DType(f[5]), f[6] == "1"
		if want == "-" {
			want = ""
		}
		got, weak := PromoteX64(a, b, weakA, weakB)
		if f[0] == "0" {
			got, weak = Promote(a, b, weakA, weakB)
		}
		if got != want || weak != wantWeak {
			t.Errorf("%s: got %q weak %v", strings.TrimSpace(line), got, weak)
		}
		lines++
	}
	if lines < 3000 {
		t.Errorf("only %d lines", lines)
	}
	if d, _ := Promote(DMASem, DMASem, false, false); d != DMASem {
		t.Errorf("extended dtypes promote to themselves, got %q", d)
	}
	if Promotable(Float8E5M2, Float32, false, false) || !Promotable("", Float32, false, false) {
		t.Error("Promotable")
	}
}

func TestChips(t *testing.T) {
	for name, want := range map[string]string{
		"v4": "v4", "v5e": "v5e", "TPU v5 lite": "v5e", "TPU v5e": "v5e", "v5litepod": "v5e", "v5p": "v5p", "TPU v5": "v5p", "v6e": "v6e",
		"TPU v6 lite": "v6e", "7x": "7x", "TPU7x": "7x", "tpu7x": "7x", "v7x": "7x", "TPU_V5E": "v5e", "TPU_7X": "7x", "TPU v4 lite": "v4i", "8t": "8t",
	} {
		if c, ok := ParseChip(name); !ok || c.Name != want {
			t.Errorf("ParseChip(%q) = %v", name, c)
		}
	}
	for _, name := range []string{"", "tpu", "v9", "H100"} {
		if _, ok := ParseChip(name); ok {
			t.Errorf("%q is a chip", name)
		}
	}
	v5e, _ := ParseChip("v5e")
	if v5e.Kind != "TPU v5 lite" || v5e.VMEM != 128<<20 || v5e.HasSparseCore() || v5e.Lanes != 128 || v5e.Sublanes != 8 {
		t.Errorf("v5e: %+v", v5e)
	}
	v7x, _ := ParseChip("7x")
	if v7x.SparseCore == nil || *v7x.SparseCore != (SparseCore{Cores: 2, Subcores: 16, Lanes: 16, VMEM: 512 << 10, Granule: 32}) {
		t.Errorf("7x: %+v", v7x.SparseCore)
	}
	if old, known := For("0.8.3").Chip(v7x); !known || old.SparseCore.Cores != 4 || old.SparseCore.VMEM != 512<<10 || old.MXUs == 0 {
		t.Errorf("7x in 0.8.3: %+v", old)
	}
	v8t, _ := ParseChip("8t")
	if _, known := For("0.8.3").Chip(v8t); known {
		t.Error("0.8.3 knows no v8t")
	}
	if v5e.SublaneTiling(BFloat16) != 8 || v5e.SublaneTiling(Int8) != 32 || v7x.SublaneTiling(BFloat16) != 16 {
		t.Error("SublaneTiling")
	}
	if !v5e.MatmulSupported(Int8, Int8) || v7x.MatmulSupported(Int8, Int8) {
		t.Error("MatmulSupported")
	}
	all := Chips()
	for _, c := range all {
		for _, kind := range c.Kinds {
			if back, ok := ParseChip(kind); !ok || back != c {
				t.Errorf("ParseChip(%q) = %v", kind, back)
			}
		}
	}
	if len(all) < 11 || all[0].Name != "v2" {
		t.Errorf("%d chips, the first %s", len(all), all[0].Name)
	}
}

func TestVersions(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"0.12.0.1", "0.12.0", 1}, {"0.12", "0.12.0", 0}, {"0.9.2", "0.10.0", -1}, {"0.13.0.dev20261101+abc", "0.13.0", -1},
		{"0.13.0.dev1", "0.13.0rc1", -1}, {"0.13.0rc1", "0.13.0rc2", -1}, {"0.13.0rc1", "0.12.5", 1}, {"v0.10.2", "0.10.2", 0}, {"", "0.1", -1},
	} {
		if got := CompareVersions(c.a, c.b); got != c.want {
			t.Errorf("CompareVersions(%q, %q) = %d", c.a, c.b, got)
		}
	}
	for version, want := range map[string]string{
		"": "0.12.0.1", "0.12.0.1": "0.12.0.1", "0.12.0": "0.12.0.1", "0.12.9": "0.12.0.1", "0.13.0.dev1": "0.12.0.1", "1.0": "0.12.0.1",
		"0.11.1": "0.11.0", "0.10.0": "0.10.2", "0.10.5": "0.10.2", "0.9.0": "0.9.2", "0.8.3": "0.8.3", "0.4.30": "0.8.3", "nonsense": "0.8.3",
	} {
		if got := For(version).Version; got != want {
			t.Errorf("For(%q) = %s, want %s", version, got, want)
		}
	}
	if got := Versions(); !slices.Equal(got, []string{"0.8.3", "0.9.2", "0.10.2", "0.11.0", "0.12.0.1"}) {
		t.Errorf("Versions() = %v", got)
	}
}

func TestLookup(t *testing.T) {
	const pl, tpu, sc, gpu = "jax.experimental.pallas", "jax.experimental.pallas.tpu", "jax.experimental.pallas.tpu_sc", "jax.experimental.pallas.mosaic_gpu"
	for _, c := range []struct{ release, dotted, canonical string }{
		{"", pl + ".pallas_call", pl + ".pallas_call"},
		{"", "jax._src.pallas.pallas_call.pallas_call", pl + ".pallas_call"},
		{"", "jax._src.pallas.core.BlockSpec", pl + ".BlockSpec"},
		{"", pl + ".dslice", pl + ".ds"}, {"", "jax._src.state.indexing.dslice", pl + ".ds"},
		{"", "jax._src.state.indexing.Slice", pl + ".Slice"},
		{"", "jax._src.pallas.mosaic.core.MemorySpace", tpu + ".MemorySpace"},
		{"", "jax._src.pallas.mosaic.core.MemorySpace.VMEM", tpu + ".VMEM"},
		{"", tpu + ".MemorySpace.VMEM", tpu + ".VMEM"}, {"", pl + ".MemorySpace.ANY", pl + ".ANY"},
		{"0.8.3", tpu + ".ANY", pl + ".ANY"}, {"0.8.3", tpu + ".HOST", pl + ".HOST"}, {"0.8.3", tpu + ".semaphore_signal", pl + ".semaphore_signal"},
		{"0.8.3", tpu + ".KernelType.TC", tpu + ".CoreType.TC"}, {"0.8.3", tpu + ".delay", pl + ".delay"},
		{"", pl + ".HOST", pl + ".HOST"}, {"", "jax.memory.Space.Host", pl + ".HOST"},
		{"", tpu + ".core.CoreType", tpu + ".CoreType"},
		{"", tpu + ".SemaphoreType.DMA", tpu + ".SemaphoreType.DMA"},
		{"", sc + ".VectorSubcoreMesh", sc + ".VectorSubcoreMesh"}, {"", "jax._src.pallas.mosaic.sc_core.VectorSubcoreMesh", sc + ".VectorSubcoreMesh"},
		{"", sc + ".bitcast", sc + ".bitcast"}, {"", tpu + ".bitcast", tpu + ".bitcast"},
		{"", tpu + ".load", tpu + ".load"}, {"", pl + ".run_scoped", pl + ".run_scoped"},
		{"", "jax._src.pallas.mosaic.primitives.async_copy", tpu + ".async_copy"},
		{"", gpu + ".SMEM", gpu + ".SMEM"}, {"", gpu + ".MemorySpace.GMEM", gpu + ".GMEM"},
		{"", "jax.numpy.ndarray", "jax.Array"}, {"", "jax.Array", "jax.Array"}, {"", "jax._src.numpy.lax_numpy.concatenate", "jax.numpy.concatenate"},
		{"", "jax.lax.fori_loop", "jax.lax.fori_loop"}, {"", "jax._src.lax.control_flow.fori_loop", "jax.lax.fori_loop"},
		{"", "jax.numpy.float32", "jax.numpy.float32"}, {"", "jax.P", "jax.sharding.PartitionSpec"},
		{"", "jax.experimental.pallas.tpu", tpu}, {"", "jax._src.pallas.core", "jax._src.pallas.core"}, {"", pl + ".tpu.VMEM", tpu + ".VMEM"},
		{"", "jax.numpy", "jax.numpy"}, {"", "jax", "jax"}, {"", "jax._src.pallas.core.jnp", "jax._src.numpy"},
		{"0.9.2", "jax._src.pallas.mosaic.pipeline.emit_pipeline", tpu + ".emit_pipeline"},
	} {
		o, ok := For(c.release).Lookup(c.dotted)
		if !ok || o.Canonical != c.canonical {
			t.Errorf("%s in %q: %v", c.dotted, c.release, o)
		}
	}
	for _, dotted := range []string{"", "jax.", ".", "jax.numpy.", "torch", "torch.nn", "jax.numpy.float33", "jax.numpy.add.nothing.at.all", "jax.experimental.pallas.HOST.x"} {
		if o, ok := Newest().Lookup(dotted); ok {
			t.Errorf("%q is found: %v", dotted, o)
		}
	}
	o, _ := Newest().Lookup(pl + ".DeviceIdType")
	if o == nil || o.Kind != KindEnum || !strings.Contains(o.Deprecated, "deprecated") {
		t.Errorf("DeviceIdType: %+v", o)
	}
}

func TestMissing(t *testing.T) {
	r := Newest()
	const tpu = "jax.experimental.pallas.tpu"
	a, ok := r.Missing(tpu + ".HOST")
	if !ok || a.Owner != tpu || a.Attribute != "HOST" || !strings.Contains(a.Message, "Use pl.HOST instead") || a.Canonical != "jax.experimental.pallas.HOST" || !slices.Equal(a.In, []string{"0.8.3", "0.9.2", "0.10.2", "0.11.0"}) {
		t.Errorf("pltpu.HOST: %+v", a)
	}
	a, ok = r.Missing(tpu + ".semaphore_wait")
	if !ok || a.Canonical != "jax.experimental.pallas.semaphore_wait" {
		t.Errorf("pltpu.semaphore_wait: %+v", a)
	}
	a, ok = r.Missing(tpu + ".TPUCompilerParams")
	if !ok || len(a.In) != 0 || a.Canonical != "" {
		t.Errorf("pltpu.TPUCompilerParams: %+v", a)
	}
	if a, ok = r.Missing(tpu + ".MemorySpace.VMEN"); !ok || a.Owner != tpu+".MemorySpace" {
		t.Errorf("MemorySpace.VMEN: %+v", a)
	}
	if a, ok = r.Missing("jax.lax.no_such.deeper"); !ok || a.Attribute != "no_such" {
		t.Errorf("jax.lax.no_such.deeper: %+v", a)
	}
	for _, dotted := range []string{
		tpu + ".VMEM", tpu, "jax._src.pallas.core.nothing", "torch.nn", "jax.numpy.add.at", "jax.numpy._private", "numpy.nothing",
		"jax.experimental.pallas.ops.tpu.nothing", "jax.experimental.pallas.BlockSpec.nothing", "jax.experimental.sparse.BCOO", "jax.experimental.sparse",
	} {
		if a, ok := r.Missing(dotted); ok {
			t.Errorf("%s is said to be missing: %+v", dotted, a)
		}
	}
}

// A version between two releases known lacks only what both lack, and what JAX says was removed by then.
func TestMissingBetweenReleases(t *testing.T) {
	const tpu = "jax.experimental.pallas.tpu"
	for _, c := range []struct {
		version, dotted string
		missing         bool
	}{
		{"0.12.0", tpu + ".HOST", true}, {"0.12.0", tpu + ".NOTHING", true}, {"0.12.0", tpu + ".touch_nothing", true},
		{"0.12.0", tpu + ".conv", false}, // only in 0.12.0.1
		{"0.11.0", tpu + ".conv", true}, {"0.12.0.1", tpu + ".conv", false},
		{"0.13.0", tpu + ".HOST", true}, {"0.13.0", tpu + ".NOTHING", false}, {"0.4.30", tpu + ".NOTHING", false},
		{"0.10.0", tpu + ".semaphore_wait", false}, {"0.12.0.1", tpu + ".semaphore_wait", true},
	} {
		r := For(c.version)
		if _, ok := r.Missing(c.dotted); ok != c.missing {
			t.Errorf("%s in %s (%s, asked %q): missing %v", c.dotted, c.version, r.Version, r.Asked, ok)
		}
	}
	if r := For("0.12.0.1"); r.Asked != "" || r != Newest() {
		t.Errorf("asked for a release known: %+v", r)
	}
	if r := For("0.12"); r.Asked != "0.12" {
		t.Errorf("asked for 0.12: %q", r.Asked)
	}
}

func TestParams(t *testing.T) {
	o, _ := Newest().Lookup("jax._src.pallas.mosaic.primitives.async_copy")
	want := []Param{{Name: "src_ref"}, {Name: "dst_ref"}, {Name: "sem", Optional: true, Default: "None"},
		{Name: "src_sem", Kind: KeywordOnly, Optional: true, Default: "None"}, {Name: "priority", Kind: KeywordOnly, Optional: true, Default: "0"},
		{Name: "add", Kind: KeywordOnly, Optional: true, Default: "False"}}
	if o == nil || !o.HasParams || !slices.Equal(o.Params, want) {
		t.Errorf("async_copy: %+v", o)
	}
	o, _ = For("0.10.2").Lookup("jax.experimental.pallas.tpu.async_copy")
	if o == nil || o.Accepts("src_sem") || o.Param("sem").Optional {
		t.Errorf("async_copy in 0.10.2: %+v", o)
	}
	o, _ = Newest().Lookup("jax.experimental.pallas.BlockSpec")
	if o == nil || !o.Accepts("memory_space") || o.Accepts("memory_spaces") || o.Param("pipeline_mode") == nil {
		t.Errorf("BlockSpec: %+v", o)
	}
	if got := parseParams("x,/,y=1,*args,z,**kw"); !slices.Equal(got, []Param{{Name: "x", Kind: PositionalOnly}, {Name: "y", Optional: true, Default: "1"},
		{Name: "args", Kind: VarPositional}, {Name: "z", Kind: KeywordOnly}, {Name: "kw", Kind: VarKeyword}}) {
		t.Errorf("parseParams: %+v", got)
	}
}

func TestObjectsStandForSpacesAndDTypes(t *testing.T) {
	for _, r := range releases() {
		for dotted := range spaceObjects {
			o, ok := r.Lookup(dotted)
			if !ok {
				if r == Newest() {
					t.Errorf("%s is in no table", dotted)
				}
				continue
			}
			if o.Canonical != dotted || o.Space() == 0 {
				t.Errorf("%s: %s in %s", r.Version, o.Canonical, o.Space())
			}
		}
		for _, d := range []DType{Float32, BFloat16, Int8, Int4, Float8E4M3FN, Bool} {
			name := string(d)
			if d == Bool {
				name = "bool_"
			}
			if o, ok := r.Lookup("jax.numpy." + name); !ok || o.DType() != d {
				t.Errorf("%s: jnp.%s is %v", r.Version, name, o)
			}
		}
		if o, _ := r.Lookup("jax.experimental.pallas.tpu.SemaphoreType.REGULAR"); o.DType() != Sem {
			t.Errorf("REGULAR: %v", o.DType())
		}
		if o, _ := r.Lookup("numpy.float32"); o == nil || o.DType() != Float32 {
			t.Errorf("np.float32: %v", o)
		}
	}
}

func TestPrimitives(t *testing.T) {
	r := Newest()
	for _, c := range []struct {
		core Core
		name string
		ok   bool
	}{{TensorCore, "dot_general", true}, {TensorCore, "sort", false}, {SCVectorSubcore, "sort", true}, {SCVectorSubcore, "dot_general", false},
		{SCScalarSubcore, "iota", false}, {SCVectorSubcore, "masked_load", false}} {
		if ok, known := r.Lowers(c.core, c.name); ok != c.ok || !known {
			t.Errorf("%s on the %v: %v, %v", c.name, c.core, ok, known)
		}
	}
	if _, known := r.Lowers(CoreUnknown, "sort"); known {
		t.Error("nothing is known of an unknown core")
	}
	for _, r := range releases() {
		for _, c := range []Core{TensorCore, SCVectorSubcore, SCScalarSubcore} {
			if n := len(r.Primitives(c)); n < 60 {
				t.Errorf("%s: %d primitives on the %v", r.Version, n, c)
			}
		}
	}
}

func TestCalls(t *testing.T) {
	for _, r := range releases() {
		for _, c := range []struct {
			function string
			kind     Kind
			rank     int
			want     string
		}{
			{"jax.numpy.sort", KindUnknown, -1, "sort"}, {"jax.Array.__matmul__", KindUnknown, -1, "dot_general"}, {"jax.numpy.flip", KindFloat, 2, "rev"},
			{"jax.Array.T", KindUnknown, 2, "transpose"}, {"jax.numpy.cumsum", KindFloat, 2, "cumsum"}, {"jax.Array.at.add", KindFloat, 1, "scatter-add"},
			{"jax.numpy.right_shift", KindUint, 1, "shift_right_logical"},
		} {
			got, known := r.Binds(c.function, c.kind, c.rank)
			if !known || !slices.Contains(got, c.want) {
				t.Errorf("%s: %s binds %v", r.Version, c.function, got)
			}
		}
		if got, _ := r.Binds("jax.Array.T", KindUnknown, -1); slices.Contains(got, "transpose") {
			t.Errorf("%s: .T of a vector does nothing, got %v", r.Version, got)
		}
		if got := r.Unlowered(TensorCore, "jax.numpy.sort", KindFloat, 2); !slices.Equal(got, []string{"sort"}) {
			t.Errorf("%s: jnp.sort on the TensorCore lacks %v", r.Version, got)
		}
		for _, ok := range []string{"jax.numpy.exp", "jax.Array.__add__", "jax.numpy.where", "jax.numpy.maximum", "jax.numpy.zeros", "jax.nn.softmax", "jax.numpy.sum"} {
			if got := r.Unlowered(TensorCore, ok, KindFloat, 2); got != nil {
				t.Errorf("%s: %s on the TensorCore lacks %v", r.Version, ok, got)
			}
		}
		if _, known := r.Binds("jax.numpy.nothing", KindFloat, 2); known {
			t.Error("jnp.nothing is known")
		}
	}
}

func TestMessages(t *testing.T) {
	for _, want := range []Message{
		{File: "_src/pallas/mosaic/sc_lowering.py", Function: "_load_lowering_rule", Exception: "NotImplementedError", Stage: StageLower,
			Template: "Get does not support loading from {}. Copy the data to a core-local memory space, e.g. VMEM, via `pltpu.async_copy`."},
		{File: "_src/state/primitives.py", Function: "_swap_abstract_eval", Exception: "ValueError", Stage: StageTrace,
			Template: "Invalid shape for `swap`. Ref shape: {}. Expected shape: {}. Value shape: {}. Transforms: {}. "},
		{File: "_src/pallas/mosaic/primitives.py", Function: "_dma_start_to_lojax", Exception: "NotImplementedError", Stage: StageLower,
			Template: "dma_start not implemented in LoJAX yet."},
		// A helper gets a part, a helper returns it, a piece is added under a condition, an exception's class writes it, nothing is said.
		{File: "_src/pallas/mosaic/interpret/interpret_pallas_call.py", Function: "_interpret_jaxpr", Exception: "ValueError", Stage: StageInterpret,
			Template: "Cannot allocate HBM in `run_scoped`."},
		{File: "_src/pallas/core.py", Function: "get_grid_mapping", Exception: "ValueError", Stage: StageTrace,
			Template: "Pytree for `in_specs` and `inputs` do not match. There are {} mismatches, including:{}"},
		{File: "_src/pallas/mosaic/lowering.py", Function: "_load_lowering_rule", Exception: "ValueError", Stage: StageLower,
			Template: "Loads are only allowed on VMEM and SMEM references."},
		{File: "_src/pallas/mosaic/error_handling.py", Function: "mlir_error_to_verification_error", Exception: "VerificationError", Stage: StageCompile,
			Template: "Pallas encountered an internal verification error. Please file a bug at https://github.com/jax-ml/jax/issues/new/choose. Error details: {}"},
		{File: "_src/pallas/mosaic/lowering.py", Function: "_load_lowering_rule", Exception: "NotImplementedError", Stage: StageLower},
	} {
		if !slices.ContainsFunc(Newest().Messages(), func(m Message) bool { m.Line = 0; return m == want }) {
			t.Errorf("no %+v", want)
		}
	}
}

// Every line of every release parses, no name occurs twice, and what is said to be canonical has a public name where one exists.
func TestData(t *testing.T) {
	kinds := []ObjectKind{KindModule, KindFunction, KindClass, KindEnum, KindMember, KindDType, KindPrimitive, KindValue, KindMethod, KindProperty, KindForeign, kindRemoved}
	for _, r := range releases() {
		n := r.names()
		total, public := 0, 0
		for title, s := range n.sections {
			entries := s.entries()
			if len(entries) != strings.Count(s.text, "\n") {
				t.Errorf("%s: %s lists a name twice", r.Version, title)
			}
			if !slices.Contains([]string{"module", "partial", "class", "enum"}, s.flag) {
				t.Errorf("%s: %s is a %q", r.Version, title, s.flag)
			}
			for name, e := range entries {
				total++
				if s.flag == "module" {
					public++
				}
				if !slices.Contains(kinds, e.kind) {
					t.Errorf("%s: %s.%s is a %q", r.Version, title, name, e.kind)
				}
				if e.kind == kindRemoved {
					continue
				}
				o, ok := r.Lookup(title + "." + name)
				if !ok || o.Canonical == "" {
					t.Errorf("%s: %s.%s is not found", r.Version, title, name)
					continue
				}
				seen := map[string]bool{}
				for _, p := range o.Params {
					if p.Name == "" || seen[p.Name] {
						t.Errorf("%s: %s.%s has parameters %+v", r.Version, title, name, o.Params)
					}
					seen[p.Name] = true
				}
			}
		}
		if public < 2000 {
			t.Errorf("%s: %d public names", r.Version, public)
		}
		messages := r.Messages()
		for _, m := range messages {
			if m.Line == 0 || m.Exception == "" || !slices.Contains([]Stage{StageTrace, StageLower, StageCompile, StageInterpret}, m.Stage) {
				t.Errorf("%s: %+v", r.Version, m)
			}
		}
		t.Logf("%s: %d names, %d of public modules, %d messages, primitives TC %d, SC vector %d, SC scalar %d", r.Version, total, public,
			len(messages), len(r.Primitives(TensorCore)), len(r.Primitives(SCVectorSubcore)), len(r.Primitives(SCScalarSubcore)))
	}
}

// A public name has one canonical name in all releases that have it, so that code may compare with a constant.
func TestCanonicalNamesAreStable(t *testing.T) {
	newest := Newest()
	for _, r := range releases() {
		for title, s := range r.names().sections {
			if s.flag != "module" || strings.HasPrefix(title, "jax.interpreters") {
				continue
			}
			for name := range s.entries() {
				dotted := title + "." + name
				old, ok1 := r.Lookup(dotted)
				now, ok2 := newest.Lookup(dotted)
				if ok1 && ok2 && old.Canonical != now.Canonical && !old.Module {
					t.Errorf("%s is %s in %s and %s now", dotted, old.Canonical, r.Version, now.Canonical)
				}
			}
		}
	}
}

// The measured matrix of copies, as rows of source and columns HBM, VMEM, VMEM_SHARED, SMEM.
func TestCopyAllowed(t *testing.T) {
	spaces := []Space{HBM, VMEM, VMEMShared, SMEM}
	for _, c := range []struct {
		core Core
		sem  bool
		rows [4]string
	}{
		{SCVectorSubcore, true, [4]string{"+++-", "+++-", "++++", "----"}},
		{SCScalarSubcore, true, [4]string{"+-++", "----", "+-++", "+--+"}},
		{SCVectorSubcore, false, [4]string{"-+--", "+-+-", "-+-+", "----"}},
		{SCScalarSubcore, false, [4]string{"----", "----", "---+", "----"}},
		{TensorCore, true, [4]string{"++-+", "++-+", "----", "++-+"}},
		{TensorCore, false, [4]string{"----", "----", "----", "----"}},
	} {
		for i, src := range spaces {
			for j, dst := range spaces {
				ok, why := CopyAllowed(c.core, src, dst, c.sem)
				if ok != (c.rows[i][j] == '+') {
					t.Errorf("%v, sem %v: %v to %v: %v", c.core, c.sem, src, dst, why)
				}
				if !ok && (why.Template(c.core) == "" || why.Stage(c.core) == "") {
					t.Errorf("refusal %v has no text or stage", why)
				}
			}
		}
	}
	if ok, why := CopyAllowed(MosaicGPU, GMEM, SMEM, true); !ok || why != CopyUndecided {
		t.Error("nothing is known of GPUs")
	}
	if ok, why := CopyAllowed(TensorCore, HOST, VMEM, true); !ok || why != CopyUndecided {
		t.Error("HOST was not decided")
	}
	if !IndexedCopyAllowed(SCVectorSubcore, VMEM, HBM, false) || IndexedCopyAllowed(SCVectorSubcore, VMEM, HBM, true) || IndexedCopyAllowed(TensorCore, HBM, VMEM, false) {
		t.Error("IndexedCopyAllowed")
	}
	if !SourceSemaphoreAllowed(SCVectorSubcore, VMEM, HBM) || SourceSemaphoreAllowed(SCScalarSubcore, HBM, SMEM) || SourceSemaphoreAllowed(TensorCore, VMEM, HBM) {
		t.Error("SourceSemaphoreAllowed")
	}
}

// The server asks while the author types: reading a release must take no noticeable time.
func TestLoadIsFast(t *testing.T) {
	best := time.Hour
	for range 5 {
		start := time.Now()
		r := newRelease("0.12.0.1")
		for _, dotted := range []string{"jax.experimental.pallas.tpu.VMEM", "jax.numpy.add", "jax.lax.fori_loop", "jax._src.pallas.core.BlockSpec"} {
			if _, ok := r.Lookup(dotted); !ok {
				t.Fatal(dotted)
			}
		}
		best = min(best, time.Since(start))
	}
	t.Logf("reading one release and four lookups: %v", best)
	if best > 30*time.Millisecond {
		t.Errorf("reading one release took %v", best)
	}
}

func BenchmarkLookup(b *testing.B) {
	r := Newest()
	for b.Loop() {
		r.Lookup("jax.experimental.pallas.tpu.SemaphoreType.DMA")
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		newRelease("0.12.0.1").Lookup("jax.numpy.float32")
	}
}
