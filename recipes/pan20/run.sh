#!/bin/bash
# From an archive of PAN 2020 to the paper's Table 1. For whoever holds it: PAN gives it out on request.
#
#     recipes/pan20/run.sh ARCHIVE.zip OUT [OPTIONS OF samehand ablate]
#
# VECTORS=FILE: fastText's word vectors, with which the paper begins. Called again, it goes on where it was interrupted; several
# such calls at once share the trainings. It takes a GPU: --accelerator, --devices, --runs and --set go to `samehand ablate`.
# Leaves OUT/corpus, OUT/store, and in OUT/ablation the trainings and table.md, table.csv, table.tex.
set -euo pipefail
archive=$1 out=$2
shift 2
if [ ! -d "$out/corpus" ]; then
    mkdir -p "$out"
    rm -rf "$out/unzipped"
    python3 -m zipfile -e "$archive" "$out/unzipped"
    mv "$out/unzipped" "$out/corpus"
fi
truth=$(find "$out/corpus" -name '*truth.jsonl' -not -path '*/__MACOSX/*' | sort | head -n 1)
if [ -z "$truth" ]; then
    echo "$archive: there is no *truth.jsonl in it; give an archive of PAN 2020's training data." >&2
    exit 2
fi
if [ ! -f "$out/store/store.json" ]; then
    samehand prepare "$(dirname "$truth")" -o "$out/store" --topics labels --shares 75,25 --subsets SA_DF,DA_SF \
        ${VECTORS:+--vectors "$VECTORS"}
fi
samehand ablate "$out/store" -o "$out/ablation" --preset paper "$@"
