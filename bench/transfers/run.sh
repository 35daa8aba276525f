#!/bin/bash
# The programs of examples/transfers in their forms: the throughput of an exchange, and beside it the copy-transfer
# model's predictions from this computer's profile.
#
#     run.sh smp|mpi [THREADS [ROUNDS]]
#
# mpi: all threads are far from each other (FATHOM_NODE_MAX=1). Probes the computer (a minute or two; PROFILE names a
# profile that is used instead), makes the tuning table from the profile, and runs all programs in each of ROUNDS
# rounds, thread t on processor t. Prints a table for Markdown: medians of the rounds, and in parentheses the lowest and
# the highest. MESH names another mesh for FEM, beside the small one. FATHOM names the command, FLAGS the compiler's
# options (-O3 -march=native).
#
# What is predicted: by `fathom model`, each form's composition of basic transfers, first for blocks of what one thread
# gets from another, then for large blocks, as the study has it. The profile moves each block repeatedly; so the first
# prediction is for data as warm as a block of that size, the second for data in memory. Elements that are put one by
# one over mpi are no basic transfer: they have the profile's law of that mechanism (mechanisms.put-together.direct).
set -euo pipefail
where=${1:?smp or mpi} threads=${2:-2} rounds=${3:-7}
fathom=${FATHOM:-fathom}
flags=${FLAGS:--O3 -march=native}
flags+=' -DBIND -D_GNU_SOURCE'
programs=$(cd "$(dirname "$0")/../../examples/transfers" && pwd)
export FATHOM_THREADS=$threads
case $where in
smp) end=D ;;
mpi)
    end=R
    export FATHOM_NODE_MAX=1
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    ;;
*)
    echo "run.sh: '$where' is neither smp nor mpi" >&2
    exit 2
    ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

profile=${PROFILE:-$work/profile.toml}
[ -n "${PROFILE:-}" ] || "$fathom" probe --conduit "$where" --only transfers,mechanisms -o "$profile" >&2
"$fathom" tune -o "$work/table" "$profile" >&2
export FATHOM_TUNING=$work/table

# ---- measured: lines of case, bytes, block, form, pattern, microseconds, MB/s, choices

for program in sor transpose fem; do
    # shellcheck disable=SC2086
    "$fathom" cc --conduit "$where" $flags -o "$work/$program" "$programs/$program.upc" -lm
done
cases=("SOR by rows:sor all 256 500 rows" "SOR by columns:sor all 256 500 columns" "transpose:transpose all 1024 10"
    "FEM:fem all 500")
[ -z "${MESH:-}" ] || cases+=("FEM, a larger mesh:fem all 200 $MESH")
# Elements that go one by one over mpi take too long for as many exchanges.
[ "$where" = smp ] || cases[2]="transpose:transpose all 1024 3"
for ((i = 0; i < rounds; i++)); do
    for case in "${cases[@]}"; do
        read -ra command <<<"${case#*:}"
        "$fathom" run -n "$threads" "$work/${command[0]}" "${command[@]:1}" >"$work/out" 2>"$work/errors" ||
            { cat "$work/out" "$work/errors" >&2; exit 1; }
        awk -v name="${case%%:*}" '
            /^a thread sends/ { bytes = $4; block = $9 }
            / us .* MB\/s/ {
                choices = $0
                sub(/.*with the barrier *[0-9.]+ us */, "", choices)
                print name "\t" bytes "\t" block "\t" $1 "\t" $2 "\t" $3 "\t" $5 "\t" choices
            }' "$work/out" >>"$work/lines"
    done
done

# ---- predicted

