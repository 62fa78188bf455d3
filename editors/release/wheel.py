"""Wheels that hold a program and no Python worth naming, as ruff's do: pip puts the program beside the environment's python."""
import base64
import hashlib
import pathlib
import stat
import zipfile

NAME = "pallas_lsp"

MAIN = '''"""python -m pallas_lsp runs the program that was installed with this package."""
import os
import subprocess
import sys
import sysconfig


def program():
    name = "pallas-lsp" + (sysconfig.get_config_var("EXE") or "")
    schemes = [None, sysconfig.get_preferred_scheme("user")]
    folders = [sysconfig.get_path("scripts", *([s] if s else [])) for s in schemes]
    folders.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bin"))  # pip install --target
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    sys.exit("pallas-lsp is not in " + ", ".join(folders))


if __name__ == "__main__":
    if sys.platform == "win32":
        sys.exit(subprocess.run([program(), *sys.argv[1:]]).returncode)
    os.execv(program(), [program(), *sys.argv[1:]])
'''

METADATA = """\
Metadata-Version: 2.4
Name: pallas-lsp
Version: {version}
Summary: Finds mistakes in JAX Pallas kernels while you type them
Keywords: jax,pallas,tpu,mosaic,lsp,linter
License-Expression: Apache-2.0
License-File: LICENSE
Requires-Python: >=3.8
Project-URL: Repository, {home}
Project-URL: Changelog, {home}/blob/main/CHANGELOG.md
Classifier: Development Status :: 4 - Beta
Classifier: Environment :: Console
Classifier: Intended Audience :: Developers
Classifier: Programming Language :: Python
Classifier: Topic :: Software Development :: Quality Assurance
Description-Content-Type: text/markdown

{readme}"""


def file_name(version, tags):
    return f"{NAME}-{version}-py3-none-{'.'.join(tags)}.whl"


def write(path, version, tags, program, readme, licence, home, time):
    """Writes a wheel for the platforms in tags; the same inputs give the same bytes."""
    info = f"{NAME}-{version}.dist-info"
    tag_lines = "".join(f"Tag: py3-none-{tag}\n" for tag in tags)
    files = [
        (f"{NAME}/__init__.py", b"", 0o644),
        (f"{NAME}/__main__.py", MAIN.encode(), 0o644),
        (f"{NAME}-{version}.data/scripts/{program.name}", program.read_bytes(), 0o755),
        (f"{info}/METADATA", METADATA.format(version=version, readme=readme, home=home).encode(), 0o644),
        (f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: pallas-lsp\nRoot-Is-Purelib: false\n{tag_lines}".encode(), 0o644),
        (f"{info}/licenses/LICENSE", licence, 0o644),
    ]
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, data, _ in files) + f"{info}/RECORD,,\n"
    files.append((f"{info}/RECORD", record.encode(), 0o644))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data, mode in files:
            entry = zipfile.ZipInfo(name, time)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (stat.S_IFREG | mode) << 16
            archive.writestr(entry, data)
    return pathlib.Path(path)


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
