# Sourced by scripts of deploy/test that have a folder $work: counts tests, each a sentence and a command that proves
# it.
# shellcheck shell=bash

passed=0 failed=0

# check SENTENCE COMMAND...: runs one test. The command's output goes to $work/said, and is printed if the test fails.
# The command `says` searches the output of the previous one.
check() {
    local sentence=$1 said=$work/said.new good
    shift
    if "$@" >"$said" 2>&1; then good=yes; else good=no; fi
    [ "$1" = says ] || mv "$said" "$work/said"
    if [ $good = yes ]; then
        passed=$((passed + 1))
        printf 'ok    %s\n' "$sentence"
    else
        failed=$((failed + 1))
        printf 'FAIL  %s\n' "$sentence"
        tail -n 20 "$work/said" | cut -c 1-400 | sed 's/^/        /'
    fi
}

# fails_with STATUS COMMAND...: true if the command ends with that exit status.
fails_with() {
    local expected=$1
    shift
    "$@"
    [ $? = "$expected" ]
}

# within SECONDS COMMAND...: repeats the command until it succeeds; false after SECONDS.
within() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.2
    done
}

finish() {
    printf '%s passed, %s failed\n' "$passed" "$failed"
    [ "$failed" = 0 ]
}
