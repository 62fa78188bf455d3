#!/bin/sh
# Writes the data of every release, newest first, since an older one takes its canonical names from the next newer one.
#
#     all.sh [PART [ENVIRONMENTS]]    PART as generate.py has it, all by default; ENVIRONMENTS/<release> is a virtual environment
set -e
cd "$(dirname "$0")"
part=${1:-all}
envs=${2:?a folder with one environment a release}
for release in 0.12.0.1 0.11.0 0.10.2 0.9.2 0.8.3; do
  "$envs/$release/bin/python" generate.py "$part" ../data
done
