#!/bin/sh
# Sees to it that the commands which the tests need are there: installs the packages of those that are missing with apt
# when it may, else stops with one line that names them. A command and its package have the same name.
set -eu
missing=
for command in "$@"; do
  command -v "$command" >/dev/null 2>&1 || missing="$missing $command"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
  echo "make test needs packages that are not installed:$missing" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# shellcheck disable=SC2086
apt-get install -y -qq --no-install-recommends $missing >/dev/null
