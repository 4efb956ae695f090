# Sourced by the scripts of deploy/test, which set $root: reads their arguments. The comment at the head of a script is
# its help. Sources signals.sh of deploy/lib, because every script of deploy/test sources this file.
# shellcheck shell=bash

. "$root/deploy/lib/signals.sh"

# tell_help: prints the comment at the head of the script, and exits.
tell_help() {
    sed -n '2,/^[^#]/ { s/^# \{0,1\}//p; }' "$0"
    exit 0
}

# refuse_argument WORD: prints one line with advice on stderr, and exits with 2.
refuse_argument() {
    printf '%s: unknown argument %s (try --help)\n' "deploy/test/$(basename "$0")" "$1" >&2
    exit 2
}

# value_of OPTION [VALUE]: prints the value. If there is none, prints an error and returns 2; call it with || exit 2.
value_of() {
    [ $# -ge 2 ] && printf '%s\n' "$2" && return 0
    printf '%s: %s needs a value (try --help)\n' "deploy/test/$(basename "$0")" "$1" >&2
    return 2
}

# take_no_arguments [WORD...]: accepts --help, and refuses every other argument.
take_no_arguments() {
    case ${1:-} in
        '') ;;
        --help | -h) tell_help ;;
        *) refuse_argument "$1" ;;
    esac
}
