#!/bin/bash
# Which share of the far accesses of real programs a mechanism of FATHOM_COMM serves, and why others are made alone: a table for
# SHARE.md. Counts, no times, so a busy computer does not matter. Conduit template: every other thread is far.
#
#     share.sh [PROGRAM...]         all, or those whose names have one of the words in them
#
#     BALE=FOLDER                   bale's `src/bale_classic` (https://github.com/jdevinney/bale); without it bale is left out
#     FATHOM=COMMAND                fathom, unless it is in PATH
#     THREADS=4 FATHOM_COMM=on      "off" shows what would be alone
#
# bale's programs run in their forms AGP (-M 1), as a programmer writes them first, and with all that they set up and check.
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
examples=$here/../../examples
fathom=${FATHOM:-fathom} threads=${THREADS:-4} words=("$@")
export FATHOM_COMM=${FATHOM_COMM:-on}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

wanted() { # wanted NAME
    local word
    [ ${#words[@]} -gt 0 ] || return 0
    for word in "${words[@]}"; do case $1 in *"$word"*) return 0 ;; esac done
    return 1
}
cc() { # cc ARGUMENTS…
    "$fathom" cc --conduit template --explain -O2 "$@" 2>"$work/errors" || { cat "$work/errors" >&2 && exit 1; }
}
row() { # row NAME PROGRAM ARGUMENTS… : runs it, and prints its line of the table
    local name=$1
    shift
    rm -rf "$work/trace"
    (cd "$work" && FATHOM_EXPLAIN=$work/trace "$fathom" run --explain -n "$threads" "$@") >"$work/out" 2>&1 || {
        cat "$work/out" >&2
        echo "share.sh: $name failed" >&2
        exit 1
    }
    "$fathom" explain "$work/trace" --json >"$work/json"
    python3 - "$name" "$work/json" <<'END'
import collections, json, sys
name, found = sys.argv[1], json.load(open(sys.argv[2]))
far, reasons = found["far"], collections.Counter()
for line in found["lines"]:
    place = "%s:%d" % (line["file"].rsplit("/", 1)[-1], line["line"])
    for p in line["places"]:
        f = p["far"]
        if f["alone"]:
            what = "atomic operation whose result is used" if "atomic" in p["construct"] else ""
            what = "access of Split-C that waits" if p["how"] == "waits" else what
            reasons[(p["missed"] or what or p["construct"], place)] += f["alone"]
        if f["strict"]:
            reasons[("strict", place)] += f["strict"]
        if f["split_phase"]:
            reasons[("split-phase, by the program", place)] += f["split_phase"]
served = [(n, w) for n, w in [(far["strip"], "strips"), (far["gather"], "gathers"), (far["outbox"], "outbox"), (far["owner"], "owners"), (far["line"], "lines")] if n]
all_far = far["accesses"]
number = lambda n: f"{n:,.0f}"
share = f"{100 * found['far_share_served']:.1f} %" if all_far else "none is far"
by = ", ".join(f"{w} {100 * n / all_far:.3g} %" for n, w in sorted(served, reverse=True))
least = 0.01 * all_far
rest = "; ".join(f"{number(n)} {why} ({place})" for (why, place), n in reasons.most_common(3) if n >= least)
print(f"| {name} | {number(all_far)} | {share} | {by} | {number(far['messages'])} | {rest} |", flush=True)
END
}
program() { # program NAME SOURCE "FLAGS" ARGUMENTS…
    local name=$1 source=$2 flags=$3
    shift 3
    wanted "$name" || return 0
    # shellcheck disable=SC2086
    cc $flags -o "$work/program" "$source" -lm
    row "$name" "$work/program" "$@"
}

echo "conduit template, $threads threads, FATHOM_COMM=$FATHOM_COMM"
echo
echo "| program | far accesses | served | by | messages | made alone: the three most frequent, from 1 % |"
echo "|---|---|---|---|---|---|"
for name in heat life matmul pi sort stream; do program "$name" "$examples/$name.upc" ""; done
program queue/workers "$examples/queue/workers.upc" ""
program em3d.upc "$examples/em3d/em3d.upc" "" all 100 8 40 4
for name in transpose sor; do program "transfers/$name" "$examples/transfers/$name.upc" "" all 64; done
for name in cg ep ft is mg; do
    for form in bulk fine; do program "nas/${name}_$form" "$examples/nas/${name}_$form.upc" -DCLASS=S; done
done
program histogram "$here/histogram.upc" "" 4096 4096 4096 1
program index_gather "$here/index_gather.upc" "" 4096 4096 4096 1
program em3d.sc "$examples/em3d/em3d.sc" "" all 100 8 40 4
for name in radix sample; do program "sorts/$name.sc" "$examples/sorts/$name.sc" "" fine 1000 random; done
program connect.sc "$examples/connect/connect.sc" "" 20 20

[ "${BALE:-}" ] || exit 0
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
objects=()
compile() { # compile SOURCE FLAGS… : adds to `objects`
    local object=$work/$(basename "${1%.*}").o
    cc -DNDEBUG -c -o "$object" "$@"
    objects+=("$object")
}
parts=(biconvey bisimple bitensor circle codata common convey elastic mpp2upc packer porter putport simple squeeze tensor trivial
       twohop)
for part in "${parts[@]}"; do cp "$BALE/convey/$part.c" "$work/convey/$part.upc"; done
perl "$BALE/convey/cases.pl" -E "$BALE/convey" -p "$BALE/convey/accel.c" >"$work/convey/accel_x.upc"
for part in "${parts[@]}" accel_x; do compile "$work/convey/$part.upc" -DHAVE_CONFIG_H -I "$work" -I "$work/convey"; done
flags=()
for part in convey libgetput exstack spmat std_options; do flags+=(-I "$BALE/$part"); done
for part in libgetput/libgetput exstack/exstack exstack/exstack2 std_options/std_options "spmat/"{geometric,spmat_agp,spmat_conveyor} \
    "spmat/"{spmat_exstack,spmat_exstack2,spmat_io,spmat_utils}; do
    compile "$BALE/$part.upc" "${flags[@]}"
done
bale() { # bale APPLICATION "SOURCES" ARGUMENTS…
    local name=$1 sources=() part
    wanted "bale/$name" || return 0
    for part in $2; do sources+=("$BALE/apps/${name}_src/$part.upc"); done
    for part in "$BALE/apps/${name}_src"/alternates/*.upc; do if [ -e "$part" ]; then sources+=("$part"); fi; done
    shift 2
    cc -DNDEBUG "${flags[@]}" -I "$BALE/apps/${name}_src" -o "$work/program" "${sources[@]}" "${objects[@]}" -lm
    row "bale/$name" "$work/program" "$@"
}
forms() { for form in agp conveyor exstack exstack2; do echo "$1_$form"; done; }
bale histo "histo $(forms histo)" -M 1 -n 2000 -T 500
bale ig "ig $(forms ig)" -M 1 -n 2000 -T 500
bale randperm randperm -M 1 -n 500
bale permute_matrix permute_matrix -M 1 -n 200
bale transpose_matrix transpose_matrix -M 1 -n 200
bale triangle "triangle $(forms triangle)" -M 1 -n 200
bale topo "toposort $(forms toposort)" -M 1 -n 200
