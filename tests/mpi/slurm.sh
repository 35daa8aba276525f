#!/bin/bash
# Jobs under Slurm: a controller and two nodes in two network namespaces of this computer, with a munge daemon, a
# configuration and a state of their own in a temporary folder. Programs are started by srun, with PMIx (Open MPI) and
# PMI-2 (MPICH); they end normally, with a status, with an error; a thread is killed, the job is cancelled or interrupted,
# a node's daemon dies, a node dies with all its processes. Each time all must end, and nothing be left.
#
#     slurm.sh [openmpi|mpich]...       default: each that is installed
#
# Needs root, slurmctld, slurmd, srun (Debian: slurm-wlm) and munged. Without them, or where they do not start, it is
# skipped, unless FATHOM_TEST_SLURM=required. FATHOM: path of the command `fathom`; a UPC program is then run, too.
set -u
is_required() { [ "${FATHOM_TEST_SLURM:-}" = required ]; }
# shellcheck source=tests/mpi/two.sh
. "$(dirname "$0")/two.sh"
PATH=$PATH:/usr/sbin:/sbin
for program in slurmctld slurmd srun scancel scontrol sinfo munged; do
    command -v $program >/dev/null ||
        refuse "$program is not installed (Debian: apt install slurm-wlm slurm-wlm-basic-plugins munge)"
done
make_computers

HANG_S=120 # for what takes seconds: verdicts do not depend on how busy the computer is

# ---- the cluster ---------------------------------------------------------------------------------------------------

daemon() { cat "$work/$1.pid" 2>/dev/null; }
clean_up_more() {
    local name pid
    for name in munged slurmctld "slurmd-$a" "slurmd-$b"; do
        pid=$(daemon "$name") && [ -n "$pid" ] && kill -9 "$pid" 2>/dev/null
    done
}

configure() {
    chmod 755 "$work" # munged trusts no folder that others can write to
    mkdir -p "$work"/{state,tmp,"$a","$b"}
    head -c 1024 /dev/urandom >"$work/munge.key"
    chmod 400 "$work/munge.key"
    munged --force --socket="$work/munge.socket" --key-file="$work/munge.key" --pid-file="$work/munged.pid" \
        --log-file="$work/munged.log" --seed-file="$work/munge.seed" || refuse "munged does not start"
    # Two nodes have one /tmp here, so each has a folder of its own (TmpFS), and one tree of control groups, so none is used.
    # Slurm's patience with nodes is long: when one is lost, the test says so.
    echo CgroupPlugin=cgroup/v1 >"$work/cgroup.conf"
    cat >"$work/slurm.conf" <<END
ClusterName=fathom
SlurmctldHost=$a($net.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/%n
TmpFS=$work/%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd-%n.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd-%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
MpiDefault=none
ReturnToService=2
SlurmdTimeout=600
InactiveLimit=0
KillWait=5
SlurmdParameters=config_overrides
NodeName=$a NodeAddr=$net.1 CPUs=4 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=1000
NodeName=$b NodeAddr=$net.2 CPUs=4 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=1000
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
    export SLURM_CONF=$work/slurm.conf
}

# With a /dev/shm of its own, so that it can be seen whether something is left there.
start_daemon() { # start_daemon NODE
    on "$1" unshare --mount sh -c 'mount -t tmpfs none /dev/shm && exec slurmd -f "$SLURM_CONF"'
}

# within SECONDS CONDITION…
within() {
    local i
    for ((i = 0; i < $1 * 5; i++)); do
        "${@:2}" && return 0
        sleep 0.2
    done
    return 1
}

# Both nodes answer and have nothing to do.
is_idle() { [ "$(on "$a" sinfo -h -t idle -o %D 2>/dev/null)" = 2 ] && [ -z "$(on "$a" squeue -h 2>/dev/null)" ]; }

# ---- jobs ----------------------------------------------------------------------------------------------------------

export FATHOM_HEAP=64m TMPDIR=$work/tmp
log=$work/log

# start FLAVOUR PROGRAM ARGUMENTS…: four threads, two on each node. Sets `srun`, the process.
start() {
    : >"$log"
    become_srun "$@" >>"$log" 2>&1 </dev/null &
    srun=$!
}
pmi_of() { if [ -n "${pmi:-}" ]; then echo "$pmi"; elif [ "$1" = mpich ]; then echo pmi2; else echo pmix; fi; }
become_srun() {
    # As in namespaces.sh: UCX takes the nodes for one computer.
    UCX_TLS=tcp,self OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,vader,self OMPI_MCA_osc=^ucx exec \
        ip netns exec "$a" unshare --uts sh -c 'hostname "$0"; exec "$@"' "$a" \
        srun --mpi="$(pmi_of "$1")" -N 2 --ntasks-per-node=2 --quit-on-interrupt "$work/$1/$2" "${@:3}"
}

has_ended() { ! kill -0 "$1" 2>/dev/null; }
cancel_all() { on "$a" scancel -s KILL -u "$(id -un)"; }

# Open MPI's library has crashed in MPI_Init, and says so: from then on the crash lines are the runtime's (conduit/mpi/end.c).
# With Slurm's PMIx a process may leave MPI_Init before another of its computer is ready to receive: Open MPI 4.1.4 under Slurm
# 22.05 then calls a null pointer, in 1 of 7 to 1 of 70 starts beside two busy processes, also in a program that calls nothing
# but MPI_Init, MPI_Barrier and MPI_Finalize. Slurm leaves the other processes waiting.
mpi_crashed() { grep -q '\*\*\* Process received signal \*\*\*' "$log"; }
has_ended_or_crashed() { has_ended "$1" || mpi_crashed; }

# Sets `status`, how srun has ended; "hangs" if it had to be ended.
finish() {
    within $HANG_S has_ended_or_crashed $srun
    if { mpi_crashed && within 10 has_ended $srun; } || has_ended $srun; then
        { wait $srun; } 2>/dev/null
        status=$?
    else
        status=hangs
        cancel_all
        within $HANG_S has_ended $srun || kill -9 $srun
    fi
}

processes_of() { # all that Slurm has started
    local node p
    for node in "$a" "$b"; do
        for p in $(pids_of "$node"); do
            case $(cat "/proc/$p/comm" 2>/dev/null) in
            slurmd | slurmctld | slurmscriptd | sackd | '') ;;
            *) grep -q '^State:.*[RSDTt] (' "/proc/$p/status" 2>/dev/null && echo "$p ($(cat "/proc/$p/comm"))" ;;
            esac
        done
    done
}
nothing_runs() { [ -z "$(processes_of)" ]; }
files() {
    local node pid
    ls -A "$work/tmp"
    for node in "$a" "$b"; do
        pid=$(daemon "slurmd-$node")
        [ -z "$pid" ] || ls -A "/proc/$pid/root/dev/shm" 2>/dev/null
        find "$work/$node" -name '*pmix*' 2>/dev/null
    done
}
# What a job has left, if it has left something.
left() {
    within $HANG_S nothing_runs || { echo "processes are left:" $(processes_of); return; }
    within $HANG_S is_idle || { echo "the nodes do not become idle"; return; }
    [ -z "$(files)" ] || echo "files are left:" $(files)
}

