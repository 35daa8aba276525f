#!/bin/bash
# Index-gather and histogram at random places of far memory: the plain loop beside what is written by hand over the same runtime and
# beside bale's exstack, exstack2 and conveyors (https://github.com/jdevinney/bale), all of it compiled by Fathom and run in turn in
# one program; and the plain loop with FATHOM_COMM=off, in turn with it. Two processes over Open MPI.
#
#     run.sh [ROUNDS]               on one computer, which the processes take for two (FATHOM_NODE_MAX=1)
#     run.sh --tcp [ROUNDS]         in two network namespaces, over TCP; needs root
#
#     BALE=FOLDER                   bale's `src/bale_classic`; without it bale's forms are left out
#     FATHOM=COMMAND                fathom, unless it is in PATH
#     SIZES="16384 67108864"        elements of the table on each thread: 8 bytes each
#     ACCESSES=1000000 OFF=20000    of each thread; of the loop where nothing is gathered
#
# bale's autotools are not used: what they would find out is in the config.h below, and cases.pl is called as its Makefile does.
# The results are checked by the programs. The first of a program's four rounds is not counted: connections are made in it, and buffers touched. Prints nanoseconds for each element, the median of all rounds, and how many times as fast as
# each other form the loop is: the median of the rounds' ratios, with the lowest and the highest.
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tcp=
if [ "${1:-}" = --tcp ]; then tcp=1 && shift; fi
rounds=${1:-5} fathom=${FATHOM:-fathom} sizes=${SIZES:-16384 67108864} accesses=${ACCESSES:-1000000} off=${OFF:-20000}
if [ $tcp ]; then
    set +e
    is_required() { true; }
    # shellcheck source=tests/mpi/two.sh
    . "$here/../../tests/mpi/two.sh"
    make_computers
    make_agent
    set -e
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 FATHOM_NODE_MAX=1
flags=(-O3 -march=native -DNDEBUG) objects=()
compile() { # compile SOURCE FLAGS… : adds to `objects`; what there is to warn of in bale is left out
    local object=$work/$(basename "${1%.*}").o
    "$fathom" cc --conduit mpi "${flags[@]}" -c -o "$object" "$@" 2>"$work/errors" || { cat "$work/errors" >&2 && exit 1; }
    objects+=("$object")
}

if [ "${BALE:-}" ]; then
    mkdir "$work/convey"
    cp "$BALE"/convey/*.h "$work/convey"
    cat >"$work/config.h" <<END
#define MPP_USE_UPC 1
#define HAVE_INTTYPES_H 1
#define HAVE_STDALIGN_H 1
#define HAVE_UNISTD_H 1
#define HAVE_UPC_H 1
#define HAVE_UPC_CASTABLE_H 1
#define HAVE_GETHOSTNAME 1
#define CONVEY_BUFFER_SIZE 10000
#define ENABLE_NONBLOCKING 0
#define PACKAGE_VERSION "bale"
END
    parts=(biconvey bisimple bitensor circle codata common convey elastic mpp2upc packer porter putport simple squeeze tensor trivial
           twohop)
    for part in "${parts[@]}"; do cp "$BALE/convey/$part.c" "$work/convey/$part.upc"; done
    perl "$BALE/convey/cases.pl" -E "$BALE/convey" -p "$BALE/convey/accel.c" >"$work/convey/accel_x.upc"
    for part in "${parts[@]}" accel_x; do compile "$work/convey/$part.upc" -DHAVE_CONFIG_H -I "$work" -I "$work/convey"; done
    flags+=(-I "$BALE/convey" -I "$BALE/libgetput" -I "$BALE/exstack")
    for part in libgetput/libgetput exstack/exstack exstack/exstack2; do compile "$BALE/$part.upc"; done
    flags+=(-fcomm-opt)
    shared_objects=("${objects[@]}")
fi
for subject in histogram index_gather; do
    objects=(${shared_objects[@]+"${shared_objects[@]}"})
    folder=histo_src/histo && [ $subject = histogram ] || folder=ig_src/ig
    extra=()
    if [ "${BALE:-}" ]; then
        for form in agp exstack exstack2 conveyor; do compile "$BALE/apps/${folder}_$form.upc"; done
        extra=(-DBALE -I "$BALE/apps/$(dirname $folder)")
    fi
    "$fathom" cc --conduit mpi "${flags[@]}" -fcomm-opt ${extra[@]+"${extra[@]}"} -o "$work/$subject" "$here/$subject.upc" \
        ${objects[@]+"${objects[@]}"}
done

start() { # start COMMAND…
    if [ $tcp ]; then
        on "$a" mpirun.openmpi -H $net.1,$net.2 -n 2 --bind-to none --mca plm_rsh_agent "$work/agent" --mca pml ob1 \
            --mca btl tcp,vader,self --mca btl_tcp_if_include $net.0/24 --mca oob_tcp_if_include $net.0/24 \
            -x FATHOM_COMM -x FATHOM_NODE_MAX "$@"
    else
        mpirun.openmpi -n 2 --bind-to core --mca btl_vader_single_copy_mechanism none "$@"
    fi
}
lines() { # lines ELEMENTS, with FATHOM_COMM
    local subject loop=$accesses n=$accesses
    if [ "$FATHOM_COMM" = off ]; then loop=$off; fi
    for subject in index_gather histogram; do
        start "$work/$subject" "$1" "$n" "$loop" "$2" | awk -v OFS='\t' -v size="$1" -v comm="$FATHOM_COMM" '{ print size, comm, $0 }'
    done
}
if [ $tcp ]; then where="two network namespaces, TCP"; else where="one computer, FATHOM_NODE_MAX=1"; fi
echo "Open MPI, $where; $(lscpu | sed -n 's/^Model name: *//p'), $(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg) before"
for size in $sizes; do
    for ((i = 0; i < rounds; i++)); do
        for comm in updates,gathers off; do FATHOM_COMM=$comm lines "$size" 4; done
    done
