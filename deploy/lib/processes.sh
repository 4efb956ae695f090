# Sourced by the scripts of deploy/: starts and stops background processes, and never kills another program.
# $state/run/NAME.pid has "PID BIRTH" (birth_of); $state/run/NAME.settings has the settings of the start.
# shellcheck shell=bash

# birth_of PID: prints the start time of a process, which distinguishes it from a later process with the same pid.
# Prints nothing if it has ended or is a zombie. Linux counts ticks since boot, so the boot id is added.
birth_of() {
    local stat
    if [ -r /proc/self/stat ]; then
        { stat=$(<"/proc/$1/stat"); } 2>/dev/null || return 0
        # Skips field 2, the name in parentheses, which may contain blanks and parentheses. Field 22 is the start time.
        # shellcheck disable=SC2086
        set -- ${stat##*) }
        [ "$1" = Z ] || [ "$1" = X ] || printf '%s/%s\n' "${20}" "$(</proc/sys/kernel/random/boot_id)"
    else
        LC_ALL=C TZ=UTC ps -o lstart= -p "$1" 2>/dev/null | tr -s ' ' _
    fi
}

# pid_of NAME: prints the pid of the running process NAME; nothing if it does not run.
pid_of() {
    local pid='' birth=''
    [ -r "$state/run/$1.pid" ] || return 0
    read -r pid birth <"$state/run/$1.pid" || true
    [ -n "$birth" ] || return 0
    [ "$birth" != "$(birth_of "$pid")" ] || printf '%s\n' "$pid"
}

is_running() { [ -n "$(pid_of "$1")" ]; }

# runs_with NAME SETTINGS: true if NAME runs and was started with exactly these settings.
runs_with() {
    is_running "$1" && [ -r "$state/run/$1.settings" ] && [ "$(<"$state/run/$1.settings")" = "$2" ]
}

# recorded: prints the names of all recorded processes, running or not.
recorded() {
    local file
    for file in "$state"/run/*.pid; do
        [ -e "$file" ] && basename "$file" .pid
    done
    return 0
}

# Names of the processes that this run has started, newest first. The caller stops them if the run fails.
started_now=''

# start_process NAME SETTINGS COMMAND...: starts a process in a session of its own, without a terminal, that logs to
# NAME.log. Its working folder is the state folder, because Quarkus reads configuration files from the working folder,
# and the caller's folder may be deleted.
start_process() {
    local name=$1 settings=$2 pid
    shift 2
    local log=$state/log/$name.log
    [ ! -s "$log" ] || mv -f "$log" "$log.1"
    local session=''
    ! command -v setsid >/dev/null 2>&1 || session=setsid
    # Noted before the start, because a signal may arrive between any two of these lines.
    started_now="$name $started_now"
    # shellcheck disable=SC2086
    (cd "$state" && unset $script_variables && exec nohup $session "$@") </dev/null >"$log" 2>&1 9>&- &
    pid=$!
    printf '%s %s\n' "$pid" "$(birth_of "$pid")" >"$state/run/$name.pid"
    printf '%s\n' "$settings" >"$state/run/$name.settings"
}

# tick: waits a tenth of a second.
tick() { sleep 0.1; }

# ends PID BIRTH SECONDS: waits until the process has ended; false after SECONDS. Returns true at once for an empty
# BIRTH, which means that the process had ended before.
ends() {
    local ticks=$(($3 * 10))
    [ -n "$2" ] || return 0
    while [ "$(birth_of "$1")" = "$2" ]; do
        [ $ticks -gt 0 ] || return 1
        ticks=$((ticks - 1))
        tick
    done
}

# stop_processes NAME...: sends SIGTERM to all, waits up to 75 seconds for each (a service completes requests, claims
# and records in flight), and then sends SIGKILL.
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

# stop_unrecorded: stops processes that this run started but could not record, because of a signal or a full disk.
stop_unrecorded() {
    local pid birth
    for pid in $(jobs -rp); do
        birth=$(birth_of "$pid")
        kill -TERM "$pid" 2>/dev/null || true
        ends "$pid" "$birth" 20 || kill -KILL "$pid" 2>/dev/null || true
    done
}

# reason_in_log NAME: prints the line of NAME's log that most likely says why the process ended.
reason_in_log() {
    local log=$state/log/$1.log line=''
    # For PostgreSQL, prefers the messages of the server to those of the Java process that waited for it.
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