# attempt TEST…: again, twice at most, if the job could not start because MPI itself crashed.
attempt() {
    for try in 1 2 3; do
        again=
        "$@"
        [ -n "$again" ] || return
    done
}

# verdict WHAT WANTED_STATUSES: of the job that has ended; other reasons to fail follow.
verdict() {
    local what=$1 wanted=$2 why=
    shift 2
    if [ "$try" -lt 3 ] && mpi_crashed; then
        echo "again: Slurm, $what: MPI itself crashed in MPI_Init"
        again=yes
        left >/dev/null
        return
    fi
    case " $wanted " in *" $status "*) ;; *) why="status $status, not $wanted" ;; esac
    [ -n "$why" ] || why=$*
    [ -n "$why" ] || why=$(left)
    if [ -n "$why" ]; then fail "Slurm, $what: $why" "$log"; else echo "good: Slurm, $what (status $status)"; fi
}

messages() { grep -oE 'fathom: (thread [0-9]+:|srun) ' "$log" | wc -l; }
saved() { grep -o "saved by [0-9]" "$log" | sort -u | wc -l; }

normal_end() { # normal_end FLAVOUR
    local why=
    start "$1" cluster check 2
    finish
    grep -q '^good: 4 threads, 2 of them near' "$log" || why="not as many threads and computers"
    verdict "$1, a normal end" 0 "$why"
}

# MPICH takes each process for a job where srun speaks no PMI. Open MPI refuses that itself.
wrong_pmi() {
    local why=
    pmi=none start mpich cluster check
    finish
    [ "$(messages)" = 1 ] || why="$(messages) messages, not 1"
    grep -q 'fathom: srun has started 4 processes' "$log" || why="no word of srun"
    verdict "mpich, srun without PMI" 1 "$why"
}

# A job that ends by itself: with its status, so many messages, and what each thread had written. With PMIx, Slurm kills the
# other threads when it sees one go: too late for a difference, unless the computer is busy.
ends_itself() { # ends_itself FLAVOUR STATUS MESSAGES ARGUMENTS…
    local flavour=$1 wanted=$2 messages=$3 why=
    shift 3
    start "$flavour" cluster "$@"
    finish
    [ "$flavour" = openmpi ] && wanted+=" 137"
    [ "$(messages)" = "$messages" ] || why="$(messages) messages, not $messages"
    grep -q '^srun: .*: Killed' "$log" || [ "$(saved)" = 4 ] || why="$(saved) of 4 threads saved their output"
    verdict "$flavour, $*" "$wanted" "$why"
}

