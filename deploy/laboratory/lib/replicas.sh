# Sourced by scripts of deploy/test that start packaged services in processes of their own; `leave` stops them. Needs
# $root and $work. Sources ports.sh of deploy/lib, and checks.sh.
# shellcheck shell=bash

. "$root/deploy/lib/ports.sh"
. "$root/deploy/laboratory/lib/checks.sh"
. "$root/.mvn/find-jdk"
java_home=$(find_jdk) || exit 1
java=$java_home/bin/java
unset BERTH_DATABASE_URL BERTH_PLACEMENT_URL

for jar in placement-service/target/quarkus-app/quarkus-run.jar deploy/command/target/lib \
        deploy/laboratory/{load,embedded-postgres}/target/lib; do
    [ -e "$root/$jar" ] || { echo "nothing is built yet ($jar): run ./mvnw -Pload package -DskipTests"; exit 1; }
done
# Copies the programs, because a build may replace the jars during the test.
mkdir -p "$work/placement" "$work/load" "$work/command"
cp -R "$root/placement-service/target/quarkus-app/." "$work/placement/"
cp "$root"/deploy/laboratory/load/target/{load-[0-9]*,lib/*}.jar "$work/load/"
cp "$root"/deploy/command/target/command-[0-9]*.jar "$root"/deploy/command/target/lib/*.jar "$work/command/"

started=()
stop_started() {
    local pid i
    # Stops the newest process first, so that the database is stopped last.
    for ((i = ${#started[@]} - 1; i >= 0; i--)); do
        pid=${started[i]}
        kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
    done
}

# starts_placement NAME PORT DATABASE-URL: starts placement, and writes its pid to $work/NAME.pid. Does not wait.
starts_placement() {
    BERTH_DATABASE_URL=$3 QUARKUS_HTTP_HOST=127.0.0.1 QUARKUS_HTTP_PORT=$2 QUARKUS_SHUTDOWN_DELAY=${delay:-0S} \
        "$java" -Xmx512m -jar "$work/placement/quarkus-run.jar" >>"$work/$1.log" 2>&1 &
    echo $! >"$work/$1.pid"
    started+=($!)
}
is_ready() { answers_200 "$1" /q/health/ready; }

# ends_with STATUS NAME: sends SIGTERM, waits, and checks the exit status.
ends_with() {
    local pid
    pid=$(<"$work/$2.pid")
    kill -TERM "$pid" && wait "$pid"
    local status=$?
    echo "ended with $status"
    [ $status = "$1" ]
}
# Ignores warnings: Netty logs one about a connection that is accepted during the shutdown, whose client sees it refused.
says_nothing_wrong() { ! grep -E ' (ERROR|FATAL) ' "$work/$1.log"; }

api() {
    local port=$1 method=$2 path=$3
    shift 3
    curl -s --max-time 60 -X "$method" -H 'x-auth-token: admin' -H 'openstack-api-version: placement 1.39' \
        -H 'content-type: application/json' "$@" "http://127.0.0.1:$port$path"
}
# Checks placement's audit on PORT: it may report only the providers over capacity that the sample contains.
audit_finds_nothing() {
    api "$1" GET /berth/v1/audit --fail -o "$work/audit" || return 1
    grep -oE '"kind": ?"[a-z_]*"' "$work/audit" | sort | uniq -c
    grep -q '"findings"' "$work/audit" && ! grep -oE '"kind": ?"[a-z_]*"' "$work/audit" | grep -qv over_capacity
}
sample() {
    "$java" -Xmx256m -cp "$work/command/*" io.berth.deploy.migration.sample.SampleMain "http://127.0.0.1:$1" \
        "$2" "$3" 1
}
# Compares the services on two ports: their whole state, and their responses to 200 random reads.
tell_the_same() {
    "$java" -Xmx512m -cp "$work/command/*" io.berth.deploy.command.BerthMain import --from "http://127.0.0.1:$1" \
        --to "http://127.0.0.1:$2" --dry-run --check 200 >"$work/compared" 2>&1
    grep -vE '^  [a-z]' "$work/compared" | tail -n 20
    grep -q '^same: ' "$work/compared" && grep -q '^queries: 200 of 200 answered alike' "$work/compared"
}
# claims_until_enough URLS JOURNAL: starts claims that end when $work/enough exists. Returns when the first were sent.
claims_until_enough() {
    rm -f "$work/enough"
    "$java" -Xmx256m -cp "$work/load/*" io.berth.deploy.steady.SteadyClaimsMain "$1" "${clients:-8}" \
        "$work/enough" "$2" >"$work/claims.log" 2>&1 &
    claims=$!
    started+=($!)
    within 600 test -s "$2.hosts"
}
# Ends the claims; true if none was lost or doubled. The last line of the output is the result.
claims_end_well() {
    touch "$work/enough"
    wait "$claims"
    local status=$?
    cat "$work/claims.log"
    return $status
}
