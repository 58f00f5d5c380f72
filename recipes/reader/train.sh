#!/bin/sh
# Train the reader of the default model, and four without three of the genres each, on one GPU:
#
#     recipes/reader/train.sh STORE RUNS reader
#     recipes/reader/train.sh STORE RUNS folds
#
# They leave RUNS/reader and RUNS/reader-folds/NUMBER. What folds do on the genres they lack shows
# how far the reader is to be trusted on genres it has never met; they are the folds of
# recipes/default/train.sh.
set -e
store=$1 runs=$2
learn="${PYTHON:-python3} $(dirname "$0")/learn.py $store"
mkdir -p "$runs"

fold() {  # its number, the genres left out
    $learn -o "$runs/reader-folds/$1" --leave-out "$2" --minutes 3 4 --looks 0 --workers 3 \
        > "$runs/reader-fold-$1.log" 2>&1 &
    jobs="$jobs $!"
}

case $3 in
reader)
    $learn -o "$runs/reader" --minutes 5 6 > "$runs/reader.log" 2>&1
    ;;
folds)
    fold 1 fanfic,court,mpi
    fold 2 fiction,debates,git
    fold 3 techblogs,cobol,lean
    fold 4 blogs,rhelp,cypherpunks
    ;;
esac
for job in $jobs; do
    wait "$job"  # and fail if it failed
done
