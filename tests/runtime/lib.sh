# What scripts of this folder share; they source it. It sets the folders of the sources, `root` and `runtime`, and CC (default
# cc), goes to a temporary folder, which is removed at the end, and counts in `ran` and `bad`. EMULATOR is a command that runs
# programs which CC has made for another processor.
#
# A script's list `broken` has rules of the runtime that are broken one at a time: FILE|RULE|HOW|sed. FILE.c of the runtime (FILE if
# that ends in .h), changed by sed, has the rule broken and is broken.c; HOW is for the script's own functions:
#
#     link_broken FILE HOW…     makes the program `broken` of broken.c
#     finds HOW…                runs it; the status is 0 if the broken rule is found
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
here=$root/tests/runtime
runtime=$root/runtime
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
CC=${CC:-cc}
unset FATHOM_THREADS FATHOM_HEAP FATHOM_BELL FATHOM_SEED XDG_CONFIG_HOME
export FATHOM_TUNING=
bad=0 ran=0

# objects FLAGS…: compiles the files that stdin names, each into an object in the current folder.
objects() { xargs -P "$(nproc)" -I @@ sh -c '"$@" -c "$0" -o "$(echo "$0" | tr / _).o"' @@ "$CC" "$@"; }

# emulated PROGRAM…: under an EMULATOR each of them becomes a script that starts it.
emulated() {
    local p
    [ -n "${EMULATOR:-}" ] || return 0
    for p; do
        mv "$p" "$p.emulated" && printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$EMULATOR" "$PWD/$p.emulated" >"$p" && chmod +x "$p" || return
    done
}

# replaced FOLDER FILE FLAGS…: in `parts`, the folder's objects, with that of broken.c, compiled with FLAGS, in the place of FILE.c's.
replaced() {
    local object=$1/$(echo "$runtime/$2.c" | tr / _).o o
    parts=(broken.o)
    for o in "$1"/*.o; do [ "$o" = "$object" ] || parts+=("$o"); done
    shift 2
    "$CC" "$@" -w -c broken.c -o broken.o
}

# find_broken TRIES: each rule of `broken` must be found; in which interleavings some of them show is chance, so each is tried up to
# TRIES times.
find_broken() {
    local each file rule how change i
    for each in "${broken[@]}"; do
        IFS='|' read -r file rule how change <<<"$each"
        ran=$((ran + 1))
        case $file in *.h) ;; *) file+=.c ;; esac
        sed "$change" "$runtime/$file" >broken.c
        if cmp -s "$runtime/$file" broken.c; then
            bad=$((bad + 1))
            echo "FAIL '$rule' changes nothing: adapt it to $file"
            continue
        fi
        # shellcheck disable=SC2086
        link_broken "${file%.c}" $how || exit 1
        for ((i = 0; i < $1; i++)); do
            # shellcheck disable=SC2086
            ! finds $how || continue 2
        done
        bad=$((bad + 1))
        echo "FAIL broken: $rule: nothing finds it"
    done
}
