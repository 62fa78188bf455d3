"""Writes what one installed JAX is, as data for rules/jax: names, primitives, chips, messages. See README.md.

    python generate.py all DATA_FOLDER         all of it, for the JAX of this interpreter, to DATA_FOLDER/<release>/
    python generate.py names|primitives|chips|messages|calls DATA_FOLDER   one of them
    python generate.py promotion FILE          the table that the test of Promote is held against

Facts only: names, signatures, message templates. No docstring and no code of JAX is copied.
"""

import dataclasses
import enum
import importlib
import inspect
import json
import math
import os
import pkgutil
import re
import sys
import types
import warnings

warnings.simplefilter("ignore")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.extend.core
import jax.numpy as jnp
import numpy as np

import templates

# Public modules whose list of names is complete in the data: an attribute that is not listed does not exist. Earlier
# ones win when an object has several public names.
PUBLIC = """
jax.experimental.pallas jax.experimental.pallas.tpu jax.experimental.pallas.tpu_sc jax.experimental.pallas.mosaic_gpu
jax.experimental.pallas.triton jax.experimental.pallas.fuser
jax.numpy jax.lax jax.ref jax.memory jax.sharding jax.tree jax.tree_util jax.nn jax.nn.initializers jax.random jax.dtypes jax
jax.numpy.linalg jax.numpy.fft jax.lax.linalg jax.scipy jax.scipy.special jax.scipy.linalg jax.scipy.stats jax.scipy.signal
jax.experimental jax.experimental.shard_map jax.experimental.mesh_utils jax.experimental.checkify jax.experimental.multihost_utils
jax.experimental.topologies jax.experimental.layout jax.experimental.hijax jax.experimental.compute_on
jax.experimental.custom_partitioning jax.experimental.roofline jax.experimental.xla_metadata
jax.ad_checkpoint jax.api_util jax.core jax.custom_derivatives jax.custom_batching jax.custom_transpose jax.debug jax.errors jax.export
jax.extend jax.extend.core jax.extend.linear_util jax.extend.backend jax.flatten_util jax.image jax.interpreters jax.interpreters.mlir
jax.interpreters.ad jax.interpreters.batching jax.interpreters.partial_eval jax.interpreters.pxla jax.interpreters.xla
jax.monitoring jax.ops jax.profiler jax.stages jax.test_util jax.typing jax.util jax.lib jax.config jax.ffi jax.distributed jax.cloud
jax.scipy.stats.norm jax.scipy.fft jax.scipy.integrate jax.scipy.ndimage jax.scipy.interpolate jax.scipy.cluster jax.scipy.optimize jax.scipy.spatial
""".split()

# Private modules whose definitions are listed too, even where no public name exists: JAX's own kernels import them.
DEFINING = re.compile(r"jax\._src\.(pallas\.(?!fuser|hlo_interpreter|.*\b(lowering|sc_lowering|interpret|pallas_call_registration)\b)|state\b|hijax)")
# Private modules of which only the names of public objects are listed.
ALIASING = re.compile(
    r"jax\._src(\.(core|dtypes|api|api_util|util|tree_util|tree|random|prng|shard_map|mesh|sharding_impls|named_sharding|"
    r"partition_spec|ref|memory|checkify|config|custom_derivatives|ad_checkpoint|debugging|errors|typing|array|basearray|literals|"
    r"layout|lax(\.control_flow)?(\.\w+)?|numpy(\.\w+)?|nn(\.\w+)?|scipy\.special|pallas(\.(mosaic|mosaic_gpu|triton|fuser))?(\.\w+)?|"
    r"pallas\.mosaic\.interpret\.\w+|state(\.\w+)?|hijax|tpu_info|linear_util|effects))?$"
)

# Not the same object any more, but the same thing to a reader: old public name to the name used for it now.
RENAMES = {
    "jax.experimental.pallas.tpu.HOST": "jax.experimental.pallas.HOST",
    "jax.experimental.pallas.tpu.MemorySpace.HOST": "jax.experimental.pallas.HOST",
    "jax.experimental.pallas.tpu.MemorySpace.ANY": "jax.experimental.pallas.ANY",
    "jax.experimental.pallas.tpu.KernelType": "jax.experimental.pallas.tpu.CoreType",
}
# Names that win against the order of PUBLIC.
PREFERRED = {
    "jax.Array", "jax.sharding.PartitionSpec", "jax.tree_util.Partial", "jax.jit", "jax.ShapeDtypeStruct", "jax.shard_map",
}

RELEASE = jax.__version__
REQUIRED = {"jax.experimental.pallas", "jax.experimental.pallas.tpu", "jax.experimental.pallas.tpu_sc", "jax.experimental.pallas.mosaic_gpu",
            "jax.experimental.pallas.triton", "jax.numpy", "jax.lax", "jax.nn", "jax.random"}

