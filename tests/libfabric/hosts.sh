#!/bin/bash
# Jobs of conduit libfabric on two computers: network namespaces that share nothing but TCP (tests/mpi/two.sh). The conformance
# suite (with FATHOM_TEST_WIDE=1 its ends, too); then how a job starts, prints and ends: statuses, messages, signals, killed threads, supervisors and computers, a
# link that is cut, lists of computers that are not valid, and strangers. After each job nothing may be left.
#
#     hosts.sh [DIR]        DIR: where runtime/conformance/run.sh has built the suite for libfabric; else it is built
#
# Needs root (or the right to make namespaces) and libfabric. Without, it is skipped, unless CI=true or
# FATHOM_TEST_LIBFABRIC=required. FATHOM: path of the command `fathom`, for `fathom run --hosts`.
set -u
here=$(cd "$(dirname "$0")" && pwd)
is_required() { [ "${CI:-}" = true ] || [ "${FATHOM_TEST_LIBFABRIC:-}" = required ]; }
# shellcheck source=tests/mpi/two.sh
. "$here/../mpi/two.sh"
run=$runtime/conformance/run.sh
make_computers
for computer in "$a $va 1" "$b $vb 2"; do
    read -r name device number <<<"$computer"
    ip -n "$name" addr add fd77::$number/64 dev "$device" nodad 2>/dev/null
done

# Takes the place of ssh. The shell stays: whoever ends this command does not end what runs over there.
cat >"$work/agent" <<END
#!/bin/sh
while [ "\${1#-}" != "\$1" ]; do shift; done
case \$1 in $net.1 | fd77::1) name=$a ;; $net.2 | fd77::2) name=$b ;; *) echo "agent: no computer \$1" >&2; exit 255 ;; esac
shift
exec 3<&0
ip netns exec \$name unshare --uts sh -c 'hostname '\$name'; exec sh -c "\$0" 3<&-' "\$*" <&3 &
{ wait \$!; } 2>/dev/null
END
chmod +x "$work/agent"
export FATHOM_AGENT=$work/agent FATHOM_HEAP=128m
unset FATHOM_THREADS FATHOM_HOSTS FATHOM_NODE_MAX FI_PROVIDER

built=${1:-$work/built}
[ -x "$built/suite" ] || "$run" build libfabric "$built" >"$work/log" 2>&1 || { fail "building" "$work/log"; exit 1; }
program=$work/program
"$run" compile "$built" "$program" "$here/hosts.c" >"$work/log" 2>&1 || { fail "building hosts.c" "$work/log"; exit 1; }

hosts=$net.1:2,$net.2:2
# The process of the program there whose parent is none.
supervisor_of() { # supervisor_of NAMESPACE
    local p all
    all=$(running "$1" "$program")
    for p in $all; do
        grep -qx "$(awk '/^PPid/ {print $2}' "/proc/$p/status")" <<<"$all" || echo "$p"
    done
}
# As `on`, in place of the shell: in the background, the shell's message about a killed process is not in the way.
exec_on() {
    local n=$1
    shift
    exec ip netns exec "$n" unshare --uts sh -c 'hostname "$0"; exec "$@"' "$n" "$@"
}
left() { echo "$(running "$a" "$1") $(running "$b" "$1")" | xargs; }
# Waits until no process of the program is there; a minute at most.
gone() { # gone PROGRAM
    local i
    for ((i = 0; i < 600; i++)); do [ -z "$(left "$1")" ] && return 0; sleep 0.1; done
    return 1
}

# job STATUS MESSAGE ARGUMENTS…: the program ends with that status, and all of stderr matches MESSAGE.
job() {
    local want=$1 message=$2 status text
    shift 2
    FATHOM_HOSTS=${list:-$hosts} on "$a" timeout 120 "$program" "$@" >"$work/out" 2>"$work/log" </dev/null
    status=$?
    text=$(tr '\n' '|' <"$work/log")
    if [ "$status" != "$want" ]; then fail "${list:-} $*: status $status, not $want" "$work/log"
    elif ! [[ $text =~ ^($message)$ ]]; then fail "${list:-} $*: stderr is not $message" "$work/log"
    elif ! gone "$program"; then fail "$*: processes are left: $(left "$program")" "$work/log"
    else echo "good: ${list:+FATHOM_HOSTS=$list }$*: status $status"; return 0
    fi
    return 1
}
printed() { # printed LINES PATTERN
    [ "$(grep -cE "$2" "$work/out")" = "$1" ] || fail "not $1 lines of stdout are $2" "$work/out"
}

