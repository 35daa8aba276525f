#!/bin/bash
# Builds the tests of fathom.hpp, of what docs/c-api.md says to write instead of other layers' calls, and the example with CXX (default
# c++), near (smp) and far (its reference build), and where a function has another address in each process (mpi, if it is here), and runs
# them with several numbers of threads. Finds names in that page that do not exist. Says what fails; the status is not 0 then.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
suite=$root/runtime/conformance/run.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
builds=("smp" "smp --reference")
[ "${EMULATOR:-}" ] || ! command -v "${MPICC:-mpicc}" >/dev/null || builds+=("mpi")
for build in "${builds[@]}"; do
    # shellcheck disable=SC2086
    "$suite" build $build "$work/built" || exit 1
    for source in "$here/fathom_hpp.cpp" "$here/coming_from.cpp" "$root/examples/c/jacobi.cpp"; do
        "$suite" compile "$work/built" "$work/program" "$source" || exit 1
        for threads in 1 2 3 5; do
            timeout -k 1 120 "$suite" start "$work/built" $threads "$work/program" >"$work/out" 2>&1 &&
                grep -q 'good$' "$work/out" || {
                echo "FAIL $(basename "$source"), $build, $threads threads"
                head -20 "$work/out"
                bad=1
            }
        done
    done
    "$suite" compile "$work/built" "$work/program" "$here/fathom_hpp.cpp" || exit 1
    # Programs ask for warnings that this one does not.
    for standard in c++17 c++20; do
        echo '#include <fathom.hpp>
            long use(fathom::global_ptr<long> p) {
                fathom::rput(1L, p).wait();
                return fathom::rpc(0, [](long x) { return x; }, 1L).then([](long x) { return x + 1; }).wait() +
                       fathom::reduce_all(2L, [](long a, long b) { return a + b; });
            }' | "${CXX:-c++}" -x c++ -std=$standard -fsyntax-only -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow \
            -Werror -I "$root/runtime" -I "$root/runtime/include" -I "$root/runtime/lang" \
            -DFATHOM_CONDUIT_HEADER="\"$(cat "$work/built/header")\"" - || {
            echo "FAIL fathom.hpp has warnings, $standard, $build"
            bad=1
        }
    done
    # Every name in the page exists, unless it is one that has another name now. A variable of the environment is in the table of settings.
    {
        echo '#include <fathom.hpp>'
        echo 'namespace named {'
        sed '/^Some calls had other names/,/^$/d; s/fathom_[a-z_]*\.h//g' "$root/docs/c-api.md" | grep -o '`[^`]*`' |
            grep -oE '\bfathom::[a-z_]+|\bfathom_[a-z_0-9]+|\bFATHOM_[A-Z_0-9]+' |
            sort -u | while read -r name; do
            case $name in
            *_ | FATHOM_MPICC) ;; # the beginning of names; a variable of `fathom install`
            FATHOM_*) grep -q "^| \`$name\`" "$root/docs/c-api.md" || echo "inline void use_$name() { static_cast<void>($name); }" ;;
            fathom::*) echo "using $name;" ;;
            *) echo "using ::$name;" ;;
            esac
        done
        echo '}'
        echo 'int main() {}'
    } >"$work/names.cpp"
    "$suite" compile "$work/built" "$work/names.o" "$work/names.cpp" || {
        echo "FAIL a name in docs/c-api.md does not exist, $build"
        head -20 "$work/names.cpp"
        bad=1
    }
    # The line is the program's, whatever the headers have inlined into it.
    ! timeout -k 1 120 "$suite" start "$work/built" 2 "$work/program" empty >"$work/out" 2>&1 &&
        grep -q '^fathom: thread [01]: a future that is empty is waited for: .* in .*(.*fathom_hpp.cpp:[0-9]*)$' "$work/out" || {
        echo "FAIL a future that is empty, $build"
        head -20 "$work/out"
        bad=1
    }
    for where in rpc reduction; do
        ! timeout -k 1 120 "$suite" start "$work/built" 2 "$work/program" $where >"$work/out" 2>&1 &&
            grep -q '^fathom: thread [01]: a function of .* throws, where nobody could catch it: no more of this' "$work/out" || {
            echo "FAIL a function of a $where that throws, $build"
            head -20 "$work/out"
            bad=1
        }
    done
done
echo "fathom.hpp: $bad failed"
exit $bad
