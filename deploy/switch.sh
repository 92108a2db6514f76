#!/bin/sh
# Switches to a release that was built beside the running one: deploy/switch.sh RELEASE [ROOT]. It runs from the next
# restart on. ROOT/current is the link that the service follows; ROOT is /opt/millrace. To go back, switch to the former
# release.
set -eu

release=$(cd "${1:?which release? deploy/switch.sh RELEASE [ROOT]}" && pwd -P)
root=${2:-/opt/millrace}
if [ ! -f "$release/.next/BUILD_ID" ]; then
  echo "$release is not built: run 'npm run build' in it first" >&2
  exit 1
fi

# Open pages still ask for the scripts of the release they came from.
node "$release/deploy/keep-chunks.mjs" "$root/current"
# A rename is atomic: the link is never missing. Of several switches at once each has a name of its own until then.
next="$root/current.$$"
ln -sfn "$release" "$next"
mv -T "$next" "$root/current"
