#!/bin/bash
# Networks of the paper's preset on 1/8, 1/4, 1/2 and all of the training authors, for benchmarks/curves.py.
#
#     recipes/paper/authors.sh STORE OUT RUNS WORKERS SECONDS [OPTIONS OF samehand train]
#
# RUNS seeds of each; so many WORKERS at once, for a limited time. All take the same number of steps: fewer authors are gone through
# more often, while the learning rate falls alike. What time was too short for goes on from its last checkpoint in the next call, with the
# same options. Exit code: 0 all are trained, 124 there is more to do, 123 a training failed. EPOCHS: those of all authors
# (35). PARTS: into how many parts the authors are divided, of which one is trained on ("8 4 2 1").
set -euo pipefail
export STORE=$1 OUT=$2
runs=$3 workers=$4 seconds=$5
shift 5
mkdir -p "$OUT"

one() { # parts, seed, epochs, options
    local parts=$1 seed=$2 epochs=$3 run=$OUT/1-of-$1-$2 resume=()
    shift 3
    if [ -f "$run/model/model.json" ]; then return; fi
    if [ -f "$run/config.json" ]; then resume=(--resume); fi
    mkdir -p "$run"
    samehand train "$STORE" -o "$run" --preset paper --set "authors_used=$(python3 -c "print(1 / $parts)")" \
        --set "epochs=$((epochs * parts))" --set "seed=$seed" "${resume[@]}" "$@" > "$run/train.log" 2>&1 || {
        tail -n 3 "$run/train.log"
        return 1
    }
}
export -f one

for seed in $(seq 0 $((runs - 1))); do
    for parts in ${PARTS:-8 4 2 1}; do echo "$parts $seed ${EPOCHS:-35}"; done
done | timeout --kill-after=20 "$seconds" xargs -P "$workers" -L 1 bash -c 'one "${@: -3}" "${@:1:$#-3}"' one "$@"
