#!/bin/sh
# Switches to a release that was built beside the running one: deploy/switch.sh RELEASE [ROOT]. It runs from the next
# restart on. ROOT/current is the link that the service follows; ROOT is /opt/millrace. To go back, switch to the former
# release.
set -eu

release=$(cd "$1" && pwd -P)
root=${2:-/opt/millrace}
if [ ! -f "$release/.next/BUILD_ID" ]; then
  echo "$release is not built: run 'npm run build' in it first" >&2
  exit 1
fi

# Open pages still ask for the scripts of the release they came from.
if [ -e "$root/current" ]; then
  node "$release/deploy/keep-chunks.mjs" "$root/current"
fi
# A rename is atomic: the link is never missing.
ln -sfn "$release" "$root/current.next"
mv -T "$root/current.next" "$root/current"