# numpy calls the kind of these void.
EXTENDED = {"bfloat16", "int2", "uint2", "int4", "uint4", "float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn", "float8_e3m4", "float8_e4m3",
            "float8_e8m0fnu", "float8_e4m3b11fnuz", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz"}


# ---------------------------------------------------------------------------------------------------------------- names

def load(name):
    try:
        return importlib.import_module(name)
    except Exception as e:
        missing = isinstance(e, ModuleNotFoundError) and name.startswith(e.name or "?")
        if not missing or name in REQUIRED:
            print(f"{RELEASE}: {name} can not be imported: {e!r}", file=sys.stderr)
        if name in REQUIRED:
            raise
        return None


def is_dtype(obj):
    if isinstance(obj, type) and issubclass(obj, np.generic) and obj not in (np.generic, np.number):
        try:
            return np.dtype(obj).type is obj and np.dtype(obj).kind not in "OSUVmM" or np.dtype(obj).name in EXTENDED
        except TypeError:
            return False
    return type(obj).__name__ == "_ScalarMeta"


def dtype_name(obj):
    return np.dtype(obj.dtype if hasattr(obj, "dtype") and type(obj).__name__ == "_ScalarMeta" else obj).name


SIMPLE = (int, float, complex, str, bytes, bool, type(None))


def simple_repr(value):
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, type):
        return "..."
    if isinstance(value, (bool, int, float, type(None))):
        text = repr(value)
    elif isinstance(value, str):
        text = repr(value)
        if len(text) > 40 or re.search(r"[\t\n,()]", text):
            return "..."
    elif isinstance(value, tuple) and all(isinstance(v, (bool, int, float, type(None))) for v in value):
        text = "(" + " ".join(map(repr, value)) + ")"
    else:
        return "..."
    return text


def signature(obj):
    """As Python writes it, without annotations: "x,/,*,axis=None,**kw"; "?" where Python itself does not know."""
    try:
        sig = inspect.signature(obj)
    except (ValueError, TypeError, NameError, AttributeError):
        return "?"
    out, star, slash = [], False, False
    params = list(sig.parameters.values())
    for i, p in enumerate(params):
        if p.kind is p.POSITIONAL_ONLY:
            slash = True
        elif slash:
            out.append("/")
            slash = False
        if p.kind is p.KEYWORD_ONLY and not star:
            out.append("*")
            star = True
        name = p.name
        if p.kind is p.VAR_POSITIONAL:
            name, star = "*" + name, True
        elif p.kind is p.VAR_KEYWORD:
            name = "**" + name
        if p.default is not p.empty:
            default = simple_repr(p.default)
            if type(p.default).__name__ == "_HAS_DEFAULT_FACTORY_CLASS":
                default = "..."
            name += "=" + default
        out.append(name)
    if slash:
        out.append("/")
    return ",".join(out)


def kind_of(obj):
    if isinstance(obj, types.ModuleType):
        return "module"
    if is_dtype(obj):
        return "dtype"
    if isinstance(obj, enum.EnumMeta):
        return "enum"
    if isinstance(obj, type):
        return "class"
    if isinstance(obj, enum.Enum):
        return "member"
    if type(obj).__name__ in ("Primitive",) or isinstance(obj, jax.extend.core.Primitive):
        return "primitive"
    if callable(obj) and not type(obj).__module__.startswith(("typing", "types", "functools._lru")) \
            and not type(obj).__name__ in ("State", "Flag", "Config"):
        return "function"
    return "value"


def detail(obj, kind):
    if kind in ("function", "class"):
        return signature(obj)
    if kind == "dtype":
        return dtype_name(obj)
    if kind == "primitive":
        return obj.name
    if kind == "member":
        return repr(obj.value) if isinstance(obj.value, SIMPLE) else ""
    if kind == "value" and isinstance(obj, SIMPLE):
        text = repr(obj)
        return text if len(text) < 60 and "\t" not in text else ""
    return ""


def deprecations(module):
    """name -> (message, object or None when the name is removed) of a module's __getattr__."""
    out = {}
    getter = module.__dict__.get("__getattr__")
    table = module.__dict__.get("_deprecations")
    if getter is not None:
        inner = inspect.unwrap(getter)
        for cell in getattr(inner, "__closure__", None) or ():
            if isinstance(cell.cell_contents, dict):
                table = cell.cell_contents
    if isinstance(table, dict):
        for name, entry in table.items():
            if isinstance(entry, tuple) and len(entry) == 2 and isinstance(entry[0], str):
                out[name] = entry
    return out


def ours(module_name):
    return module_name == "jax" or module_name.startswith("jax.")


def foreign(obj):
    """What a module of JAX merely imported from the standard library: listed, since it exists, but nothing of JAX."""
    module = getattr(obj, "__module__", None)
    return isinstance(module, str) and module.split(".")[0] in STANDARD


STANDARD = set(sys.stdlib_module_names) | {"absl", "typing_extensions", "__future__", "builtins"}


