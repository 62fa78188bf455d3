#!/bin/sh
# Writes the data of every release, newest first, since an older one takes its canonical names from the next newer one.
# The environments are /opt/jaxenv/<release>, or under the folder given.
set -e
cd "$(dirname "$0")"
envs=${1:-/opt/jaxenv}
for release in 0.12.0.1 0.11.0 0.10.2 0.9.2 0.8.3; do
  "$envs/$release/bin/python" generate.py names ../data
done
