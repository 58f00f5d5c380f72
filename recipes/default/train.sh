#!/bin/sh
# Train the networks of the default model side by side on one GPU:
#
#     recipes/default/train.sh STORE RUNS members
#     recipes/default/train.sh STORE RUNS folds
#
# The members differ in how much of a word they see; each leaves RUNS/NAME/model. A fold is one of them,
# trained for a shorter time without three of the genres: RUNS/folds/NUMBER/NAME/model. What folds do on
# those genres shows how far the members are to be trusted on genres they have never met.
set -e
store=$1 runs=$2
config=$(dirname "$0")/config.yaml
samehand=${SAMEHAND:-samehand}

train() {
    run=$1
    shift
    mkdir -p "$(dirname "$run")"
    $samehand train "$store" -o "$run" -c "$config" "$@" > "$run.log" 2>&1 &
}

knowing() {  # so many words, and the endings of others
    words=$1 run=$2
    shift 2
    train "$run/words-$words" --set "network.most_words=$words" --set network.masking=suffix "$@"
}

fold() {
    knowing 1000 "$runs/folds/$1" --set seed=1 --set epochs=12 --set "leave_out=[$2]"
}

case $3 in
members)
    knowing 500 "$runs" --set seed=4
    knowing 1000 "$runs" --set seed=3
    knowing 2000 "$runs" --set seed=2
    train "$runs/words-5000" --set seed=1 --set epochs=29 --set scoring.authors=0.15 \
        --set network.lev_size=60 --set network.dropout_characters=0.2 --set network.dropout_metric=0.2 \
        --set network.dropout_recurrent=0.1 --set network.dropout_attention=0.1
    ;;
folds)  # kindred genres lie in different folds
    fold 1 fanfic,court,mpi
    fold 2 fiction,debates,git
    fold 3 techblogs,cobol,lean
    fold 4 blogs,rhelp,cypherpunks
    ;;
esac
wait
