# Sourced by the scripts of deploy/: processes that outlive the terminal, and never the wrong one killed.
# $state/run/NAME.pid holds "PID BIRTH"; NAME.settings what it was started with.
# shellcheck shell=bash

# When process $1 began, so that a recycled pid is not mistaken for ours; nothing when it has ended (a zombie
# has). Linux counts ticks since boot, hence the boot id.
birth_of() {
    local stat
    if [ -r /proc/self/stat ]; then
        { stat=$(<"/proc/$1/stat"); } 2>/dev/null || return 0
        # The name, field 2, may hold blanks and brackets: count from behind it. Field 22 is the start.
        # shellcheck disable=SC2086
        set -- ${stat##*) }
        [ "$1" = Z ] || [ "$1" = X ] || printf '%s/%s\n' "${20}" "$(</proc/sys/kernel/random/boot_id)"
    else
        LC_ALL=C TZ=UTC ps -o lstart= -p "$1" 2>/dev/null | tr -s ' ' _
    fi
}

# Pid of the running process NAME, or nothing.
pid_of() {
    local pid='' birth=''
    [ -r "$state/run/$1.pid" ] || return 0
    read -r pid birth <"$state/run/$1.pid" || true
    [ -n "$birth" ] || return 0
    # The second is how it used to be written where there is no /proc: to go after the first release.
    case $birth in
        "$(birth_of "$pid")" | "$(ps -o lstart= -p "$pid" 2>/dev/null | tr -s ' ' _)") printf '%s\n' "$pid" ;;
    esac
}

is_running() { [ -n "$(pid_of "$1")" ]; }

# True when NAME runs and was started with exactly the settings $2.
runs_with() {
    is_running "$1" && [ -r "$state/run/$1.settings" ] && [ "$(<"$state/run/$1.settings")" = "$2" ]
}

# Names of all processes on record, running or not.
recorded() {
    local file
    for file in "$state"/run/*.pid; do
        [ -e "$file" ] && basename "$file" .pid
    done
    return 0
}

# What this run started, newest first: to be stopped again if it fails.
started_now=''

# start_process NAME SETTINGS COMMAND...: in a session of its own, without a terminal, logging to NAME.log. Its
# working folder is the state folder: Quarkus reads configuration from there, and the caller's may go away.
start_process() {
    local name=$1 settings=$2 pid
    shift 2
    local log=$state/log/$name.log
    [ ! -s "$log" ] || mv -f "$log" "$log.1"
    local session=''
    ! command -v setsid >/dev/null 2>&1 || session=setsid
    # First: a signal may come between any two of these lines.
    started_now="$name $started_now"
    # shellcheck disable=SC2086
    (cd "$state" && unset $script_variables && exec nohup $session "$@") </dev/null >"$log" 2>&1 9>&- &
    pid=$!
    printf '%s %s\n' "$pid" "$(birth_of "$pid")" >"$state/run/$name.pid"
    printf '%s\n' "$settings" >"$state/run/$name.settings"
}

# Milliseconds are not portable; a tenth of a second is.
tick() { sleep 0.1; }

# ends PID BIRTH SECONDS: true as soon as the process is gone; an empty BIRTH says that it was gone already.
ends() {
    local ticks=$(($3 * 10))
    [ -n "$2" ] || return 0
    while [ "$(birth_of "$1")" = "$2" ]; do
        [ $ticks -gt 0 ] || return 1
        ticks=$((ticks - 1))
        tick
    done
}

# stop_processes NAME...: SIGTERM to all, up to 75 seconds for each to go (requests, claims and records under way), then
# SIGKILL.
stop_processes() {
    local name pid birth
    for name in "$@"; do
        pid=$(pid_of "$name")
        [ -z "$pid" ] || kill -TERM "$pid" 2>/dev/null || true
    done
    for name in "$@"; do
        pid=$(pid_of "$name")
        if [ -n "$pid" ]; then
            birth=$(birth_of "$pid")
            if ! ends "$pid" "$birth" 75; then
                say "$name did not stop in 75 seconds: killing it"
                kill -KILL "$pid" 2>/dev/null || true
                ends "$pid" "$birth" 10 || fail "process $pid ($name) cannot be killed"
            fi
        fi
        rm -f "$state/run/$name.pid" "$state/run/$name.settings"
    done
}

# stop_unrecorded: what this run started and has no record of, since a signal came first or the disk is full.
stop_unrecorded() {
    local pid birth
    for pid in $(jobs -rp); do
        birth=$(birth_of "$pid")
        kill -TERM "$pid" 2>/dev/null || true
        ends "$pid" "$birth" 20 || kill -KILL "$pid" 2>/dev/null || true
    done
}

# The line of NAME's log that most likely says why it ended.
reason_in_log() {
    local log=$state/log/$1.log line=''
    # Of PostgreSQL its own words, before those of who waited for it.
    line=$({ [ "$1" = postgres ] && grep -E '(^initdb: error|FATAL|PANIC): ' "$log" 2>/dev/null | tail -n 1; } ||
        grep -m 1 -E 'seems to be in use|Address already in use' "$log" 2>/dev/null ||
        grep -E '^Caused by: |[A-Za-z]Exception: ' "$log" 2>/dev/null | tail -n 1 ||
        grep -m 1 -E 'ERROR|Unrecognized|[Ee]rror' "$log" 2>/dev/null || tail -n 1 "$log" 2>/dev/null || true)
    case $line in
        *FlywayValidateException*) line='the database was made by another version of Berth (--fresh empties it)' ;;
    esac
    line=${line#Caused by: }
    printf '%s\n' "${line:-it logged nothing}"
}