KNOWN_MODULES = ("numpy", "functools", "math", "enum", "dataclasses", "itertools")


class Names:
    def __init__(self):
        self.sections = {}  # dotted module or class -> {name: (kind, object, deprecation or None)}
        self.flags = {}  # dotted -> "module" | "partial" | "class" | "enum"
        self.groups = {}  # id of object -> [dotted names]
        self.objects = {}  # id -> object (keeps them alive)
        self.absent = {}  # (module, name) -> message of a removed name

    def collect(self):
        public = [m for m in PUBLIC if load(m) is not None and isinstance(load(m), types.ModuleType)]
        found = {}
        for name in public:
            # A module may have another name than the attribute that leads to it.
            found.setdefault(name, sys.modules[name])
        for package in ("jax._src.pallas", "jax._src.state", "jax._src.lax", "jax._src.numpy"):
            for info in pkgutil.walk_packages(sys.modules[package].__path__, package + "."):
                if "test" not in info.name:
                    load(info.name)
        private = {n: m for n, m in sys.modules.items() if m is not None and ALIASING.match(n)}
        for name, module in found.items():
            self.module(name, module, partial=False)
        public_ids = set(self.groups)
        for name, module in sorted(private.items()):
            self.module(name, module, partial=True, only=public_ids)
        self.module("numpy", np, partial=True, keep=lambda n, o: is_dtype(o) or n in ("dtype", "ndarray", "bool", "generic"))
        import ml_dtypes
        self.module("ml_dtypes", ml_dtypes, partial=True, keep=lambda n, o: is_dtype(o))
        # Modules that exist on disk and that we did not look into.
        for info in pkgutil.walk_packages(jax.__path__, "jax."):
            if not info.name.startswith("jax._src") and info.name not in self.sections:
                self.sections[info.name] = {}
                self.flags[info.name] = "partial"
        for name in list(self.sections):
            while "." in (name := name.rpartition(".")[0]) and name not in self.sections:
                self.sections[name] = {}
                self.flags[name] = "partial"
        self.classes()

    def add(self, dotted_module, name, obj, deprecated=None):
        kind = kind_of(obj)
        self.sections[dotted_module][name] = (kind, obj, deprecated)
        dotted = f"{dotted_module}.{name}"
        if not isinstance(obj, SIMPLE) and not (isinstance(obj, tuple) and not obj) and kind != "module" and not foreign(obj):
            self.groups.setdefault(id(obj), []).append(dotted)
            self.objects[id(obj)] = obj

    def module(self, dotted, module, partial, only=None, keep=None):
        self.sections[dotted] = {}
        self.flags[dotted] = "partial" if partial else "module"
        members = {n: o for n, o in module.__dict__.items() if not n.startswith("_") or (only is not None and n[:2] != "__")}
        for name, obj in sorted(members.items()):
            if name in ("annotations", "TYPE_CHECKING"):
                continue
            if isinstance(obj, types.SimpleNamespace) and not partial:
                # jax.memory is one: to a reader, a module.
                self.module(f"{dotted}.{name}", obj, partial=False)
                self.sections[dotted][name] = ("module", types.ModuleType(f"{dotted}.{name}"), None)
                continue
            if isinstance(obj, types.ModuleType):
                if not partial or ours(obj.__name__) or obj.__name__ in KNOWN_MODULES:
                    self.add(dotted, name, obj)
                continue
            if keep is not None and not keep(name, obj):
                continue
            if only is not None and id(obj) not in only:
                # Defined here, in a module whose definitions we list.
                here = getattr(obj, "__module__", None)
                if not DEFINING.match(dotted) or isinstance(obj, SIMPLE) or isinstance(obj, (list, dict, set)):
                    continue
                if isinstance(obj, jax.extend.core.Primitive) or isinstance(obj, enum.Enum):
                    pass
                elif here != dotted or name.startswith("_"):
                    continue
                if re.search(r"_(rule|lowering|lowering_rule|discharge_rule|discharge|batching_rule|abstract_eval|jvp|vmap|pp_rule)$", name):
                    continue
            elif only is None and name in ("annotations",):
                continue
            self.add(dotted, name, obj)
        for name, (message, obj) in deprecations(module).items():
            if obj is None:
                self.absent[dotted, name] = message
            elif only is None or id(obj) in only:
                self.add(dotted, name, obj, message)

    def canonical(self, reference):
        """object id -> one public dotted name."""
        order = {m: i for i, m in enumerate(PUBLIC)}

        def rank(dotted):
            module = dotted.rsplit(".", 1)[0]
            private = "._src" in dotted
            other = module in ("numpy", "ml_dtypes")
            kind = self.sections.get(module, {}).get(dotted.rsplit(".", 1)[1], ("",))[0]
            alias = kind == "dtype" and dotted.rsplit(".", 1)[1] != dtype_name(self.sections[module][dotted.rsplit(".", 1)[1]][1])
            deprecated = self.sections.get(module, {}).get(dotted.rsplit(".", 1)[1], (0, 0, None))[2] is not None
            where = order.get(module, 1000)
            return (dotted not in PREFERRED, private, other, deprecated, module in self.flags and where == 1000, where, alias, len(dotted), dotted)

        self.names = {}
        for key, dotted in self.groups.items():
            renamed = [RENAMES[d] for d in dotted if d in RENAMES]
            known = sorted({reference[d] for d in dotted if d in reference and "._src" not in reference[d]}, key=rank)
            if renamed:
                self.names[key] = renamed[0]
            elif known:
                self.names[key] = known[0]
            else:
                best = min(dotted, key=rank)
                if "._src" in best:
                    obj = self.objects[key]
                    home = f"{getattr(obj, '__module__', '')}.{getattr(obj, '__qualname__', '')}"
                    best = home if home in dotted else best
                self.names[key] = best

        # A member of an enumeration is named after its class, unless it has a name of its own.
        for key, obj in self.objects.items():
            if isinstance(obj, enum.EnumMeta):
                for member in obj:
                    parent, _, last = self.names[id(member)].rpartition(".")
                    if parent in self.groups[key] and last == member.name:
                        self.names[id(member)] = f"{self.names[key]}.{member.name}"

    def classes(self):
        """Attributes of classes: all members of enumerations, and the public ones of classes that Pallas defines."""
        for key, obj in list(self.objects.items()):
            if not isinstance(obj, type) or is_dtype(obj):
                continue
            if isinstance(obj, enum.EnumMeta):
                for member in obj:
                    self.groups.setdefault(id(member), []).extend(f"{d}.{member.name}" for d in self.groups[key])
                    self.objects[id(member)] = member

    def class_sections(self):
        out = {}
        for key, obj in sorted(self.objects.items(), key=lambda kv: self.names[kv[0]]):
            if not isinstance(obj, type) or is_dtype(obj):
                continue
            title = self.names[key]
            if title in out:
                continue
            lines = []
            is_enum = isinstance(obj, enum.EnumMeta)
            if is_enum:
                for name, member in obj.__members__.items():
                    lines.append((name, "member", self.names[id(member)], detail(member, "member"), ""))
            module = getattr(obj, "__module__", "") or ""
            wanted = is_enum or module.startswith(("jax._src.pallas", "jax._src.state", "jax._src.hijax", "jax.experimental.pallas")) \
                or title in ("jax.Array", "jax.ShapeDtypeStruct", "jax.sharding.Mesh", "jax.ref.Ref")
            if not wanted or issubclass(obj, BaseException):
                continue
            seen = {l[0] for l in lines}
            defined = {n for c in obj.__mro__ if c.__module__.startswith("jax") for n in c.__dict__} | ({"name", "value"} if is_enum else set())
            if title == "jax.Array":
                defined = set(dir(obj))
            for name in sorted(defined):
                if name.startswith("_") or name in seen:
                    continue
                try:
                    static = inspect.getattr_static(obj, name)
                except AttributeError:
                    continue
                if isinstance(static, (property, types.MemberDescriptorType)) or type(static).__name__ in ("cached_property", "DynamicClassAttribute"):
                    lines.append((name, "property", "", "", ""))
                elif callable(getattr(obj, name, None)):
                    lines.append((name, "method", "", signature(static.__func__ if isinstance(static, (staticmethod, classmethod)) else static), ""))
                else:
                    lines.append((name, "property", "", "", ""))
            if dataclasses.is_dataclass(obj):
                for f in dataclasses.fields(obj):
                    if not f.name.startswith("_") and f.name not in {l[0] for l in lines}:
                        lines.append((f.name, "property", "", "", ""))
            if lines:
                out[title] = ("enum" if is_enum else "class", sorted(set(lines)))
        return out

    def write(self, path):
        out = []
        classes = self.class_sections()
        for dotted in sorted(self.sections):
            out.append(f"@{dotted}\t{self.flags[dotted]}")
            lines = []
            for name, (kind, obj, deprecated) in self.sections[dotted].items():
                own = f"{dotted}.{name}"
                canonical, info = "", ""
                if kind == "module":
                    canonical = obj.__name__
                    if canonical == own:
                        canonical = ""
                else:
                    canonical = self.names.get(id(obj), own)
                    if foreign(obj):
                        kind = "foreign"
                    # The canonical name's own line carries the signature, if it is this very object in this release.
                    if canonical == own:
                        canonical, info = "", detail(obj, kind)
                    elif canonical not in self.groups.get(id(obj), ()):
                        info = detail(obj, kind)
                    elif "._src" in canonical and not self.has(canonical):
                        info = detail(obj, kind)
                lines.append("\t".join((name, kind, canonical, info, deprecated or "")).rstrip("\t"))
            for (module, name), message in self.absent.items():
                if module == dotted and name not in self.sections[dotted]:
                    lines.append("\t".join((name, "removed", "", "", message)))
            out.extend(sorted(lines))
        for title, (flag, lines) in sorted(classes.items()):
            out.append(f"@{title}\t{flag}")
            out.extend("\t".join((n, k, "" if c == f"{title}.{n}" else c, i)).rstrip("\t") for n, k, c, i, _ in lines)
        text = "\n".join(out) + "\n"
        for line in out:
            assert "\n" not in line and "\r" not in line, line
        open(path, "w").write(text)

    def has(self, dotted):
        module, _, name = dotted.rpartition(".")
        return name in self.sections.get(module, ())


