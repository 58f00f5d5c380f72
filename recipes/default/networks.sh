#!/bin/bash
# Four networks, each trained without a quarter of the sources; kindred ones stay together. They belong to a model, or judge what a genre is
# like that no network has met (samehand fit --judge), or both.
#
#     recipes/default/networks.sh STORE OUT WORKERS SECONDS [OPTIONS OF samehand train]
#
# So many WORKERS at once, for a limited time. What time was too short for goes on from its last checkpoint in the next call, with the same
# options. Exit code: 0 all are trained, 124 there is more to do, 123 a training failed. ONLY: some of the networks ("1 2 3 4").
set -euo pipefail
export STORE=$1 OUT=$2
workers=$3 seconds=$4
shift 4
mkdir -p "$OUT"

parliaments="cad_india hansard_australia hansard_singapore hansard_south_africa hansard_uganda parliaments_small"
blogs="blogs gov_bloggers personal_sites useperl_journals scholar_blogs carpentries_blog techblogs"
fiction="fiction novels_us_1850s pulp_sf short_fiction_modern fanfic screenplays"
chat="irc_perl irc_webstd slack_dev discord_crypto lean sms_nus"
developers="git cobol mpi rhelp rest_discuss_list github_issues_ietf commits rfc_single gbadev_forum nesdev_forum maker_forums"
eighteenth="prose_gb_18c pamphlets_us_18c sermons_18c drama_early"
short="news_reporters news_entertainment reviews_music tweets_people"
speech="court meetings_ami podcasts_changelog talks_podcasts_tech tc39_meetings"
lists="cypherpunks extropians indology_list hobby_groups porsche_lists sdr_radio_list bbs_textfiles"
forums="debates reddit_college medical_imaging_forum roleplay_forum bitcoin_research_forum"
learned="dh_articles encyclopaedia_1880s encyclopedia_modern student_papers fce_exam judgments_singapore"
# So many epochs are some 20,000 steps of the packaged model's store.
export EPOCHS_1=71 EPOCHS_2=56 EPOCHS_3=62 EPOCHS_4=68
export WITHOUT_1="$parliaments $blogs" WITHOUT_2="$fiction $chat" WITHOUT_3="$developers $eighteenth $short" WITHOUT_4="$speech $lists $forums $learned"

one() { # number, options
    local number=$1 run=$OUT/without-$1 without=WITHOUT_$1 epochs=EPOCHS_$1 resume=()
    shift
    if [ -f "$run/model/model.json" ]; then return; fi
    if [ -f "$run/config.json" ]; then resume=(--resume); fi
    mkdir -p "$run"
    samehand train "$STORE" -o "$run" --set "seed=2$number" --set "epochs=${!epochs}" \
        --set 'trials=[]' --set "leave_out=[${!without// /, }]" "${resume[@]}" "$@" > "$run/train.log" 2>&1 || {
        tail -n 3 "$run/train.log"
        return 1
    }
}
export -f one

for number in ${ONLY:-1 2 3 4}; do echo "$number"; done |
    timeout --kill-after=20 "$seconds" xargs -P "$workers" -L 1 bash -c 'one "${@: -1}" "${@:1:$#-1}"' one "$@"
