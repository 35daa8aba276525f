#!/bin/bash
# Builds the test of the header for C++ (msg.hpp) with CXX (default c++) and runs it, as C++17 and C++20; then compares the
# instructions of functions that send and receive by msg.hpp with those of the same functions by msg.h. A wrapped
# function may have one instruction more, which takes the pointer out of its handle. Says what fails; the status is not 0 then.
set -u
. "$(dirname "$0")/lib.sh"
CXX=${CXX:-c++}
"$CC" -c -std=gnu17 -O2 -pthread -I "$root/runtime" -I "$root/runtime/include" "$root"/runtime/msg/*.c || exit 1
for standard in c++17 c++20; do
    "$CXX" -std=$standard -O2 -Wall -Wextra -Werror -pedantic -I "$root/runtime/include" "$here/msg_hpp.cpp" ./*.o \
        -pthread -o hpp && emulated hpp || exit 1
    timeout -k 1 300 ./hpp >out 2>&1 || { echo "FAIL msg_hpp as $standard"; head -20 out; bad=1; }
done
# Instructions, without padding and without the part for exceptions, which is elsewhere.
instructions() {
    objdump -d --no-show-raw-insn hpp | awk -v name="<$1>:" '$2 == name {p = 1; next} /^$/ {p = 0} p {print $2}' |
        awk '/^(nop|data16|xchg|cs)/ {next} {n = NR; line[NR] = $0} END {print n + 0}'
}
if [[ $("$CC" -dumpmachine) == x86_64* ]]; then
    for what in express send; do
        plain=$(instructions plain_$what) wrapped=$(instructions wrapped_$what)
        if [ "$plain" -eq 0 ] || [ "$wrapped" -gt $((plain + 1)) ]; then
            echo "FAIL $what: $wrapped instructions by msg.hpp, $plain by msg.h"
            bad=1
        fi
    done
    # The loop: from the call of msg_receive back to it.
    loop() {
        objdump -d --no-show-raw-insn hpp | awk -v name="<$1>:" '$2 == name {p = 1; next} /^$/ {p = 0} p' |
            awk '/ret/ {exit} !/nop|data16|xchg/ {n++} END {print n + 0}'
    }
    plain=$(loop plain_receive) wrapped=$(loop wrapped_receive)
    if [ "$plain" -eq 0 ] || [ "$wrapped" -gt $((plain + 3)) ]; then
        echo "FAIL receive: $wrapped instructions by msg.hpp, $plain by msg.h"
        bad=1
    fi
fi
echo "msg.hpp: $bad failed"
exit $bad
