# Sourced by the scripts of deploy/: the processes of the two services.
# shellcheck shell=bash

# A start may take any time on a slow machine. It is given up if the process makes no progress for so many seconds.
still_seconds_max=${STILL_SECONDS_MAX:-120}

# moves_of NAME: prints a value that changes while process NAME makes progress. Until it listens, progress is a growing
# log, a second of processor time or, for PostgreSQL, whose child processes write its files, a growing folder.
# Afterwards it is three seconds of processor time, because a service that waits for another one logs repeatedly and
# uses two seconds in $still_seconds_max.
moves_of() {
    local pid stat seconds=3
    pid=$(pid_of "$1")
    [ -n "$pid" ] || return 0
    if ! grep -q 'Listening on: ' "$state/log/$1.log" 2>/dev/null; then
        seconds=1
        wc -c <"$state/log/$1.log" 2>/dev/null || true
    fi
    [ "$1" != postgres ] || du -sk "$postgres_home" 2>/dev/null || true
    if { stat=$(<"/proc/$pid/stat"); } 2>/dev/null; then
        # Skips field 2, as birth_of does. Fields 14 and 15 are processor time in hundredths of a second.
        # shellcheck disable=SC2086
        set -- ${stat##*) }
        printf '%s\n' $(((${12} + ${13}) / 100 / seconds))
    else
        # ps prints minutes, seconds and, on some systems, hundredths.
        stat=$(ps -o time= -p "$pid" 2>/dev/null) || true
        stat=${stat%.*}
        printf '%s %s\n' "${stat%:*}" $((10#0${stat##*:} / seconds))
    fi
}

# await WHAT NAME CONDITION...: waits until the command CONDITION succeeds. Fails if process NAME ends or makes no
# progress. WHAT is the description for messages.
await() {
    local what=$1 name=$2 began=$SECONDS shown=$SECONDS moved=$SECONDS before='' now
    shift 2
    while ! "$@"; do
        is_running "$name" ||
            fail "$what did not start: $(reason_in_log "$name"); the whole log is $state/log/$name.log"
        now=$(moves_of "$name")
        [ "$now" = "$before" ] || { before=$now moved=$SECONDS; }
        [ $((SECONDS - moved)) -lt $still_seconds_max ] ||
            fail "$what is not ready and has done nothing for $still_seconds_max seconds: $(keystone_trouble "$name")see $state/log/$name.log"
        if [ $((SECONDS - shown)) -ge 5 ]; then
            shown=$SECONDS
            say "  waiting for $what ($((SECONDS - began)) s)"
        fi
        # Checks less often later, so that responding to the check does not look like progress.
        if [ $((SECONDS - began)) -lt 10 ]; then tick; else sleep 2; fi
    done
}

# wait_until WHAT NAME CONDITION...: awaits the condition, and says that WHAT is ready.
wait_until() {
    await "$@"
    say "$1 is ready"
}

# keystone_trouble NAME: prints the last line of NAME's log about Keystone, if it says that Keystone does not respond.
keystone_trouble() {
    local last
    last=$(grep -oE 'Keystone (does not answer|answers) at .*' "$state/log/$1.log" | tail -n 1) || true
    case $last in 'Keystone does not'*) printf '%s; ' "$last" ;; esac
}

# The JVM options of a service. For larger fleets and responses set BERTH_JAVA_OPTS=-Xmx1g.
service_java_opts="$(grep -v '^#' "$root/deploy/lib/service.options" | tr '\n' ' ')${BERTH_JAVA_OPTS:-}"

# environment_of SERVICE: prints the user's variables, without those that only the other service reads.
environment_of() {
    awk -v service="$1" '
        FNR == NR {
            if ($1 == service || $1 !~ /^(placement|scheduler)$/) next
            name = toupper($2)
            gsub(/[.-]/, "_", name)
            # A key with a star at its end stands for all keys with that prefix.
            if (sub(/\*$/, "", name)) beginnings[name]; else names[name]
            if ($3 == "secret") names[name "_FILE"]
            next
        }
        {
            name = $0
            sub(/=.*/, "", name)
            if (name in names) next
            for (beginning in beginnings) if (index(name, beginning) == 1) next
            print
        }' "$(keys_file)" <(printf '%s\n' "$own_environment")
}

# service_settings NAME PORT APP: prints everything that determines a service's behavior. deploy/up restarts the service
# if it changes.
service_settings() {
    printf 'port %s\napp %s\njava %s\nenvironment %s\n' "$2" "$3" "$java_home" \
        "$(printf '%s\n' "$database_url" "$placement_url" "$(environment_of "${1%%-*}")" | cksum | tr ' ' -)"
}

# recorded_port NAME: prints the port on which NAME was last started; nothing if there is no record.
recorded_port() {
    [ -r "$state/run/$1.settings" ] || return 0
    sed -n 's/^port //p' "$state/run/$1.settings"
}

# start_service NAME PORT APP: starts a service, and does not wait until it is ready. The embedded PostgreSQL may be
# starting, too. The service waits for it without a limit, because deploy/up ends both if PostgreSQL makes no progress.
start_service() {
    ! port_taken "$2" || fail "port $2 is taken by another program: stop it or give $1 another port (--help)"
    [ -n "${BERTH_DATABASE_URL:-}${QUARKUS_FLYWAY_CONNECT_RETRIES:-}" ] || local -x QUARKUS_FLYWAY_CONNECT_RETRIES=2147483647
    # shellcheck disable=SC2086
    BERTH_DATABASE_URL=$database_url BERTH_PLACEMENT_URL=$placement_url \
        QUARKUS_HTTP_HOST=127.0.0.1 QUARKUS_HTTP_PORT=$2 \
        start_process "$1" "$(service_settings "$1" "$2" "$3")" "$java_home/bin/java" \
        $service_java_opts -jar "$3/quarkus-run.jar"
}

# stop_in_order NAME...: stops the services, then PostgreSQL, because a service that is still starting waits for
# PostgreSQL.
stop_in_order() {
    local name services=() postgres=
    for name in "$@"; do
        if [ "$name" = postgres ]; then postgres=yes; else services+=("$name"); fi
    done
    stop_processes ${services[@]+"${services[@]}"}
    [ -n "$postgres" ] || return 0
    stop_processes postgres
    stop_orphan_postgres
}
