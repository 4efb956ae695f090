# Sourced by the scripts of deploy/: the PostgreSQL of this deployment, its own or the one that
# BERTH_DATABASE_URL names. After ready_database the URL is in $database_url.
# shellcheck shell=bash

postgres_home=$state/postgres

# run_sql: runs the script on standard input in one transaction; the URL travels in the environment, where no
# `ps` shows its password. Errors are one line on stderr.
run_sql() {
    BERTH_DATABASE_URL=$database_url "$java_home/bin/java" -Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \
        -cp "$postgres_app/*" io.berth.deploy.postgres.SqlMain
}

# A PostgreSQL that lost its parent process (SIGKILL) goes on alone in our data folder: end it, data safe.
stop_orphan_postgres() {
    local file=$postgres_home/data/postmaster.pid pid='' birth
    [ -r "$file" ] || return 0
    read -r pid <"$file" || true
    birth=$(birth_of "$pid")
    # Of a process that has ended PostgreSQL knows by itself.
    [ -n "$birth" ] || return 0
    case $(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" || ps -o args= -p "$pid" 2>/dev/null) in
        *" $postgres_home/data "*) ;;
        # Perhaps ours by another path, or not to be seen: PostgreSQL decides.
        *postgres* | '') return 0 ;;
        # Got the number after a power cut: PostgreSQL would not start beside it.
        *) rm -f "$file"; return 0 ;;
    esac
    # SIGINT is PostgreSQL's fast shutdown, SIGQUIT the immediate one (it recovers at the next start).
    kill -INT "$pid" 2>/dev/null || true
    ends "$pid" "$birth" 20 && return 0
    kill -QUIT "$pid" 2>/dev/null || true
    ends "$pid" "$birth" 10 || fail "PostgreSQL (process $pid) in $postgres_home does not stop"
}

# Stops a server that failed to start: otherwise the caller would wait for it for two minutes.
postgres_is_ready() {
    ! grep -qs '^pg_ctl: could not start server' "$state/log/postgres.log" || stop_processes postgres
    test -s "$postgres_home/url"
}

start_embedded() {
    local settings port=0 making=$postgres_home/making
    settings="app $postgres_app
java $java_home"
    # The same port as last time, so that services that still run find it again.
    [ ! -s "$postgres_home/port" ] || port=$(<"$postgres_home/port")
    if ! runs_with postgres "$settings" || [ ! -s "$postgres_home/url" ] || ! port_taken "$port"; then
        stop_processes postgres
        stop_orphan_postgres
        # Half a cluster, where the start that made it was interrupted; what a server ran on is a whole one.
        [ ! -e "$making" ] || [ -e "$postgres_home/data/postmaster.opts" ] || rm -rf "$postgres_home/data"
        if [ "$port" = 0 ] || port_taken "$port"; then port=$(next_free_port $((15432 + RANDOM % 1000))); fi
        mkdir -p "$postgres_home"
        [ -e "$postgres_home/data" ] || : >"$making"
        rm -f "$postgres_home/url"
        start_process postgres "$settings" "$java_home/bin/java" -Xmx256m -XX:+UseSerialGC \
            -XX:TieredStopAtLevel=1 -cp "$postgres_app/*" io.berth.deploy.postgres.PostgresMain "$postgres_home" "$port"
        wait_until "PostgreSQL on port $port" postgres postgres_is_ready
        rm -f "$making"
        printf '%s\n' "$port" >"$postgres_home/port.new"
        mv -f "$postgres_home/port.new" "$postgres_home/port"
    fi
    database_url=$(<"$postgres_home/url")
}

ready_database() {
    if [ -n "${BERTH_DATABASE_URL:-}" ]; then
        database_url=$BERTH_DATABASE_URL
        run_sql <<'SQL' 2>"$state/log/database.log" || fail "cannot use BERTH_DATABASE_URL: $(tail -n 1 "$state/log/database.log")"
DO $$ BEGIN
    IF current_setting('server_version_num')::int < 150000 THEN
        RAISE EXCEPTION 'PostgreSQL 15 or newer is needed, this is %', current_setting('server_version');
    END IF;
END $$
SQL
        stop_processes postgres
        stop_orphan_postgres
    else
        start_embedded
    fi
}

# Empties the database of Berth and of nothing else.
drop_schemas() {
    run_sql <<'SQL' 2>"$state/log/database.log" || fail "could not empty the database: $(tail -n 1 "$state/log/database.log")"
DROP SCHEMA IF EXISTS placement CASCADE;
DROP SCHEMA IF EXISTS scheduler CASCADE
SQL
    say "database emptied"
}