# ends HOW STATUS MESSAGE WHAT: starts the program, does something to it, and looks how it ends.
ends() {
    local how=$1 want=$2 message=$3 what=$4 i status text
    : >"$work/out"
    FATHOM_HOSTS=$hosts exec_on "$a" "$program" "$what" >"$work/out" 2>"$work/log" </dev/null &
    local job=$! here there
    for ((i = 0; i < 600; i++)); do [ "$(grep -c ready "$work/out")" = 4 ] && break; sleep 0.1; done
    [ "$i" -lt 600 ] || fail "$how: the job does not start" "$work/log"
    here=$(supervisor_of "$a") there=$(supervisor_of "$b")
    case $how in
    "a thread is killed there") kill -9 "$(pgrep -P "$there" | head -1)" ;;
    "a thread is killed here") kill -9 "$(running "$a" "$program" | grep -vx "$here" | tail -1)" ;;
    "the supervisor is killed there") kill -9 "$there" ;;
    "a computer is killed") kill_all_of "$b" ;;
    "the first process is killed") kill -9 "$here" ;;
    "the first process is terminated") kill -TERM "$here" ;;
    "a thread is interrupted there") kill -INT "$(pgrep -P "$there" | head -1)" ;;
    "the command is killed") kill -9 "$(pgrep -P "$here" -f "${FATHOM_AGENT%% *}")" ;;
    "the link is cut") ip -n "$a" link set "$va" down ;;
    esac
    for ((i = 0; i < 600; i++)); do [ -z "$(left "$program")" ] && ! kill -0 "$job" 2>/dev/null && break; sleep 0.1; done
    [ "$i" -lt 600 ] || { fail "$how: processes are left after a minute: $(left "$program")" "$work/log"; kill_all_of "$a"; kill_all_of "$b"; }
    { wait "$job"; } 2>/dev/null
    status=$?
    text=$(tr '\n' '|' <"$work/log")
    if [ "$status" != "$want" ]; then fail "$how: status $status, not $want" "$work/log"
    elif ! [[ $text =~ ^($message)$ ]]; then fail "$how: stderr is not $message" "$work/log"
    else echo "good: $how ($what): status $status"
    fi
    [ "$how" != "the link is cut" ] || link_up
}

# ---- the suite -------------------------------------------------------------------------------------------------------

