package jax

import "strings"

// DType is the type of an array's elements, by the name that numpy and JAX print: "float32", "bfloat16", "int4". The
// empty string means that it is not known. Semaphores and PRNG keys have dtypes too (JAX's extended dtypes).
type DType string

// The dtypes.
const (
	Bool     DType = "bool"
	Int1     DType = "int1"
	Int2     DType = "int2"
	Int4     DType = "int4"
	Int8     DType = "int8"
	Int16    DType = "int16"
	Int32    DType = "int32"
	Int64    DType = "int64"
	Uint1    DType = "uint1"
	Uint2    DType = "uint2"
	Uint4    DType = "uint4"
	Uint8    DType = "uint8"
	Uint16   DType = "uint16"
	Uint32   DType = "uint32"
	Uint64   DType = "uint64"
	BFloat16 DType = "bfloat16"
	Float16  DType = "float16"
	Float32  DType = "float32"
	Float64  DType = "float64"

	Float4E2M1FN     DType = "float4_e2m1fn"
	Float6E2M3FN     DType = "float6_e2m3fn"
	Float6E3M2FN     DType = "float6_e3m2fn"
	Float8E3M4       DType = "float8_e3m4"
	Float8E4M3       DType = "float8_e4m3"
	Float8E8M0FNU    DType = "float8_e8m0fnu"
	Float8E4M3B11FNU DType = "float8_e4m3b11fnuz"
	Float8E4M3FN     DType = "float8_e4m3fn"
	Float8E4M3FNUZ   DType = "float8_e4m3fnuz"
	Float8E5M2       DType = "float8_e5m2"
	Float8E5M2FNUZ   DType = "float8_e5m2fnuz"

	Complex64  DType = "complex64"
	Complex128 DType = "complex128"

	DMASem     DType = "dma_sem"     // pltpu.SemaphoreType.DMA
	Sem        DType = "sem"         // pltpu.SemaphoreType.REGULAR
	BarrierSem DType = "barrier_sem" // pltpu.SemaphoreType.BARRIER, pltpu.get_barrier_semaphore
	KeyFry     DType = "key<fry>"    // jax.random.key with the default implementation
	KeyPallas  DType = "key<pl>"     // pltpu.to_pallas_key, and the implementation pallas_tpu
)

// Kind is the family of a dtype.
type Kind uint8

// The kinds of dtypes. KindUnknown is the kind of the unknown dtype.
const (
	KindUnknown Kind = iota
	KindBool
	KindInt   // signed integers
	KindUint  // unsigned integers
	KindFloat // IEEE and narrow floats
	KindComplex
	KindSemaphore
	KindKey // PRNG keys
)

type dtypeInfo struct {
	bits  uint8
	kind  Kind
	short string
}

var dtypes = map[DType]dtypeInfo{
	Bool: {8, KindBool, "bool"},
	Int1: {1, KindInt, "i1"}, Int2: {2, KindInt, "i2"}, Int4: {4, KindInt, "i4"}, Int8: {8, KindInt, "i8"},
	Int16: {16, KindInt, "i16"}, Int32: {32, KindInt, "i32"}, Int64: {64, KindInt, "i64"},
	Uint1: {1, KindUint, "u1"}, Uint2: {2, KindUint, "u2"}, Uint4: {4, KindUint, "u4"}, Uint8: {8, KindUint, "u8"},
	Uint16: {16, KindUint, "u16"}, Uint32: {32, KindUint, "u32"}, Uint64: {64, KindUint, "u64"},
	BFloat16: {16, KindFloat, "bf16"}, Float16: {16, KindFloat, "f16"}, Float32: {32, KindFloat, "f32"}, Float64: {64, KindFloat, "f64"},
	Float4E2M1FN: {4, KindFloat, "f4_e2m1fn"}, Float6E2M3FN: {6, KindFloat, "f6_e2m3fn"}, Float6E3M2FN: {6, KindFloat, "f6_e3m2fn"},
	Float8E3M4: {8, KindFloat, "f8_e3m4"}, Float8E4M3: {8, KindFloat, "f8_e4m3"}, Float8E8M0FNU: {8, KindFloat, "f8_e8m0fnu"},
	Float8E4M3B11FNU: {8, KindFloat, "f8_e4m3b11fnuz"}, Float8E4M3FN: {8, KindFloat, "f8_e4m3fn"},
	Float8E4M3FNUZ: {8, KindFloat, "f8_e4m3fnuz"}, Float8E5M2: {8, KindFloat, "f8_e5m2"}, Float8E5M2FNUZ: {8, KindFloat, "f8_e5m2fnuz"},
	Complex64: {64, KindComplex, "c64"}, Complex128: {128, KindComplex, "c128"},
	DMASem: {0, KindSemaphore, "dma_sem"}, Sem: {0, KindSemaphore, "sem"}, BarrierSem: {0, KindSemaphore, "barrier_sem"},
	KeyFry: {0, KindKey, "key<fry>"}, KeyPallas: {0, KindKey, "key<pl>"},
}