# A thread of a UPC program ends it, while the others are at a barrier.
upc_program() { # upc_program FLAVOUR
    local why=
    cat >"$work/exits.upc" <<END
#include <stdio.h>
#include <upc.h>
int main(void) {
    printf("ready\n");
    upc_barrier;
    if (MYTHREAD == THREADS - 1) upc_global_exit(THREADS);
    upc_barrier;
}
END
    FATHOM_MPICC=mpicc.$1 "$FATHOM" cc --conduit mpi -O1 -o "$work/$1/exits" "$work/exits.upc" >"$log" 2>&1 ||
        { fail "$1: compiling a UPC program" "$log"; return; }
    start "$1" exits
    finish
    [ "$status" = 137 ] || all_ready || why="not all output has been saved"
    verdict "$1, upc_global_exit" "$([ "$1" = openmpi ] && echo 4 137 || echo 4)" "$why"
}

all_ready() { [ "$(grep -o ready "$log" | wc -l)" = 4 ]; }
all_ready_or_crashed() { all_ready || mpi_crashed; }
none_runs() { [ -z "$(running "$a" "$program")$(running "$b" "$program")" ]; }

# ends FLAVOUR HOW STATUSES: with four threads running, something is ended from outside.
ends() {
    local flavour=$1 how=$2 wanted=$3 why= program=$work/$1/cluster
    start "$flavour" cluster wait
    within $HANG_S all_ready_or_crashed
    all_ready || { finish; status="none, the job does not start"; verdict "$flavour, $how" "$wanted"; return; }
    case $how in
    "a thread is killed") kill -9 "$(running "$b" "$program" | head -1)" ;;
    "the job is cancelled") on "$a" scancel -u "$(id -un)" ;;
    "srun is interrupted") kill -INT $srun ;;
    "a node's daemon is killed") kill -9 "$(daemon "slurmd-$b")" ;;
    "a node is killed") kill_all_of "$b" ;;
    esac
    case $how in
    "a node"*)
        [ "$how" = "a node is killed" ] || # the job goes on, until Slurm gives the node up
            [ "$(running "$a" "$program" | wc -l) $(running "$b" "$program" | wc -l)" = "2 2" ] || why="threads have ended"
        # The threads of the other node find out by themselves.
        [ "$how" != "a node is killed" ] || within $HANG_S none_runs || why="threads of the other node go on"
        on "$a" scontrol update NodeName="$b" State=DOWN Reason=test
        finish
        rm -rf "$work/$b"/*pmix* # Slurm's own, of a step whose daemon was killed
        start_daemon "$b"
        ;;
    *) finish ;;
    esac
    [ "$(messages)" -le 1 ] || why="$(messages) messages"
    verdict "$flavour, $how" "$wanted" "$why"
}

flavours=("$@")
if [ $# = 0 ]; then
    for f in openmpi mpich; do command -v mpicc.$f >/dev/null && flavours+=("$f"); done
fi
[ ${#flavours[@]} -gt 0 ] || refuse "no MPI (mpicc.openmpi or mpicc.mpich) is installed"
configure
on "$a" slurmctld -c -f "$SLURM_CONF"
start_daemon "$a"
start_daemon "$b"
within $HANG_S is_idle || { tail -n 20 "$work/slurmctld.log"; refuse "Slurm does not start here"; }

for flavour in "${flavours[@]}"; do
    on "$a" srun --mpi=list 2>&1 | grep -qw "$(pmi_of "$flavour")" ||
        { echo "skipped: slurm.sh: this Slurm has no $(pmi_of "$flavour"), for $flavour"; continue; }
    build "$flavour" || { echo "FAIL building for $flavour"; exit 1; }
    attempt normal_end "$flavour"
    [ "$flavour" != mpich ] || attempt wrong_pmi
    attempt ends_itself "$flavour" 0 0 exit 0
    attempt ends_itself "$flavour" 7 0 exit 7
    attempt ends_itself "$flavour" 1 1 fatal
    attempt ends_itself "$flavour" 139 1 crash
    [ -z "${FATHOM:-}" ] || attempt upc_program "$flavour"
    attempt ends "$flavour" "a thread is killed" "137"
    attempt ends "$flavour" "the job is cancelled" "143"
    attempt ends "$flavour" "srun is interrupted" "130 137 143"
    attempt ends "$flavour" "a node's daemon is killed" "1 137 143"
    attempt ends "$flavour" "a node is killed" "1 137 143"
done
exit $bad
