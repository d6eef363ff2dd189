#!/bin/sh
# map.sh JUDDER FOLDER -- the 100 x 100 map of the damped beam: settled motions of 10 000 points, within a minute on two cores.
set -eu
judder=$1 folder=$2 model=$(dirname "$0")/../gallery/friction-beam/map.yaml
rm -f "$folder/map.h5" "$folder/map.h5.journal"
begin=$(date +%s.%N)
"$judder" sweep "$model" --threads 2 -q -o "$folder/map.h5"
taken=$(echo "$(date +%s.%N) $begin" | awk '{ printf "%.1f", $1 - $2 }')
settled=$("$judder" info "$folder/map.h5" --json | grep -c '"kind": *"sweep"')
[ "$settled" = 1 ] || { echo "the map was not written"; exit 1; }
echo "$taken" | awk '{ printf "\nMap of the beam, 10 000 points, two threads: %s s of 60 s allowed  %s\n", $1, $1 < 60 ? "met" : "MISSED"; exit $1 >= 60 }'