// Bits is the size of one element in bits, 4 for int4; 0 when unknown and for semaphores and keys. As
// jax._src.dtypes.itemsize_bits.
func (d DType) Bits() int { return int(dtypes[d].bits) }

// Bytes is the size of n elements in bytes as they lie packed in memory, rounded up; 0 when the size is unknown.
func (d DType) Bytes(n int64) int64 { return (n*int64(d.Bits()) + 7) / 8 }

// ItemSize is what `dtype.itemsize` is in Python: whole bytes, 1 for int4; 0 when unknown.
func (d DType) ItemSize() int { return (d.Bits() + 7) / 8 }

// Packing is how many elements share one 32-bit word: 1 for float32, 2 for bfloat16, 8 for int4; 0 when unknown and
// for types wider than a word.
func (d DType) Packing() int {
	if b := d.Bits(); b > 0 && b <= 32 {
		return 32 / b
	}
	return 0
}

// Kind is the family of the dtype.
func (d DType) Kind() Kind {
	if k := dtypes[d].kind; k != KindUnknown {
		return k
	}
	if strings.HasPrefix(string(d), "key<") {
		return KindKey
	}
	return KindUnknown
}

// Known is true for a dtype of which size and kind are known.
func (d DType) Known() bool { return d.Kind() != KindUnknown }

// IsInteger is true for signed and unsigned integers, not for bool.
func (d DType) IsInteger() bool { return d.Kind() == KindInt || d.Kind() == KindUint }

// IsFloat is true for all floats, narrow ones too, not for complex types.
func (d DType) IsFloat() bool { return d.Kind() == KindFloat }

// IsSemaphore is true for the three semaphore dtypes.
func (d DType) IsSemaphore() bool { return d.Kind() == KindSemaphore }

// IsExtended is true for what jnp.issubdtype(d, jax.dtypes.extended) is: semaphores and keys.
func (d DType) IsExtended() bool { return d.IsSemaphore() || d.Kind() == KindKey }

// Short is the name that JAX prints in avals: "f32", "bf16", "i4". As jax._src.dtypes.short_dtype_name.
func (d DType) Short() string {
	if info, ok := dtypes[d]; ok {
		return info.short
	}
	return string(d)
}

// String is the name as numpy prints it, "?" when unknown.
func (d DType) String() string {
	if d == "" {
		return "?"
	}
	return string(d)
}

var dtypeAliases = map[string]DType{
	"bool_": Bool, "b1": Bool, "?": Bool, "boolean": Bool,
	"half": Float16, "single": Float32, "double": Float64, "csingle": Complex64, "cdouble": Complex128,
	"float": Float64, "int": Int64, "uint": Uint64, "complex": Complex128, "float_": Float64, "int_": Int64, "complex_": Complex128,
	"byte": Int8, "ubyte": Uint8, "short": Int16, "ushort": Uint16, "intc": Int32, "uintc": Uint32,
	"i1": Int8, "i2": Int16, "i4": Int32, "i8": Int64, "u1": Uint8, "u2": Uint16, "u4": Uint32, "u8": Uint64,
	"f2": Float16, "f4": Float32, "f8": Float64, "c8": Complex64, "c16": Complex128,
	"e": Float16, "f": Float32, "d": Float64, "b": Int8, "B": Uint8, "h": Int16, "H": Uint16, "i": Int32, "I": Uint32,
	"l": Int64, "L": Uint64, "q": Int64, "Q": Uint64, "F": Complex64, "D": Complex128,
	"semaphore": Sem, "barrier_semaphore": BarrierSem,
}

// ParseDType reads a dtype as numpy's dtype(str) does: "float32", "f4" (four bytes: float32), "<i2", and JAX's own
// extension names ("bfloat16"). 64-bit results are not narrowed; see [Canonical]. The second result is false for
// a name that is no dtype.
func ParseDType(name string) (DType, bool) {
	if _, ok := dtypes[DType(name)]; ok {
		return DType(name), true
	}
	trimmed := name
	if len(trimmed) > 1 && strings.ContainsRune("<=|", rune(trimmed[0])) {
		trimmed = trimmed[1:]
	}
	if d, ok := dtypeAliases[trimmed]; ok {
		return d, true
	}
	if strings.HasPrefix(name, "key<") && strings.HasSuffix(name, ">") {
		return DType(name), true
	}
	return "", false
}

// ParseShort reads the short name that JAX prints in avals and in messages: "f32", "bf16", "i4" (four bits: int4).
func ParseShort(short string) (DType, bool) {
	for d, info := range dtypes {
		if info.short == short {
			return d, true
		}
	}
	return "", false
}

// Canonical is the dtype that JAX makes of d without jax_enable_x64: 64-bit types become 32-bit ones. As
// jax._src.dtypes.canonicalize_dtype.
func (d DType) Canonical() DType {
	switch d {
	case Int64:
		return Int32
	case Uint64:
		return Uint32
	case Float64:
		return Float32
	case Complex128:
		return Complex64
	}
	return d
}
