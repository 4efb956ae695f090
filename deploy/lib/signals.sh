# Sourced by common.sh, and by arguments.sh of deploy/laboratory/lib.
# shellcheck shell=bash

# exit_on_signals: from now on, SIGINT, SIGTERM and SIGHUP end the script with the usual status, after its EXIT trap.
# If a signal arrives during the first of two command substitutions in one command, bash 5.2 reads the trap as if it
# were in the second one, and fails with 2 (unexpected EOF) if there is no parenthesis. In all other cases the script
# has ended before bash reads the parenthesis.
exit_on_signals() {
    trap $'exit 130\n)' INT
    trap $'exit 143\n)' TERM HUP
}
