#!/bin/sh
# Print where a Python of this version is: on the PATH, or among those of pyenv.
#   tools/find_python.sh 3.12
for candidate in "python$1" "$(pyenv root 2>/dev/null)"/versions/"$1".*/bin/python
do
    # A name on the PATH may be a shim without a Python behind it, so each is tried.
    if "$candidate" -c 'import venv' >/dev/null 2>&1; then
        command -v "$candidate"
        exit 0
    fi
done
exit 1
