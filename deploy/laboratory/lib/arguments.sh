# Sourced by the scripts of deploy/test: what they take is told by the comment at their head.
# shellcheck shell=bash

# tell_help: that comment, and the end.
tell_help() {
    sed -n '2,/^[^#]/ { s/^# \{0,1\}//p; }' "$0"
    exit 0
}

# refuse_argument WORD: one line with advice, and the end.
refuse_argument() {
    printf '%s: unknown argument %s (try --help)\n' "deploy/test/$(basename "$0")" "$1" >&2
    exit 2
}

# value_of OPTION [VALUE]: prints the value. Without one it reports that; the caller exits with || exit 2.
value_of() {
    [ $# -ge 2 ] && printf '%s\n' "$2" && return 0
    printf '%s: %s needs a value (try --help)\n' "deploy/test/$(basename "$0")" "$1" >&2
    return 2
}

# take_no_arguments [WORD...]: none but --help.
take_no_arguments() {
    case ${1:-} in
        '') ;;
        --help | -h) tell_help ;;
        *) refuse_argument "$1" ;;
    esac
}