def names(path):
    found = Names()
    found.collect()
    found.canonical(read_reference(os.path.dirname(os.path.dirname(path))))
    found.write(path)


def read_reference(folder):
    """dotted -> canonical, of the nearest newer release in the folder, which wins, so that names stay stable."""
    def version(text):
        return tuple(int(p) for p in re.findall(r"\d+", text))
    newer = sorted((d for d in os.listdir(folder) if version(d) > version(RELEASE)), key=version) if os.path.isdir(folder) else []
    if not newer:
        return {}
    reference, section = {}, None
    for line in open(os.path.join(folder, newer[0], "names.txt")):
        fields = line.rstrip("\n").split("\t")
        if line.startswith("@"):
            section = fields[0][1:]
        elif fields[1] not in ("module", "removed", "method", "property"):
            dotted = f"{section}.{fields[0]}"
            reference[dotted] = fields[2] if len(fields) > 2 and fields[2] else dotted
    return reference


# ----------------------------------------------------------------------------------------------------------- primitives

def primitives(path):
    from jax._src.pallas.mosaic import core as tpu_core
    from jax._src.pallas.mosaic import lowering
    for module in ("sc_lowering", "random", "primitives", "sc_primitives", "pipeline", "prefetch"):
        load("jax._src.pallas.mosaic." + module)
    load("jax._src.pallas.mpmd")
    core_type = getattr(tpu_core, "CoreType", None) or tpu_core.KernelType
    names = {"TC": "tensorcore", "SC_SCALAR_SUBCORE": "sc_scalar_subcore", "SC_VECTOR_SUBCORE": "sc_vector_subcore"}
    out = []
    for core in core_type:
        rules = {getattr(p, "name", str(p)) for p in lowering.lowering_rules[core]}
        if core.name == "TC":
            # Rules that the TensorCore tries in other registries.
            for extra in ("lowering_rules_hlo",):
                rules |= {p.name for p in getattr(lowering, extra, {})}
        out.append(names[core.name] + "\t" + " ".join(sorted(rules)))
    open(path, "w").write("\n".join(sorted(out)) + "\n")


