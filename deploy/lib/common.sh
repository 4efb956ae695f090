# Sourced by the scripts of deploy/ (bash 3.2 or newer): where things are, how to say them, one run at a time.
# shellcheck shell=bash

set -euo pipefail

root=$(CDPATH='' cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
# Everything that a deployment leaves on disk: pid files, logs, copies of what runs, embedded PostgreSQL.
state=${BERTH_STATE_DIR:-$root/.berth}
case $state in /*) ;; *) state=$PWD/$state ;; esac
# Variables that speak to the scripts alone: a service would refuse them as configuration it does not know. The last one
# is a service's own, which only one on a machine can have.
script_variables='BERTH_STATE_DIR BERTH_JAVA_OPTS BERTH_JDK_MIN BERTH_MAVEN_CACHE BERTH_SHARED BERTH_URL
    BERTH_BENCH_DATABASE_URL BERTH_CONTAINER_ENGINE BERTH_BASE_CACHE BERTH_BASE_SUITE BERTH_BASE_MIRROR BERTH_TEST_PORT
    BERTH_FROM_TOKEN BERTH_TO_TOKEN BERTH_FROM_DATABASE BERTH_TO_DATABASE BERTH_COMMAND_JAVA_OPTS
    BERTH_DATABASE_PASSWORD BERTH_POSTGRES_IMAGE BERTH_PROXY_IMAGE BERTH_PLACEMENT_IMAGE BERTH_SCHEDULER_IMAGE
    BERTH_PROMETHEUS_IMAGE BERTH_GRAFANA_IMAGE BERTH_PLACEMENT_PORT BERTH_SCHEDULER_PORT BERTH_PROMETHEUS_PORT BERTH_GRAFANA_PORT
    BERTH_MANAGEMENT_PORT'
me=deploy/$(basename "$0")
# Java reads names of files in UTF-8 only where the locale says so; macOS has no such locale, and needs none.
[ "$(uname)" != Linux ] || export LC_ALL=C.UTF-8

say() { printf '%s\n' "$*"; }

# One line with advice, on stderr; the caller's EXIT trap tidies up.
fail() {
    printf '%s: %s\n' "$me" "$*" >&2
    exit 1
}

usage_error() {
    printf '%s: %s (try --help)\n' "$me" "$*" >&2
    exit 2
}

for folder in "$root" "$state"; do
    case $folder in *:*) fail "Java cannot run from $folder, whose path has a colon: choose another folder" ;; esac
done

make_state() {
    mkdir -p "$state/log" "$state/run" 2>/dev/null && [ -w "$state" ] && [ -w "$state/log" ] && [ -w "$state/run" ] && return
    local owner
    # shellcheck disable=SC2012
    owner=$(ls -ld "$state" 2>/dev/null | awk '{ print $3 }')
    fail "cannot write to $state: ${owner:+it belongs to $owner, so run this as $owner, or }choose another folder with BERTH_STATE_DIR"
}

# Two runs on the same state would undo each other's work: the second waits. Descriptor 9 holds the lock, so
# whatever outlives the script must be started with 9>&-. Without flock (macOS) there is no lock.
take_lock() {
    command -v flock >/dev/null 2>&1 || return 0
    exec 9>"$state/lock"
    flock -n 9 && return 0
    say "another deploy/up or deploy/down works on $state: waiting for it"
    flock -w 600 9 || fail "gave up waiting for the other run on $state"
}

need_java() {
    # A release has nothing to compile.
    [ ! -d "$root/app" ] || jdk_tool=java
    . "$root/.mvn/find-jdk"
    java_home=$(find_jdk) || exit 1
}