# With sets of one thread, too: then some threads reach each other through memory, and others over the wire. The provider is the one
# that the conduit chooses, except where one stands here.
for form in "3 $net.1:1,$net.2:2 0" "4 $net.1:2,$net.2:2 1" "5 $net.1:3,$net.2:2 2" "3 $net.1:2,$net.2:1 0 tcp"; do
    read -r threads hosts_of_suite near provider <<<"$form"
    if FATHOM_HOSTS=$hosts_of_suite FATHOM_NODE_MAX=${near#0} FI_PROVIDER=$provider on "$a" timeout 600 "$built/suite" --limit 300 >"$work/log" 2>&1 </dev/null &&
        grep -q "cases good on libfabric, $threads threads" "$work/log" && gone "$built/suite"; then
        echo "good: ${provider:+FI_PROVIDER=$provider }FATHOM_NODE_MAX=$near $(tail -1 "$work/log")"
    else
        fail "the suite on two computers, $form" "$work/log"
    fi
done

# How jobs end, as the suite has it; a minute.
if [ "${FATHOM_TEST_WIDE:-}" = 1 ]; then
    if FATHOM_HOSTS=$net.1:1,$net.2:2 on "$a" "$run" ends "$built" 3 >"$work/log" 2>&1 </dev/null; then
        echo "good: $(tail -1 "$work/log")"
    else
        fail "the suite's ends on two computers" "$work/log"
    fi
fi

# ---- starting and printing -------------------------------------------------------------------------------------------

job 0 '' near 2 && printed 4 "^thread [0-3] of 4, 2 near, on $a|^thread [0-3] of 4, 2 near, on $b"
list=$net.1,$net.2 FATHOM_THREADS=3 job 0 '' near && printed 3 '^thread [0-2] of 3,'
FATHOM_NODE_MAX=1 job 0 '' near 1
list=$net.1:1,$net.2:1,$net.2:1 job 0 '' near 1 # two supervisors on one computer are two computers to it
(cd "$work" && VARIABLE="it's \$here
too" job 0 '' arguments 'two words' "a'b" '' '$HOME' && cmp -s "$work/out" <(for i in 0 1 2 3; do echo "[two words][a'b][][\$HOME] it's \$here"; echo "too $work"; done)) ||
    fail "arguments, variables and the working directory" "$work/out"
job 0 '' lines && printed 4000 '^(a+|b+|c+|d+)$' && printed 4000 '^.{1000}$'
FATHOM_HOSTS=$hosts on "$a" "$program" input <<<"some words" >"$work/out" 2>&1
printed 1 '^thread 0 reads: some words$'
printed 3 '^thread [1-3] reads nothing$'
FATHOM_HOSTS=$hosts on "$a" "$program" lines 2>"$work/log" </dev/null | head -1 >"$work/out" # nobody reads the rest
gone "$program" && [ ! -s "$work/log" ] && echo "good: a reader that goes away" || fail "a reader that goes away" "$work/log"
FATHOM_HOSTS=$hosts on "$a" "$program" lines 2>"$work/log" </dev/null | { sleep 7; cat; } >"$work/out" # longer than a last message waits
gone "$program" && [ ! -s "$work/log" ] && printed 4000 '^.{1000}$' && echo "good: a reader that pauses" || fail "a reader that pauses" "$work/log"
job 0 '' early && printed 2000 '^.{1000}$' # more than a pipe holds

# Blanks around names, addresses of IPv6, and the first computer twice.
list="$net.1:2, $net.2:2 " job 0 '' near 2 && printed 4 "^thread [0-3] of 4, 2 near"
list="$net.1:1,$net.1:1" job 0 '' near 1 && printed 2 "^thread [01] of 2, 1 near, on $a"
if ip -n "$a" route get fd77::2 >/dev/null 2>&1; then
    list='[fd77::1]:2,[fd77::2]:2' job 0 '' near 2 && printed 2 "^thread [23] of 4, 2 near, on $b"
fi

# Arguments and variables that shells would change, and as long as the kernel takes them.
odd=("$(printf '%0100000d' 0)" ' ' '*' '~' '\n' '\' '"' '`id`' '$(id)' '!!' '%s' $'a\nb' $'\t' $'\xff\xfe' '#' ';' '&' '-n' '')
odd_variable=$'\\n `id` "$(id)" \''
(VARIABLE=$odd_variable job 0 '' arguments "${odd[@]}" >"$work/said" && line=$(printf '[%s]' "${odd[@]}") &&
    cmp -s "$work/out" <(for i in 0 1 2 3; do echo "$line $odd_variable $PWD"; done)) && echo "good: odd arguments" || fail "odd arguments" "$work/said"

# A shell over there that prints when it starts, and one that is bash, which does not let some variables be set.
sed 's/exec sh -c "\$0"/printf "Welcome\\nto this"; &/' "$work/agent" >"$work/greets"
sed 's/exec sh -c "\$0"/exec bash --posix -s/' "$work/agent" >"$work/bash"
chmod +x "$work/greets" "$work/bash"
FATHOM_AGENT=$work/greets job 0 'Welcome\|to this' near 2 && printed 4 '^thread [0-3] of 4' && printed 4 '^'
(export UID EUID PPID SHELLOPTS BASHOPTS; FATHOM_AGENT=$work/bash job 0 '' near 2) || bad=1

# ---- ends ------------------------------------------------------------------------------------------------------------

job 3 '' exit 3 && printed 1 'saved by 0;' && printed 1 'saved by 3;'
job 4 '' exit_first 4 && printed 1 'saved by 3;'
job 0 '' exit 0
job 7 '' return 7
job 5 '' _exit 5
job 0 '' lost
job 1 'fathom: thread 3: no more of this[^|]*\|' fatal
job 1 'fathom: thread [0-3]: no more of this[^|]*\|' fatal_all
job 139 'fathom: thread 3: segmentation fault[^|]*\|([^|]*hint[^|]*\|)?' crash
ends "a thread is killed there" 137 'fathom: thread [23]: ended by signal 9[^|]*\|' wait
ends "a thread is killed here" 137 'fathom: thread [01]: ended by signal 9[^|]*\|' compute
ends "the supervisor is killed there" 1 "fathom: the job's processes on $net.2 have ended without a word; the job ends\\|" wait
ends "a computer is killed" 1 "fathom: the job's processes on $net.2 have ended without a word; the job ends\\|" compute
ends "the first process is killed" 137 '' wait
ends "the first process is terminated" 143 '' compute
ends "a thread is interrupted there" 130 '' wait
ends "the command is killed" 1 "fathom: the command that has started the program on $net.2 has ended; the job ends\\|" wait
ends "the link is cut" 1 "fathom: the computer $net.2 is out of reach; the job ends\\|" wait

# Somebody dies at any moment of the start: at most one message, unless the job was faster. (If it is the command, what it has
# started may say that the first computer is gone.)
good=1
for ((i = 0; i < 24; i++)); do
    FATHOM_HOSTS=$hosts exec_on "$a" "$program" near 2 >"$work/out" 2>"$work/log" </dev/null &
    job=$!
    sleep "0.$((RANDOM % 4))$((RANDOM % 10))"
    case $((i % 3)) in
    0) victim=$(supervisor_of "$b") ;;
    1) victim=$(supervisor_of "$a") ;;
    2) victim=$(pgrep -f "^/bin/sh $work/agent") ;;
    esac
    kill -9 $victim 2>/dev/null
    { wait $job; } 2>/dev/null
    status=$?
    gone "$program" || { fail "killed at the start: processes are left: $(left "$program")" "$work/log"; kill_all_of "$a"; kill_all_of "$b"; good=0; }
    [ "$(grep -c '^fathom:' "$work/log")" -le $((i % 3 == 2 ? 2 : 1)) ] || { fail "killed at the start ($i): status $status" "$work/log"; good=0; }
    [ "$status" != 0 ] || [ "$(grep -c '^thread' "$work/out")" = 4 ] || { fail "killed at the start ($i): status 0, but lines are missing" "$work/out"; good=0; }