done >"$work/lines"
if [ "${LINES_TO:-}" ]; then cp "$work/lines" "$LINES_TO"; fi
# Rounds are paired in their order.
awk -F'\t' '
    function median(text,   n, i, j, t, v) {
        n = split(substr(text, 2), v, " ")
        for (i = 1; i <= n; i++) for (j = i + 1; j <= n; j++) if (v[j] + 0 < v[i] + 0) { t = v[i]; v[i] = v[j]; v[j] = t }
        low = v[1]; high = v[n]
        return v[int((n + 1) / 2)]
    }
    $5 > 0 {
        ns[$1, $3, $4, $2, ++count[$1, $3, $4, $2]] = $6
        all[$1, $3, $4, $2] = all[$1, $3, $4, $2] " " $6
        key = $1 SUBSEP $3
        if (!(key in seen)) { seen[key] = 1; keys[++nkeys] = key }
        if (!((key, $4) in seen)) { seen[key, $4] = 1; forms[key] = forms[key] "\t" $4 }
    }
    function ratio(key, form, comm, loop,   r, text) {
        text = ""
        for (r = 1; r <= count[key, loop, "updates,gathers"]; r++)
            text = text " " ns[key, form, comm, r] / ns[key, loop, "updates,gathers", r]
        text = median(text)
        return sprintf("%.2f (%.2f to %.2f)", text, low, high)
    }
    END {
        for (k = 1; k <= nkeys; k++) {
            key = keys[k]
            split(key, part, SUBSEP)
            printf "\n%s, %d elements on each thread: ns, with FATHOM_COMM=off; times as fast as it\n", part[2], part[1]
            n = split(substr(forms[key], 2), form, "\t")
            for (f = 1; f <= n; f++) {
                on = median(all[key, form[f], "updates,gathers"]); off = median(all[key, form[f], "off"])
                best = on == "" ? "off" : "updates,gathers"
                printf "%-18s %9s %9.1f", form[f], on == "" ? "" : sprintf("%.1f", on), off
                for (l = 1; l <= 2; l++) if (form[l] ~ /^loop/) {
                    printf "   %s: %s", form[l], ratio(key, form[f], best, form[l])
                    if (l == f) printf ", off %s", ratio(key, form[f], "off", form[l])
                }
                print ""
            }
        }
    }' "$work/lines"