# ---------------------------------------------------------------------------------------------------------------- chips

def chips(path):
    info_module = load("jax._src.tpu_info") or load("jax._src.pallas.mosaic.tpu_info")
    from jax._src.pallas.mosaic import core as tpu_core
    kinds = ["TPU v2", "TPU v3", "TPU v4 lite", "TPU v4", "TPU v5e", "TPU v5 lite", "TPU v5", "TPU v5p", "TPU v6e", "TPU v6 lite",
             "TPU7", "TPU7x", "TPU8i", "TPU8t"]
    names = ["float32", "bfloat16", "int8", "uint8", "int4", "uint4", "float8_e5m2", "float8_e4m3b11fnuz", "float8_e4m3fn"]
    out = {}
    for kind in kinds:
        patched = info_module if hasattr(info_module, "get_device_kind") else tpu_core
        patched.get_device_kind = lambda kind=kind: kind
        patched.get_num_device_cores = lambda: 1
        try:
            uncached = inspect.unwrap(info_module.get_tpu_info)
            info = uncached()
        except (ValueError, RuntimeError):
            continue
        name = str(info.chip_version)
        entry = {f.name: getattr(info, f.name) for f in dataclasses.fields(info)}
        entry = {k: v for k, v in entry.items() if k not in ("chip_version", "num_cores") and not k.endswith("per_second")}
        if info.sparse_core is not None:
            entry["sparse_core"] = dataclasses.asdict(info.sparse_core)
        version = info.chip_version
        if hasattr(version, "num_physical_tensor_cores_per_chip"):
            entry["tensor_cores"] = version.num_physical_tensor_cores_per_chip
            entry["megacore"] = version.supports_megacore
        entry["matmul"] = [f"{a} {b}" for a in names for b in names if info.is_matmul_supported(jnp.dtype(a), jnp.dtype(b))]
        entry["kinds"] = out.get(name, {}).get("kinds", []) + [kind]
        out[name] = entry
    lines = [f" {json.dumps(k)}: {json.dumps(v, sort_keys=True)}" for k, v in out.items()]
    open(path, "w").write("{\n" + ",\n".join(lines) + "\n}\n")


# -------------------------------------------------------------------------------------------------------------- messages