done
[ "$good" = 0 ] || echo "good: killed at the start"

# Another process that has the number of a thread's, which has left.
FATHOM_NODE_MAX=1 FATHOM_THREADS=2 timeout 120 "$program" reused >"$work/out" 2>"$work/log" </dev/null
status=$?
if grep -q skipped "$work/out"; then echo "skipped: a number that is used again: numbers cannot be chosen here"
elif [ "$status" = 1 ] && [ ! -s "$work/out" ] && grep -qE 'a thread that has ended|all others have terminated' "$work/log"; then echo "good: a number that is used again"
else fail "a number that is used again: status $status: $(cat "$work/out")" "$work/log"
fi

# ---- what is not valid -----------------------------------------------------------------------------------------------

for wrong in "$net.1:x,$net.2" "$net.1:0" "$net.1:2,,$net.2:2" ":2" "$net.1:2,-o:1" "[::1" "$net.1:1:1" "$net.1,$net.2" "$net.1:9999999" "$net.1:1,it's:1" "$net.1:1,a b:1"; do
    list=$wrong job 1 'fathom: FATHOM_HOSTS=[^|]*(expected|missing|not the name)[^|]*\|' near
done
list=$net.2:1,$net.1:1 job 1 "fathom: FATHOM_HOSTS=[^|]*'$net.2' is not this computer[^|]*\\|" near
FATHOM_THREADS=5 job 1 'fathom: FATHOM_HOSTS=[^|]* has 4 threads, but 5 are wanted[^|]*\|' near
list=$net.1:1,nowhere:1 job 1 "fathom: '$work/agent nowhere' ended with status 255 before[^|]*\\|agent: no computer nowhere\\|" near
FATHOM_AGENT=$work/none job 1 "fathom: cannot run '$work/none'[^|]*FATHOM_AGENT\\|" near
FATHOM_NODE_MAX=x job 1 'fathom: FATHOM_NODE_MAX=x: expected[^|]*\|' near
FATHOM_LIBFABRIC_RMA=x job 1 'fathom: FATHOM_LIBFABRIC_RMA=x: expected always or never\|' near
FATHOM_HEAP=100t job 1 'fathom: FATHOM_HEAP is 100[^|]*\|' near
FI_PROVIDER=shm job 1 "fathom: libfabric's provider shm reaches threads of one computer only[^|]*\\|" near

