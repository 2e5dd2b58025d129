#!/bin/sh
# The paper's comparison on a data set (TBLM, Sec. V-B to V-D), over hidden units and five splits: BLM, telescopic and with all
# bits free, one-step secant, and extreme learning. First by the paper's protocol, which tells the lowest error on the rows held
# out; then on rows that have selected nothing, 15 % of the training rows being held out to select.
#
#     scenarios/compare.sh yeast --data yeast.data
#
# yeast, abalone or house16h; what follows goes to `bitloop campaign`. Six campaigns, each a table and a folder in `runs`; they
# take hours, and continue where they were interrupted. RUNS=2 and `--vary stop.seconds=5` show how it goes. BITLOOP names the
# program.
set -eu
bitloop=${BITLOOP:-target/release/bitloop}
set_name=${1:?a data set: yeast, abalone or house16h}
shift
case $set_name in
yeast)
    hidden='[5],[10],[20],[40]'
    blm='training.max_weight=8,12'
    growth='Fixed,AtLocalMinimum'
    secant='OneStepSecant(initial_range: 0.001)'
    extreme='ExtremeLearning(units: 1000),ExtremeLearning(units: 1000, ridges: [10])'
    honest='(training: 882, validation: 156, test: 446)'
    ;;
abalone)
    hidden='[5],[10],[20],[40]'
    blm='regularization=1,10'
    growth='Fixed,AtLocalMinimum'
    secant='OneStepSecant(initial_range: 0.001)'
    extreme='ExtremeLearning(units: 4000),ExtremeLearning(units: 4000, ridges: [10])'
    honest='(training: 2485, validation: 439, test: 1253)'
    ;;
house16h)
    hidden='[100],[200],[400]'
    blm='regularization=1'
    growth='Fixed,Threshold(phi: 0.1, eta: 0.95)'
    secant='OneStepSecant(initial_range: 0.01)'
    extreme='ExtremeLearning(units: 4000)'
    honest='(training: 13556, validation: 2392, test: 6836)'
    ;;
*)
    echo "error: no data set $set_name; there are yeast, abalone and house16h" >&2
    exit 2
    ;;
esac

campaign() {
    name=$1
    shift
    "$bitloop" campaign "scenarios/$set_name.ron" --runs "${RUNS:-5}" --out "runs/compare-$set_name-$name" "$@"
}

# The trainers' campaigns under one protocol.
compare() {
    protocol=$1
    shift
    campaign "blm$protocol" --vary "network.hidden=$hidden" --vary "$blm" --vary "training.growth=$growth" "$@"
    campaign "oss$protocol" --vary "network.hidden=$hidden" --vary regularization=0 --vary "training=$secant" "$@"
    campaign "elm$protocol" --vary "training=$extreme" "$@"
}

compare '' "$@"
compare -honest --vary "split=$honest" "$@"
