# Sourced by the scripts of deploy/: the PostgreSQL of this deployment, which is embedded unless BERTH_DATABASE_URL
# names one. find_database sets $database_url.
# shellcheck shell=bash

postgres_home=$state/postgres

# run_sql: runs the script on standard input in one transaction. Passes the URL in the environment, because `ps` would
# show the password in an argument. An error is one line on stderr.
run_sql() {
    BERTH_DATABASE_URL=$database_url "$java_home/bin/java" -Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \
        -cp "$postgres_app/*" io.berth.deploy.postgres.SqlMain
}

# stop_orphan_postgres: stops a PostgreSQL that still runs in the data folder although its parent process was killed.
stop_orphan_postgres() {
    local file=$postgres_home/data/postmaster.pid pid='' birth
    [ -r "$file" ] || return 0
    read -r pid <"$file" || true
    birth=$(birth_of "$pid")
    # The process has ended: PostgreSQL removes the outdated pid file itself at its next start.
    [ -n "$birth" ] || return 0
    case $(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" || ps -o args= -p "$pid" 2>/dev/null) in
        *" $postgres_home/data "*) ;;
        # A PostgreSQL with another path, or an invisible command line: PostgreSQL itself will check at its start.
        *postgres* | '') return 0 ;;
        # Another program got this pid after a power failure. PostgreSQL would refuse to start because of the pid file.
        *) rm -f "$file"; return 0 ;;
    esac
    # SIGINT is PostgreSQL's fast shutdown. SIGQUIT is the immediate one, after which the next start recovers from the
    # WAL.
    kill -INT "$pid" 2>/dev/null || true
    ends "$pid" "$birth" 20 && return 0
    kill -QUIT "$pid" 2>/dev/null || true
    ends "$pid" "$birth" 10 || fail "PostgreSQL (process $pid) in $postgres_home does not stop"
}

# postgres_is_ready: true if the server accepts connections. Stops a server that failed to start, so that the caller
# does not wait two minutes for it.
postgres_is_ready() {
    ! grep -qs '^pg_ctl: could not start server' "$state/log/postgres.log" || stop_processes postgres
    test -s "$postgres_home/url"
}

# start_embedded: starts PostgreSQL unless it runs, and sets $database_url as soon as its port and password are known.
start_embedded() {
    local settings port=0 password making=$postgres_home/making
    settings="app $postgres_app
java $java_home"
    # Reuses the last port, so that services that are still running can connect again.
    [ ! -s "$postgres_home/port" ] || port=$(<"$postgres_home/port")
    if ! runs_with postgres "$settings" || [ ! -s "$postgres_home/url" ] || ! port_taken "$port"; then
        stop_processes postgres
        stop_orphan_postgres
        # Removes an incomplete cluster, left by an interrupted first start. After a server has run on it, it is
        # complete.
        [ ! -e "$making" ] || [ -e "$postgres_home/data/postmaster.opts" ] || rm -rf "$postgres_home/data"
        if [ "$port" = 0 ] || port_taken "$port"; then port=$(next_free_port $((15432 + RANDOM % 1000))); fi
        mkdir -p "$postgres_home"
        [ -e "$postgres_home/data" ] || : >"$making"
        rm -f "$postgres_home/url"
        start_process postgres "$settings" "$java_home/bin/java" -Xmx256m -XX:+UseSerialGC \
            -XX:TieredStopAtLevel=1 -cp "$postgres_app/*" io.berth.deploy.postgres.PostgresMain "$postgres_home" "$port"
        printf '%s\n' "$port" >"$postgres_home/port.new"
        mv -f "$postgres_home/port.new" "$postgres_home/port"
        # PostgresMain makes the password before it unpacks PostgreSQL.
        await "PostgreSQL on port $port" postgres test -s "$postgres_home/password"
    fi
    password=$(<"$postgres_home/password")
    database_url=postgresql://postgres:$password@127.0.0.1:$port/postgres
}

# await_embedded: waits until PostgreSQL accepts connections. Its first start takes seconds, in which services can start.
await_embedded() {
    [ -z "${BERTH_DATABASE_URL:-}" ] || return 0
    [ -s "$postgres_home/url" ] || wait_until "PostgreSQL on port $(<"$postgres_home/port")" postgres postgres_is_ready
    rm -f "$postgres_home/making"
}

# find_database: checks the user's database, or starts PostgreSQL without waiting for it.
find_database() {
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

# drop_schemas: removes Berth's two schemas, and nothing else, from the database.
drop_schemas() {
    run_sql <<'SQL' 2>"$state/log/database.log" || fail "could not empty the database: $(tail -n 1 "$state/log/database.log")"
DROP SCHEMA IF EXISTS placement CASCADE;
DROP SCHEMA IF EXISTS scheduler CASCADE
SQL
    say "database emptied"
}
