# Sourced by scripts of deploy/test that run tests by their names with Maven.
# shellcheck shell=bash

# with_tests REPORTS COMMAND...: runs the command. Also fails if the folder REPORTS has no report of a test that ran,
# because Maven succeeds if no test has the given name.
with_tests() {
    local reports=$1
    shift
    rm -rf "$reports"
    "$@" || return
    [ "$(cat "$reports"/TEST-*.xml 2>/dev/null | grep -c '<testcase ')" -gt \
        "$(cat "$reports"/TEST-*.xml 2>/dev/null | grep -c '<skipped')" ] && return 0
    printf '%s: FAILED, no test ran: there is none of that name, or all were skipped\n' "deploy/test/$(basename "$0")" >&2
    return 1
}
