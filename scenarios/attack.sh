#!/bin/sh
# Training and attack in turn: train, search for the worst episode of the controller, add it to the training episodes, and train
# again, until no episode is found that fails or has an error above LIMIT. Validation, confirmation and test never have the
# episodes that were found.
#
#     scenarios/attack.sh scenarios/pendulum-real.ron 0.05
#
# What follows goes to `bitloop train`. Round K is in runs/attack/K, its worst episode in runs/attack/worst-K.ron. ROUNDS is the most
# rounds (10), OUT another folder, WORST options of `bitloop worst`, BITLOOP the program. The same command continues what was
# interrupted. The exit code is 0 once the search finds nothing, and 4 if it still does after all rounds.
set -eu
bitloop=${BITLOOP:-target/release/bitloop}
scenario=${1:?a scenario}
limit=${2:?the largest error of an episode}
shift 2
out=${OUT:-runs/attack}
round=1
while :; do
    if [ -d "$out/$round" ]; then
        "$bitloop" train --resume "$out/$round"
    else
        "$bitloop" train "$scenario" --out "$out/$round" "$@"
    fi
    worst="$out/worst-$round.ron"
    # Options of `worst` are several words.
    # shellcheck disable=SC2086
    "$bitloop" worst "$out/$round/controller.ron" --limit "$limit" -o "$worst" ${WORST:-} && exit 0
    code=$?
    if [ "$code" -ne 4 ] || [ "$round" -ge "${ROUNDS:-10}" ]; then
        exit "$code"
    fi
    set -- "$@" --against "$worst"
    round=$((round + 1))
done