def stage(file, function, exception):
    """trace, lower, compile or interpret: when the message comes. A guess from the place where it is written."""
    base = os.path.basename(file)
    name = function.rsplit(".", 1)[-1].lower()
    if "/interpret/" in file or base == "hlo_interpreter.py":
        return "interpret"
    if base == "error_handling.py":
        return "compile"
    if base in ("lowering.py", "sc_lowering.py", "pallas_call_registration.py"):
        return "lower"
    if base in ("core.py", "sc_core.py") and "lower" in name:
        return "lower"
    if "lowering" in name or name.endswith("_lower") or "to_lojax" in name:
        return "lower"
    if "discharge" in name or base == "discharge.py":
        return "interpret" if "pallas/" in file else "trace"
    return "trace"


# Whose every place that raises a kernel for a TPU can come to, files and folders; all of it is listed, what has no words too.
PALLAS = "_src/pallas _src/pallas/mosaic _src/pallas/mosaic/interpret _src/pallas/fuser _src/state _src/hijax.py _src/ref.py _src/tpu_info.py _src/tpu_custom_call.py".split()
# What functions say that kernels call.
CALLED = """
_src/lax _src/lax/control_flow _src/random _src/numpy/array_constructors.py _src/numpy/array_creation.py _src/numpy/array_methods.py _src/numpy/einsum.py
_src/numpy/indexing.py _src/numpy/lax_numpy.py _src/numpy/reductions.py _src/numpy/sorting.py _src/numpy/tensor_contractions.py _src/numpy/ufuncs.py
_src/numpy/util.py _src/dtypes.py _src/debugging.py _src/errors.py
""".split()
# About all of JAX: only what an author of a kernel meets is listed of them.
REST = """
_src/api.py _src/api_util.py _src/array.py _src/callback.py _src/core.py _src/custom_derivatives.py _src/interpreters/ad.py _src/interpreters/batching.py
_src/interpreters/mlir.py _src/interpreters/partial_eval.py _src/pjit.py _src/prng.py _src/tree_util.py _src/util.py
""".split()
MET = re.compile(r"LoJAX|\bref(s|erences?)?\b|Ref\b|mutable array|memory.?space|[Ee]ffect|[Pp]allas|captured|closed.over|[Tt]racer|concrete|host platform|"
                 r"iterable|axis name|valid JAX type|translation rule|pytree structure|safe_zip|\bPRNG|\bkeys?\b")


def sources(root, names):
    """The Python files among the names, and directly in the folders among them."""
    for name in names:
        full = os.path.join(root, name)
        for file in sorted(os.listdir(full)) if os.path.isdir(full) else [""] * os.path.exists(full):
            if os.path.join(name, file).rstrip("/").endswith(".py"):
                yield os.path.join(name, file).rstrip("/")


def messages(path):
    root = os.path.dirname(jax.__file__)
    out = []
    for names in (PALLAS, CALLED, REST):
        for file in sources(root, names):
            for line, function, exception, text in sorted(templates.Found(root, file, names is PALLAS).found):
                wordless = not templates.LETTERS.search(text.replace("{}", ""))
                if names is not PALLAS and (wordless or exception.endswith("Warning")) or names is REST and not MET.search(text):
                    continue
                out.append("\t".join((file, str(line), function, exception, stage(file, function, exception), json.dumps(text, ensure_ascii=False))))
    open(path, "w").write("\n".join(out) + "\n")


# ----------------------------------------------------------------------------------------------------------------- calls

# What a required parameter of that name is given; others get an array.
ARGUMENTS = {
    "axis": 0, "axes": (0,), "dimension": 0, "dimensions": (0,), "shape": (128, 128), "newshape": (128, 128), "new_sizes": (128, 128), "sizes": (128, 128),
    "dtype": jnp.float32, "new_dtype": jnp.float32, "n": 8, "N": 8, "k": 8, "num_classes": 128, "num": 8, "start": 0, "stop": 8, "shift": 1, "repeats": 2,
    "source": 0, "destination": 1, "axis1": 0, "axis2": 1, "reps": (1, 1), "pad_width": 1, "indices_or_sections": 2, "num_segments": 8,
    "permutation": (1, 0), "start_indices": (0, 0), "limit_indices": (8, 128), "broadcast_dimensions": (0, 1), "split_rngs": {}, "decimals": 0,
    "subscripts": "ij,jk->ik", "dimension_numbers": (((1,), (0,)), ((), ())), "operand_dims": (0,), "index_dtype": jnp.int32, "fill_value": 0.0,
    "padding_config": ((0, 0, 0), (0, 0, 0)), "exponent_bits": 8, "mantissa_bits": 7, "y_exp": 2, "slice_sizes": (8, 128), "start_index": 0, "slice_size": 8,
    "limit_index": 8, "index": 0, "target": jnp.float32, "minval": 0, "maxval": 8, "q": 0.5, "p": 0.5, "deg": 2, "window_strides": (1, 1), "padding": "VALID",
    "num_or_size_splits": 2, "sections": 2, "lambd": 0.5, "size": 128, "shift_type": 0, "length": 8, "fft_lengths": (128,), "fft_type": "FFT",
}
ARRAYS_OF_INTS = {"indices", "idx", "ind", "index_array", "segment_ids", "shift_amount", "positions"}
FUNCTIONS = {"f", "fun", "func", "body_fun", "cond_fun", "body", "pred", "computation", "true_fun", "false_fun", "branches", "init_val", "pyfunc", "jaxpr", "callback"}
INSIDE = {"jit", "pjit", "closed_call", "core_call", "custom_jvp_call", "custom_vjp_call", "custom_vjp_call_jaxpr", "while", "scan", "cond", "remat2", "remat", "checkpoint"}
SEQUENCES = {"arrays", "tup", "operands", "arys", "array_list", "seq", "choices"}
SAMPLES = [(kind, dtype, shape) for shape in ((128, 128), (128,)) for kind, dtype in
           (("float", jnp.float32), ("int", jnp.int32), ("uint", jnp.uint32), ("bool", jnp.bool_), ("float", jnp.bfloat16))]
