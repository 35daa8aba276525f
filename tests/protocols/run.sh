#!/bin/bash
# Checks the models of this folder, each in the ways that the comments at its top name:
#
#     // holds: FLAGS         no thread waits for ever, no assertion fails, in any interleaving
#     // fails: FLAGS         pan finds an error: what the protocol once was, or what one step of it is there for
#     (litmus.pml has `impossible` and `possible` for the two)
#
#     run.sh [--list] [PART-OF-A-LINE | =LINE]     all, or those lines whose "MODEL: VERDICT: FLAGS" contains it, or is it
#
# Needs spin (Debian and Ubuntu: apt install spin) and a C compiler. The status is the number of wrong answers.
set -u
here=$(cd "$(dirname "$0")" && pwd)
list=
[ "${1:-}" = --list ] && { list=1; shift; }
part=${1:-}
bad=0 ran=0

verifier() { # verifier OPTION: pan, from pan.c
    rm -f pan
    "${CC:-cc}" "$1" -w -DSAFETY -DCOLLAPSE -DVECTORSZ=4096 -DMEMLIM=3000 -o pan pan.c 2>cc.err
}

# One answer: "holds", "fails", or why there is none.
answer() { # answer MODEL FLAGS…
    local model=$1 work said
    shift
    work=$(mktemp -d)
    said=$(cd "$work" && {
        spin "$@" -a "$here/$model.pml" >spin.out 2>&1 && [ -f pan.c ] || { echo "spin: $(head -3 spin.out)"; exit; }
        # Most models are searched faster than their verifier is optimised: that is for those that take long.
        verifier -O0 && (ulimit -c 0 -St 2; exec ./pan -m1000000) >pan.out 2>&1
        if [ $? -gt 128 ]; then verifier -O2 && ./pan -m1000000 >pan.out 2>&1; fi
        [ -x pan ] || { echo "cc: $(head -3 cc.err)"; exit; }
        if grep -q 'search depth too small\|out of memory\|memory exhausted\|hash table full\|VECTORSZ' pan.out; then
            echo "not exhaustive: $(grep -m1 'search depth\|memory\|hash\|VECTORSZ' pan.out)"
        elif grep -q 'errors: 0$' pan.out; then echo holds
        elif grep -q 'errors: [1-9]' pan.out; then echo "fails $(grep -m1 'pan:1:' pan.out)"
        else echo "pan: $(head -3 pan.out)"
        fi
        [ -z "${SPIN_VERBOSE:-}" ] || grep -h 'states, stored\|elapsed' pan.out >&2
    })
    rm -rf "$work"
    echo "$said"
}

while IFS=: read -r file verdict flags; do
    model=$(basename "$file" .pml) verdict=${verdict#// } want=holds
    case $verdict in fails | possible) want=fails ;; esac
    flags=$(echo $flags)
    line="$model: $verdict: $flags"
    [[ $line == *"$part"* || =$line == "$part" ]] || continue
    ran=$((ran + 1))
    [ $list ] && { echo "$line"; continue; }
    found=$(answer "$model" $flags)
    if [ "${found%% *}" = $want ]; then found=${found#holds}; echo "ok   $line${found#fails}"
    else bad=$((bad + 1)); echo "FAIL $line: $found"
    fi
done < <(grep -H '^// \(holds\|fails\|possible\|impossible\):' "$here"/*.pml)
[ $ran -gt 0 ] || { echo "no model has '$part'"; exit 1; }
exit $bad
