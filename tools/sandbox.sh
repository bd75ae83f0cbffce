#!/bin/sh
# Run a command without a display and with a throw-away home folder, so that
# nobody's Orange settings are read or changed. Compiled code is kept in the virtual
# environment of the command, or else in .venv, unless NUMBA_CACHE_DIR is set. Widgets
# start no process that compiles ahead.
#   tools/sandbox.sh COMMAND [ARGUMENT ...]
set -u
home=$(mktemp -d) || exit 1
trap 'rm -rf "$home"' EXIT
trap 'exit 130' INT TERM
mkdir -m 700 "$home/run"
case $1 in
    */bin/*) environment=${1%/bin/*} ;;
    *) environment=$(dirname "$0")/../.venv ;;
esac
if [ ! -f "$environment/pyvenv.cfg" ]; then environment=$home; fi
environment=$(cd "$environment" && pwd)
NUMBA_CACHE_DIR=${NUMBA_CACHE_DIR:-$environment/compiled} \
STRUCTPRED_COMPILE_AHEAD=${STRUCTPRED_COMPILE_AHEAD:-0} HOME=$home \
XDG_CONFIG_HOME=$home/config XDG_DATA_HOME=$home/data \
XDG_CACHE_HOME=$home/cache XDG_RUNTIME_DIR=$home/run \
QT_QPA_PLATFORM=offscreen "$@"
