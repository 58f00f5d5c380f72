#!/bin/sh
# Train the networks of the default model side by side on one GPU:
#
#     recipes/default/train.sh STORE RUNS members
#     recipes/default/train.sh STORE RUNS folds
#
# The members differ in how much of a word they see; each leaves RUNS/NAME/model. The folds are two of
# them, trained for a shorter time without some of the genres: RUNS/folds/FOLD/NAME/model. What they do
# on those shows how far the model is to be trusted on genres it has never met.
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

fold() {
    for name in words-5000 words-1000; do
        most=${name#words-} masking=suffix
        [ $most = 5000 ] && masking=rare
        train "$runs/folds/$1/$name" --set seed=1 --set epochs=12 --set "leave_out=[$2]" \
            --set network.most_words=$most --set network.masking=$masking
    done
}

case $3 in
members)
    train "$runs/words-5000" --set seed=1
    train "$runs/words-2000" --set seed=2 --set network.most_words=2000 --set network.masking=suffix
    train "$runs/words-1000" --set seed=3 --set network.most_words=1000 --set network.masking=suffix
    train "$runs/words-500" --set seed=4 --set network.most_words=500 --set network.masking=suffix
    ;;
folds)  # kindred genres lie in different folds
    fold 1 fanfic,court,mpi
    fold 2 fiction,debates,git
    fold 3 techblogs,cobol,lean
    fold 4 blogs,rhelp,cypherpunks
    ;;
esac
wait
