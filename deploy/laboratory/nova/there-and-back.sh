# Sourced by deploy/test/nova: migrates a nova from OpenStack's Placement to Berth, and back to an empty one.
# shellcheck shell=bash
# shellcheck disable=SC2154

# openstack PORT COMMAND [OPTION...]: runs a command of an OpenStack Placement that accepts the tokens of any Keystone.
openstack() { BERTH_ORACLE_DIR=$work/openstack-$1 "$oracle" "$2" --port "$1" "${@:3}"; }
unset BERTH_FROM_TOKEN BERTH_TO_TOKEN BERTH_FROM_DATABASE BERTH_TO_DATABASE BERTH_ORACLE_SOURCE
berth_url=$served
reference=$(next_free_port "${BERTH_TEST_PORT:-9550}" "$placement" "$scheduler")
fresh=$(next_free_port "${BERTH_TEST_PORT:-9550}" "$placement" "$scheduler" "$reference")
stop_openstack() {
    local port
    for port in "$reference" "$fresh"; do openstack "$port" stop >/dev/null 2>&1; done
}

# moved COMMAND OPTION...: runs an import or export while nova is stopped; true if it ends with "same".
moved() {
    "$trial" process nova stop && XDG_STATE_HOME=$work "$root/deploy/berth" "$@" | tee "$work/moved"
    grep -E '^(plan|same|not the same|all of)' "$work/moved" >&3
    tail -n 1 "$work/moved" | grep -q '^same: '
}

# Runs one step: prints a line, and the whole output if it fails.
sentence() {
    local sentence=$1
    shift
    if "$@" >"$work/said" 2>&1 3>"$work/shown"; then
        printf 'ok %s\n' "$sentence"
        cat "$work/shown"
    else
        printf 'FAILED %s: %s\n' "$sentence" "$(tail -n 1 "$work/said")"
        return 1
    fi
}

# there_and_back [SCENARIO...]
there_and_back() {
    local chosen=("$@")
    [ $# -gt 0 ] || chosen=(boot resize-confirm cold-migrate live-migrate)
    "$trial" residents create && "$trial" audit &&
        sentence "nova's Placement is imported into Berth" moved import --from "http://127.0.0.1:$reference" \
            --from-token admin --to "$berth_url" &&
        sentence "OpenStack's Placement is stopped" openstack "$reference" stop &&
        sentence 'nova runs on Berth' "$trial" start --placement-url "$berth_url" &&
        "$trial" audit && "$trial" residents check change && "$trial" scenario "${chosen[@]}" && "$trial" audit &&
        sentence "a fresh Placement of OpenStack's runs" openstack "$fresh" start --profile open &&
        sentence 'Berth is exported into it' moved export --from "$berth_url" \
            --to "http://127.0.0.1:$fresh" --to-token admin &&
        sentence 'Berth is stopped' "$root/deploy/down" &&
        sentence 'nova runs on the fresh Placement' "$trial" start --placement-url "http://127.0.0.1:$fresh" &&
        "$trial" audit && "$trial" residents check && "$trial" scenario "${chosen[@]}" && "$trial" residents finish
}

step "OpenStack's own Placement" openstack "$reference" start --profile open
served=http://127.0.0.1:$reference