# Some functions do other things with few elements.
SAMPLES += [("float", jnp.float32, (8, 128)), ("float", jnp.float32, (16,)), ("int", jnp.int32, (16,))]
# Gone before a kernel is lowered.
TRANSPARENT = {"call_hi_primitive", "dce_sink"}
# What is written without a function's name.
OPERATORS = {
    "__add__": lambda x: x + x, "__sub__": lambda x: x - x, "__mul__": lambda x: x * x, "__truediv__": lambda x: x / x, "__floordiv__": lambda x: x // x,
    "__mod__": lambda x: x % x, "__divmod__": lambda x: divmod(x, x), "__pow__": lambda x: x ** x, "__pow__.int": lambda x: x ** 3, "__pow__.2": lambda x: x ** 2,
    "__pow__.float": lambda x: x ** 0.3, "__rpow__": lambda x: 2 ** x, "__matmul__": lambda x: x @ x, "__and__": lambda x: x & x, "__or__": lambda x: x | x,
    "__xor__": lambda x: x ^ x, "__lshift__": lambda x: x << x, "__rshift__": lambda x: x >> x, "__neg__": lambda x: -x, "__invert__": lambda x: ~x,
    "__abs__": lambda x: abs(x), "__eq__": lambda x: x == x, "__ne__": lambda x: x != x, "__lt__": lambda x: x < x, "__le__": lambda x: x <= x,
    "__gt__": lambda x: x > x, "__ge__": lambda x: x >= x, "__round__": lambda x: round(x),
    "__getitem__.int": lambda x: x[0], "__getitem__.slice": lambda x: x[1:3], "__getitem__.none": lambda x: x[None], "__getitem__.reverse": lambda x: x[::-1],
    "__getitem__.traced": lambda x: x[x.reshape(-1)[0].astype("int32")], "__getitem__.array": lambda x: x[x.reshape(-1).astype("int32")],
    "T": lambda x: x.T, "mT": lambda x: x.mT, "at.get": lambda x: x.at[0].get(), "at.set": lambda x: x.at[0].set(1), "at.add": lambda x: x.at[0].add(1),
    "at.multiply": lambda x: x.at[0].multiply(2), "at.min": lambda x: x.at[0].min(2), "at.max": lambda x: x.at[0].max(2),
    "astype.float32": lambda x: x.astype("float32"), "astype.int32": lambda x: x.astype("int32"), "astype.bfloat16": lambda x: x.astype("bfloat16"),
    "astype.bool": lambda x: x.astype("bool"), "astype.int8": lambda x: x.astype("int8"),
}
METHODS = ("all any argmax argmin argsort clip conj cumprod cumsum dot flatten max mean min prod ravel repeat round sort squeeze std sum swapaxes take "
           "transpose var trace diagonal nonzero compress choose searchsorted ptp").split()


def bound(jaxpr, out):
    for eqn in jaxpr.eqns:
        out.add(eqn.primitive.name)
        if eqn.primitive.name in INSIDE:
            for value in eqn.params.values():
                for sub in value if isinstance(value, (tuple, list)) else (value,):
                    sub = getattr(sub, "jaxpr", sub)
                    if hasattr(sub, "eqns"):
                        bound(sub, out)


def traced(f, args):
    from jax._src.interpreters import partial_eval as pe
    arrays = [a for a in args if isinstance(a, jax.ShapeDtypeStruct)]

    def call(*xs):
        it = iter(xs)
        return f(*[next(it) if isinstance(a, jax.ShapeDtypeStruct) else a for a in args])

    try:
        jaxpr = jax.make_jaxpr(call)(*arrays).jaxpr
        jaxpr, _ = pe.dce_jaxpr(jaxpr, [True] * len(jaxpr.outvars))
    except Exception:
        return None
    out = set()
    bound(jaxpr, out)
    return out