# The nanoseconds that a put of so many bytes takes by the conduit's own operation, among the 8 that the probe begins
# together.
one_by_one() {
    awk -v bytes="$1" '
        /^name = "mechanisms\./ { here = $3 == "\"mechanisms.put-together.direct\"" }
        here && /x = / {
            x = after($0, "x = ")
            y = after($0, "y = ")
            if (x >= bytes) {
                if (before && x > bytes) y = before_y + (y - before_y) * (bytes - before) / (x - before)
                print y / 8
                exit
            }
            before = x
            before_y = y
        }
        function after(line, name) { return substr(line, index(line, name) + length(name)) + 0 }
        ' "$profile"
}
# FORM PATTERN BLOCK ELEMENT: the composition
composition() {
    local from=${2#(} to network=Nadp
    from=${from%,*} to=${2#*,}
    to=${to%)}
    [ "$from$to" != 11 ] || network=Nd
    if [ "$1" = packed ]; then
        echo "${from}C1 o (1S0 || Nd || 0${end}1) o 1C$to"
    elif [ "$where$1" = mpichained ] && [ $network = Nadp ]; then
        echo "one by one"
    else
        echo "${from}S0 || $network || 0$end$to"
    fi
}
while IFS=$'\t' read -r name block form pattern; do
    composition=$(composition "$form" "$pattern")
    element=8
    [ "$name" != transpose ] || element=16
    if [ "$composition" = "one by one" ]; then
        cached=$(one_by_one $element | awk -v bytes=$element '{ print bytes * 1000 / $1 }')
        memory=$cached
    else
        cached=$("$fathom" model "$profile: $composition of $block" | sed -n '1s/.* = \([0-9.]*\) MB\/s$/\1/p')
        memory=$("$fathom" model "$profile: $composition" | sed -n '1s/.* = \([0-9.]*\) MB\/s$/\1/p')
    fi
    printf '%s\t%s\t%s\t%s\t%s\n' "$name" "$form" "${composition//||/\\|\\|}" "$cached" "$memory" >>"$work/predicted"
done < <(cut -f1,3,4,5 "$work/lines" | awk '!seen[$0]++')

# ---- the table

fact() { sed -n "s/^$1[[:space:]]*: //p" /proc/cpuinfo | head -1; }
echo "$(fact "model name"), family $(fact "cpu family"), model $(fact model), $(nproc) processors, Linux $(uname -r)"
echo "$where, $threads threads, $rounds rounds, ${FATHOM_CC:-cc} $(${FATHOM_CC:-cc} -dumpfullversion) $flags"
echo "$(date -u +%F), load $(cut -d' ' -f1-3 /proc/loadavg)"
echo
echo "| program | form | bytes | composition | predicted: block | predicted: memory | measured | the runtime chose |"
echo "|---|---|---|---|---|---|---|---|"
awk -F'\t' '
    NR == FNR { composition[$1, $2] = $3; cached[$1, $2] = $4; memory[$1, $2] = $5; next }
    {
        if (!(($1, $4) in n)) { name[++rows] = $1; form[rows] = $4; bytes[rows] = $2 }
        rate[$1, $4, ++n[$1, $4]] = $7
        choices[$1, $4] = $8
    }
    function median(key,    m, i, j, v, x) {
        m = n[key]
        for (i = 1; i <= m; i++) v[i] = rate[key, i] + 0
        for (i = 1; i <= m; i++)
            for (j = i + 1; j <= m; j++)
                if (v[j] < v[i]) { x = v[i]; v[i] = v[j]; v[j] = x }
        least = v[1]; most = v[m]
        return m % 2 ? v[(m + 1) / 2] : (v[m / 2] + v[m / 2 + 1]) / 2
    }
    function show(mb_s) { return sprintf(mb_s < 100 ? "%.1f" : "%.0f", mb_s) }
    # A prediction, and by what factor it is above the measured throughput.
    function beside(predicted, key) { return sprintf("%s (%.2f x)", show(predicted), predicted / measured[key]) }
    function fastest(of, packed, chained, automatic) {
        if (of[automatic] > of[packed] && of[automatic] > of[chained]) return "automatic"
        return of[packed] > of[chained] ? "packed" : "chained"
    }
    END {
        for (r = 1; r <= rows; r++) {
            key = name[r] SUBSEP form[r]
            measured[key] = median(key)
            printf "| %s | %s | %d | `%s` ", name[r], form[r], bytes[r], composition[key]
            printf "| %s | %s ", beside(cached[key], key), beside(memory[key], key)
            printf "| %s (%s to %s) | %s |\n", show(measured[key]), show(least), show(most), choices[key]
        }
        print "\n| program | fastest | by the model: block | memory | automatic, beside the faster of the others |"
        print "|---|---|---|---|---|"
        for (r = 1; r <= rows; r++) {
            if (form[r] != "packed") continue
            p = name[r] SUBSEP "packed"; c = name[r] SUBSEP "chained"; a = name[r] SUBSEP "automatic"
            printf "| %s | %s | %s ", name[r], fastest(measured, p, c, a), fastest(cached, p, c, a)
            printf "| %s ", fastest(memory, p, c, a)
            printf "| %.2f |\n", measured[a] / (measured[p] > measured[c] ? measured[p] : measured[c])
        }
    }' "$work/predicted" "$work/lines"
