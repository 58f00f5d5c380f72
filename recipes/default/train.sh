#!/bin/sh
# Train the networks of the default model side by side on one GPU:
#
#     recipes/default/train.sh STORE RUNS members
#     recipes/default/train.sh STORE RUNS folds
#
# The members differ in seed and dropout; each leaves RUNS/NAME/model. All are fitted together, and the
# packaged model keeps words-1000-b and words-1000-c (assemble.py --keep). A fold is a network like them,
# trained without three of the genres: RUNS/folds/NUMBER/NAME/model. What folds do on those genres
# shows how far the members are to be trusted on genres they have never met.
set -e
store=$1 runs=$2
config=$(dirname "$0")/config.yaml
samehand=${SAMEHAND:-samehand}

train() {  # a run's name, its seed, other settings
    run=$runs/$1 seed=$2
    shift 2
    mkdir -p "$(dirname "$run")"
    $samehand train "$store" -o "$run" -c "$config" --set "seed=$seed" "$@" > "$run.log" 2>&1 &
    jobs="$jobs $!"
}

more_dropout="--set network.dropout_recurrent=0.1 --set network.dropout_attention=0.1
    --set network.dropout_metric=0.2 --set network.dropout_characters=0.2"

case $3 in
members)
    train words-1000 3
    train words-1000-b 5 $more_dropout
    train words-1000-c 11
    ;;
folds)  # kindred genres lie in different folds; the last lacks the blogs, and so has shorter epochs
    train folds/1/words-1000 1 --set "leave_out=[fanfic,court,mpi]"
    train folds/2/words-1000 1 --set "leave_out=[fiction,debates,git]"
    train folds/3/words-1000 1 --set "leave_out=[techblogs,cobol,lean]"
    train folds/4/words-1000 1 --set "leave_out=[blogs,rhelp,cypherpunks]" --set epochs=62
    ;;
esac
for job in $jobs; do
    wait "$job"  # and fail if it failed
done
