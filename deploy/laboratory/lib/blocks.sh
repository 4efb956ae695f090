# Sourced by scripts of deploy/test: runs the commands of a document and compares their output. The sourcing script
# defines to_ours, which replaces a document's ports and paths by those of the test, and to_theirs, which replaces them
# back.
# shellcheck shell=bash

# blocks FILE DIRECTORY: writes each command block of a document to N.bash, its line number to N.line and, if an
# expected output follows, that to N.text or N.json.
blocks() {
    awk -v out="$2" '
        /^```/ && !inside { inside = 1; kind = substr($0, 4); at = NR
            if (kind == "bash") { n++; file = out "/" n ".bash"; print NR >(out "/" n ".line"); last = "bash"; printf "" >file }
            else if ((kind == "text" || kind == "json") && last == "bash") { file = out "/" n "." kind; last = kind; printf "" >file }
            else if (kind == "text") { file = out "/excerpt"; last = kind }
            else { file = ""; last = kind }
            next }
        /^```/ { inside = 0; file = ""; next }
        inside && file { print >file }' "$1"
}

# matches EXPECTED ACTUAL: true if the texts are equal; … in the expected text stands for anything.
matches() {
    local expected=$1 rest=$2 part first=yes
    while [[ $expected = *…* ]]; do
        part=${expected%%…*} expected=${expected#*…}
        if [ $first = yes ]; then
            [[ $rest = "$part"* ]] || return 1
            rest=${rest#"$part"} first=no
        else
            [[ $rest = *"$part"* ]] || return 1
            rest=${rest#*"$part"}
        fi
    done
    if [ $first = yes ]; then [ "$rest" = "$expected" ]; else [[ $rest = *"$expected" ]]; fi
}

# append_blocks DIRECTORY: adds the blocks to DIRECTORY/script, which writes the output of each to N.said and its exit
# status to N.status.
append_blocks() {
    local n
    for ((n = 1; ; n++)); do
        [ -e "$1/$n.bash" ] || break
        printf '{\n%s\n} >%q 2>&1 </dev/null\necho $? >%q\n' "$(to_ours <"$1/$n.bash")" \
            "$1/$n.said" "$1/$n.status" >>"$1/script"
    done
}

# compare_block DIRECTORY N DOCUMENT: compares the output of block N, prints a line and counts it. If they differ,
# prints the command and its output.
compare_block() {
    local line status kind='' said='' expected=''
    line=$(<"$1/$2.line")
    status=$(cat "$1/$2.status" 2>/dev/null)
    [ ! -e "$1/$2.text" ] || kind=text
    [ ! -e "$1/$2.json" ] || kind=json
    case $kind in
        json) said=$(to_theirs <"$1/$2.said" | tr -d ' \n') expected=$(tr -d ' \n' <"$1/$2.json") ;;
        text)
            said=$(to_theirs <"$1/$2.said" | sed 's/[[:blank:]]*$//')
            expected=$(sed 's/[[:blank:]]*$//' "$1/$2.text")
            ;;
    esac
    if [ "$status" = 0 ] && { [ -z "$kind" ] || matches "$expected" "$said"; }; then
        passed=$((passed + 1))
        printf 'ok    %s:%s\n' "$3" "$line"
    else
        failed=$((failed + 1))
        printf 'FAIL  %s:%s (exit status %s)\n' "$3" "$line" "$status"
        sed 's/^/    $ /' "$1/$2.bash"
        to_theirs <"$1/$2.said" | sed 's/^/    /'
    fi
}
