#!/bin/sh
# Train the members of the default model side by side on one GPU:
#
#     recipes/default/train.sh STORE RUNS
#
# They differ in how much of a word they see. Each leaves RUNS/NAME/model.
set -e
store=$1 runs=$2
config=$(dirname "$0")/config.yaml
samehand=${SAMEHAND:-samehand}

train() {
    name=$1
    shift
    mkdir -p "$runs"
    $samehand train "$store" -o "$runs/$name" -c "$config" "$@" > "$runs/$name.log" 2>&1 &
}

train words-5000 --set seed=1
train words-2000 --set seed=2 --set network.most_words=2000 --set network.masking=shape
train words-1000 --set seed=3 --set network.most_words=1000 --set network.masking=shape
wait
