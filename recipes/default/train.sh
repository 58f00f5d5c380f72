#!/bin/sh
# Train the networks of the default model side by side on one GPU:
#
#     recipes/default/train.sh STORE RUNS members
#     recipes/default/train.sh STORE RUNS folds
#
# The members differ in how many words they know; each leaves RUNS/NAME/model. A fold is a network like them,
# trained without three of the genres: RUNS/folds/NUMBER/NAME/model. What folds do on
# those genres shows how far the members are to be trusted on genres they have never met.
set -e
store=$1 runs=$2
config=$(dirname "$0")/config.yaml
samehand=${SAMEHAND:-samehand}

train() {  # a run's name, the words it knows, its seed, other settings
    run=$runs/$1 words=$2 seed=$3
    shift 3
    mkdir -p "$(dirname "$run")"
    $samehand train "$store" -o "$run" -c "$config" --set "network.most_words=$words" \
        --set "seed=$seed" "$@" > "$run.log" 2>&1 &
}

more_dropout="--set network.dropout_recurrent=0.1 --set network.dropout_attention=0.1
    --set network.dropout_metric=0.2 --set network.dropout_characters=0.2"

case $3 in
members)
    train words-1000 1000 3
    train words-1000-b 1000 5 $more_dropout
    train words-2000 2000 7
    train words-3000 3000 8 $more_dropout
    ;;
folds)  # kindred genres lie in different folds; the last lacks the blogs, and so has shorter epochs
    train folds/1/words-1000 1000 1 --set "leave_out=[fanfic,court,mpi]" --set epochs=22
    train folds/2/words-1000 1000 1 --set "leave_out=[fiction,debates,git]" --set epochs=22
    train folds/3/words-1000 1000 1 --set "leave_out=[techblogs,cobol,lean]" --set epochs=22
    train folds/4/words-1000 1000 1 --set "leave_out=[blogs,rhelp,cypherpunks]" --set epochs=35
    ;;
esac
wait