def calls(path):
    """function -> primitives that every call of it binds; more of them by the kind of the arrays, and by their rank."""
    todo = {}
    for module in ("jax.numpy", "jax.lax", "jax.nn", "jax.random", "jax.scipy.special", "jax.numpy.linalg", "jax.numpy.fft"):
        m = load(module)
        for name in sorted(vars(m)):
            f = getattr(m, name)
            if name.startswith("_") or isinstance(f, type) or not callable(f) or isinstance(f, types.ModuleType) or kind_of(f) != "function":
                continue
            try:
                params = list(inspect.signature(f).parameters.values())
            except (ValueError, TypeError):
                continue
            required = [p for p in params if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
            if any(p.name in FUNCTIONS for p in required) or any(p.default is p.empty and p.kind is p.KEYWORD_ONLY for p in params):
                continue
            todo[f"{module}.{name}"] = (f, [p.name for p in required] or ["x"] * any(p.kind is p.VAR_POSITIONAL for p in params))
    for name in METHODS:
        if hasattr(jax.Array, name):
            todo[f"jax.Array.{name}"] = (lambda x, name=name: getattr(x, name)(), ["x"])
    for name, f in OPERATORS.items():
        todo[f"jax.Array.{name}"] = (f, ["x"])
    key = jax.eval_shape(lambda: jax.random.key(0))
    out = []
    for name, (f, required) in sorted(todo.items()):
        found = []  # (kind, rank, primitives)
        for kind, dtype, shape in SAMPLES:
            args = []
            for p in required:
                if p in ("key", "keys") and name.startswith("jax.random."):
                    args.append(key)
                elif p in ARGUMENTS:
                    args.append(ARGUMENTS[p])
                elif p in SEQUENCES:
                    args += [jax.ShapeDtypeStruct(shape, dtype)] * 2
                elif p in ARRAYS_OF_INTS:
                    args.append(jax.ShapeDtypeStruct(shape, jnp.int32))
                else:
                    args.append(jax.ShapeDtypeStruct(shape, dtype))
            g = f
            if any(p in SEQUENCES for p in required):
                g = lambda *xs, f=f, at=[p in SEQUENCES for p in required].index(True): f(*xs[:at], xs[at:at + 2], *xs[at + 2:])
            got = traced(g, args)
            if got is not None:
                found.append((kind, len(shape), got - TRANSPARENT))
        if not found:
            continue
        always = set.intersection(*(got for _, _, got in found))
        row = [name, " ".join(sorted(always))]
        for tag in ("float", "int", "uint", "bool", 1, 2):
            some = [got for kind, rank, got in found if tag in (kind, rank)]
            more = set.intersection(*some) - always if some else set()
            if more:
                row.append(f"{tag}:" + " ".join(sorted(more)))
        out.append("\t".join(row))
    open(path, "w").write("\n".join(out) + "\n")


# ------------------------------------------------------------------------------------------------------------- promotion

def promotion(path):
    names = ["bool", "int2", "int4", "int8", "int16", "int32", "uint2", "uint4", "uint8", "uint16", "uint32", "bfloat16", "float16", "float32",
             "complex64", "float8_e4m3fn", "float8_e5m2", "float8_e4m3b11fnuz", "float8_e3m4", "float4_e2m1fn", "int64", "uint64", "float64", "complex128"]
    from jax._src import dtypes as jd
    out = []
    for x64 in (False, True):
        with jax.enable_x64(x64) if hasattr(jax, "enable_x64") else jax.experimental.enable_x64(x64):
            usable = [n for n in names if x64 or n not in ("int64", "uint64", "float64", "complex128")]
            for a in usable:
                for wa in (False, True):
                    for b in usable:
                        for wb in (False, True):
                            try:
                                got = jd.lattice_result_type(Typed(a, wa), Typed(b, wb))
                                got, weak = got
                                got = f"{np.dtype(got).name}\t{int(weak)}"
                            except Exception as e:
                                if type(e).__name__ != "TypePromotionError":
                                    continue
                                got = "-\t0"
                            out.append(f"{int(x64)}\t{a}\t{int(wa)}\t{b}\t{int(wb)}\t{got}")
    open(path, "w").write("\n".join(out) + "\n")


class Typed:
    def __init__(self, name, weak):
        self.dtype = np.dtype(name)
        self.aval = types.SimpleNamespace(weak_type=weak)
        self.shape = ()


def main():
    what, target = sys.argv[1:3]
    if what == "promotion":
        return promotion(target)
    folder = os.path.join(target, RELEASE)
    os.makedirs(folder, exist_ok=True)
    for part, name in PARTS.items():
        if what in (part.__name__, "all"):
            part(os.path.join(folder, name))


PARTS = {names: "names.txt", primitives: "primitives.txt", chips: "chips.json", messages: "messages.txt", calls: "calls.txt"}

if __name__ == "__main__":
    main()
