#!/bin/sh
# Makes sure that the given commands, which the tests need, are installed. As root it installs missing ones with apt;
# otherwise it fails and names them. Commands and packages have the same names, except that node is in nodejs. For
# chromium, any similar browser will do, including the one in PETTEIA_BROWSER.
set -eu
there() {
  for name in "$@"; do
    if command -v "$name" >/dev/null 2>&1; then return 0; fi
  done
  return 1
}
missing=
for command in "$@"; do
  case $command in
    chromium) there "${PETTEIA_BROWSER:-chromium}" chromium-browser google-chrome ;;
    *) there "$command" ;;
  esac || missing="$missing $(echo "$command" | sed 's/^node$/nodejs/')"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
  echo "make test needs packages that are not installed, and only root can install them:$missing" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# shellcheck disable=SC2086
apt-get install -y -qq --no-install-recommends $missing >/dev/null