# More connections than the soft limit of open files lets there be, and than the hard one.
few_files() { # few_files LIMIT STATUS MESSAGE
    local status text
    (ulimit "$1" -n 16 &&
        FATHOM_THREADS=12 FATHOM_NODE_MAX=1 FATHOM_LIBFABRIC_RMA=never exec timeout 120 "$built/suite" collectives_exchange) >"$work/out" 2>"$work/log" </dev/null
    status=$?
    text=$(tr '\n' '|' <"$work/log")
    if [ "$status" = "$2" ] && [[ $text =~ ^($3)$ ]]; then echo "good: ulimit $1 -n 16: status $status"
    else fail "ulimit $1 -n 16: status $status, not $2" "$work/log"
    fi
}
few_files -S 0 ''
few_files -SH 1 'fathom: thread [0-9]+: libfabric reports of a message: Too many open files[^|]*\(raise ulimit -n\)\|'

# All threads refuse. Who reads what one of them says comes late: the others must not end the job before.
mkfifo "$work/full"
exec 7<>"$work/full" 8<"$work/full" 9>"$work/full" 7>&-
dd if=/dev/zero of="$work/full" bs=4096 oflag=nonblock 2>/dev/null
FI_PROVIDER=none FATHOM_THREADS=4 FATHOM_NODE_MAX=1 FATHOM_LIBFABRIC_RMA=always timeout 120 "$program" near >/dev/null 2>&9 8<&- 9>&- </dev/null &
sleep 1
exec 9>&-
tr -d '\0' <&8 >"$work/log"
wait $!
status=$?
exec 8<&-
if [ $status = 1 ] && [[ $(cat "$work/log") =~ ^fathom:\ libfabric\ has\ no\ provider[^$'\n']*$ ]]; then echo "good: all refuse, and the reader is late"
else fail "all refuse, and the reader is late: status $status" "$work/log"
fi

# A command that asks at the terminal.
printf '#!/bin/sh\necho "Password for $1:" >/dev/tty; read word </dev/tty\n' >"$work/asks"
chmod +x "$work/asks"
if command -v script >/dev/null; then
    FATHOM_AGENT=$work/asks FATHOM_HOSTS=$hosts on "$a" timeout 60 script -qec "$program near" /dev/null >"$work/log" 2>&1 </dev/null
    status=$?
    [ "$status" = 1 ] && grep -q "asks for something at the terminal" "$work/log" && gone "$program" && echo "good: a command that asks" ||
        fail "a command that asks: status $status" "$work/log"
fi

# The secret is in nobody's arguments; who does not know it is sent away, and does not delay the others.
cat >"$work/slow" <<END
#!/bin/bash
for p in \$(ip netns pids $a) \$(ip netns pids $b); do tr '\0' '\n' <"/proc/\$p/cmdline"; done 2>/dev/null | grep -cE '[0-9a-f]{32}' >"$work/seen"
port=\$(ip netns exec $a ss -tlnH | awk '{n = split(\$4, part, ":"); print part[n]}' | head -1)
for i in {1..40}; do ip netns exec $b bash -c "exec 3<>/dev/tcp/$net.1/\$port; echo 'let me in, I know the secret: 0123456789abcdef' >&3; echo connected >>$work/strangers; cat <&3 >/dev/null" 2>/dev/null & done
for i in {1..100}; do [ "\$(grep -c connected "$work/strangers" 2>/dev/null)" = 40 ] && break; sleep 0.1; done
exec "$work/agent" "\$@"
END
chmod +x "$work/slow"
FATHOM_AGENT=$work/slow job 0 '' near 2 && [ "$(cat "$work/seen")" = 0 ] && [ "$(grep -c connected "$work/strangers")" = 40 ] &&
    echo "good: strangers" || fail "strangers: $(cat "$work/seen") arguments with a secret, $(grep -c connected "$work/strangers") connections" "$work/log"

