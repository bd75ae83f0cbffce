#!/bin/sh
# Make a virtual environment with the first Python >= 3.10 that works.
#   tools/make_venv.sh FOLDER
# PYTHON=/path/to/python chooses another one.
set -eu
folder=$1

# A name on the PATH may be a shim without a Python behind it, so each is tried.
good() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 10))' >/dev/null 2>&1
}

found=
for candidate in ${PYTHON:-python3.13 python3.12 python3.11 python3.10 python3 python}
do
    if good "$candidate"; then
        found=$candidate
        break
    fi
done
if [ -z "$found" ]; then
    echo "error: found no Python >= 3.10${PYTHON:+ (PYTHON is $PYTHON)}." >&2
    echo "Install one (Debian, Ubuntu: apt install python3 python3-venv;" \
         "Fedora: dnf install python3; macOS: brew install python@3.12)" \
         "or name one: make PYTHON=/path/to/python3 ..." >&2
    exit 1
fi
if ! "$found" -c 'import ensurepip, venv' >/dev/null 2>&1; then
    echo "error: $("$found" -V) ($found) cannot make virtual environments." >&2
    echo "Remedy on Debian and Ubuntu: apt install python3-venv" >&2
    exit 1
fi
echo "making $folder with $("$found" -V)"
"$found" -m venv "$folder"
