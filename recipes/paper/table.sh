#!/bin/bash
# The trainings of the paper's Table 1, some of them side by side, for a limited time.
#
#     recipes/paper/table.sh STORE OUT WORKERS SECONDS [OPTIONS OF samehand ablate]
#
# Each worker takes the next training that is neither finished nor at work, and the last one writes the tables. What time was
# too short for goes on from its last checkpoint in the next call, with the same options. OUT/worker-1.log and so on say what happened.
# Exit code: 0 the tables are there, 3 there is more to do, 1 a training failed.
set -uo pipefail
store=$1 out=$2 workers=$3 seconds=$4
shift 4
mkdir -p "$out"
rm -f "$out"/table.*
for number in $(seq "$workers"); do
    timeout --kill-after=20 "$seconds" samehand ablate "$store" -o "$out" "$@" > "$out/worker-$number.log" 2>&1 &
done
unfinished=0
for worker in $(jobs -p); do
    wait "$worker"
    case $? in 124 | 137) unfinished=1 ;; esac
done
tail -n 3 "$out"/worker-*.log
wc -l "$out"/*/metrics.jsonl
if [ -f "$out/table.md" ]; then exit 0; fi
if [ "$unfinished" = 1 ]; then exit 3; fi
exit 1
