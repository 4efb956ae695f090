# Sourced by scripts of deploy/test that have Maven run tests by their names.
# shellcheck shell=bash

# with_tests REPORTS COMMAND...: the command; fails also when it has left no report there of a test that ran, as Maven
# passes when there is no test of that name.
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
