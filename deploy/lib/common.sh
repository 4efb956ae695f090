# Sourced by the scripts of deploy/ (bash 3.2 or newer): paths, messages, and the lock of a deployment.
# shellcheck shell=bash

set -euo pipefail

root=$(CDPATH='' cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
. "$root/deploy/lib/signals.sh"
# The state folder: everything that a deployment stores (pid files, logs, copies of programs, embedded PostgreSQL).
state=${BERTH_STATE_DIR:-$root/.berth}
case $state in /*) ;; *) state=$PWD/$state ;; esac
# Variables for the scripts only. A service would refuse them as unknown configuration keys. The last one is a key of
# the services, but two services on one machine cannot have the same management port.
script_variables='BERTH_STATE_DIR BERTH_JAVA_OPTS BERTH_JDK_MIN BERTH_MAVEN_CACHE BERTH_SHARED BERTH_URL
    BERTH_BENCH_DATABASE_URL BERTH_CONTAINER_ENGINE BERTH_BASE_CACHE BERTH_BASE_SUITE BERTH_BASE_MIRROR BERTH_TEST_PORT
    BERTH_FROM_TOKEN BERTH_TO_TOKEN BERTH_FROM_DATABASE BERTH_TO_DATABASE BERTH_COMMAND_JAVA_OPTS
    BERTH_DATABASE_PASSWORD BERTH_POSTGRES_IMAGE BERTH_PROXY_IMAGE BERTH_PLACEMENT_IMAGE BERTH_SCHEDULER_IMAGE
    BERTH_PROMETHEUS_IMAGE BERTH_GRAFANA_IMAGE BERTH_PLACEMENT_PORT BERTH_SCHEDULER_PORT BERTH_PROMETHEUS_PORT BERTH_GRAFANA_PORT
    BERTH_MANAGEMENT_PORT'
me=deploy/$(basename "$0")
# On Linux, Java uses UTF-8 for file names only with a UTF-8 locale. macOS has no C.UTF-8 and does not need it.
[ "$(uname)" != Linux ] || export LC_ALL=C.UTF-8

say() { printf '%s\n' "$*"; }

# fail LINE: prints one line with advice on stderr, and exits with 1, which runs the caller's EXIT trap.
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

# take_lock: waits until no other script works on the same state folder. Descriptor 9 holds the lock, so every process
# that outlives the script must be started with 9>&-. Without flock (macOS) there is no lock.
take_lock() {
    command -v flock >/dev/null 2>&1 || return 0
    exec 9>"$state/lock"
    flock -n 9 && return 0
    say "another deploy/up or deploy/down works on $state: waiting for it"
    flock -w 600 9 || fail "gave up waiting for the other run on $state"
}

need_java() {
    # A release is not compiled: a Java runtime is enough.
    [ ! -d "$root/app" ] || jdk_tool=java
    . "$root/.mvn/find-jdk"
    java_home=$(find_jdk) || exit 1
}