# Many more, without a pause, before and while the others join.
cc -O1 -Wall -Wextra -Werror -o "$work/strangers-crowd" "$here/strangers.c" || fail "building strangers.c" /dev/null
cat >"$work/crowded" <<END
#!/bin/bash
port=\$(ip netns exec $a ss -tlnH | awk '{n = split(\$4, part, ":"); print part[n]}' | head -1)
ip netns exec $b "$work/strangers-crowd" $net.1 "\$port" "$work/crowd" </dev/null >/dev/null 2>&1 &
for i in {1..600}; do [ -e "$work/crowd" ] && break; sleep 0.1; done
exec "$work/agent" "\$@"
END
chmod +x "$work/crowded"
FATHOM_AGENT=$work/crowded job 0 '' near 2 && [ -e "$work/crowd" ] && echo "good: a crowd of strangers" || fail "a crowd of strangers" "$work/log"

# ---- ssh itself ------------------------------------------------------------------------------------------------------

by_ssh() {
    local name sshd=$(PATH=$PATH:/usr/sbin command -v sshd)
    if [ -z "$sshd" ] || ! command -v ssh-keygen >/dev/null; then
        echo "skipped: ssh: openssh-server is not installed"
        return
    fi
    for name in user host; do ssh-keygen -q -t ed25519 -N '' -f "$work/$name-key"; done
    cat >"$work/sshd_config" <<END
ListenAddress $net.2
HostKey $work/host-key
AuthorizedKeysFile $work/user-key.pub
PermitRootLogin yes
StrictModes no
UsePAM no
PidFile none
END
    echo "$net.2 $(cut -d' ' -f1,2 "$work/host-key.pub")" >"$work/known"
    mkdir -p /run/sshd
    on "$b" "$sshd" -f "$work/sshd_config" -E "$work/sshd-log"
    local -x FATHOM_AGENT="ssh -F none -i $work/user-key -o UserKnownHostsFile=$work/known"
    VARIABLE="it's \$here" job 0 '' arguments 'two words' "a'b" '' && printed 4 "^\[two words\]\[a'b\]\[\] it's .here $PWD\$" || { cat "$work/sshd-log"; return; }
    job 0 '' near 2 && printed 2 "^thread [23] of 4, 2 near, on $b"
    job 0 '' lines && printed 4000 '^.{1000}$'
    job 3 '' exit 3 && printed 1 'saved by 3;'
    job 139 'fathom: thread 3: segmentation fault[^|]*\|([^|]*hint[^|]*\|)?' crash
    ends "a thread is killed there" 137 'fathom: thread [23]: ended by signal 9[^|]*\|' wait
    ends "the supervisor is killed there" 1 "fathom: the job's processes on $net.2 have ended without a word; the job ends\\|" wait
    ends "the first process is killed" 137 '' compute
    ends "the first process is terminated" 143 '' wait
    ends "the command is killed" 1 "fathom: the command that has started the program on $net.2 has ended; the job ends\\|" wait
    : >"$work/known"
    job 1 "fathom: 'ssh [^|]*' ended with status 255 before[^|]*\\|Host key verification failed[^|]*\\|" near
    kill_all_of "$b"
}
by_ssh

if [ -n "${FATHOM:-}" ]; then
    cat >"$work/hello.upc" <<'END'
#include <stdio.h>
#include <upc.h>
shared int there[THREADS];
int main(void) {
    there[MYTHREAD] = 1;
    upc_barrier;
    printf("%d sees %d of %d\n", MYTHREAD, there[(MYTHREAD + 1) % THREADS], THREADS);
}
END
    FATHOM_CACHE=$work/cache on "$a" "$FATHOM" run --conduit libfabric --hosts $net.1,$net.2 -n 3 "$work/hello.upc" >"$work/out" 2>"$work/log" </dev/null
    status=$?
    [ "$status" = 0 ] && [ "$(grep -c 'sees 1 of 3' "$work/out")" = 3 ] && echo "good: fathom run --hosts" || fail "fathom run --hosts: status $status" "$work/log"
fi

ls /dev/shm | grep -q "^fi_\|fathom-$$" && fail "files are left in /dev/shm" /dev/null
exit $bad
