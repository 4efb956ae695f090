# Sourced by deploy/test/keystone: runs a Keystone on SQLite, from the distribution's packages.
# shellcheck shell=bash

keystone_packages='keystone gunicorn python3-openstackclient python3-osc-placement curl'
keystone_password=berth-$RANDOM$RANDOM$RANDOM

# Prints the needed commands that are not installed.
keystone_missing() {
    local command missing=''
    for command in keystone-manage gunicorn openstack curl; do
        command -v "$command" >/dev/null 2>&1 || missing="$missing $command"
    done
    printf '%s\n' "$missing"
}

# keystone_install SECONDS: downloads the packages within the time and installs them, without output. True if nothing is
# missing afterwards.
keystone_install() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 || return 1
    # shellcheck disable=SC2086
    timeout "$1" apt-get -qq install -y --no-install-recommends --download-only $keystone_packages \
        >/dev/null 2>&1 || return 1
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $keystone_packages >/dev/null 2>&1 ||
        return 1
    [ -z "$(keystone_missing)" ]
}

# keystone_prepare FOLDER PORT: creates a database, keys and an admin. Turns off the token cache, so that a revocation
# takes effect at once.
keystone_prepare() {
    local folder=$1 url=http://127.0.0.1:$2/v3 user
    user=$(id -un)
    mkdir -p "$folder"
    cat >"$folder/keystone.conf" <<CONF
[DEFAULT]
log_file = $folder/keystone.log
[database]
connection = sqlite:///$folder/keystone.db
[cache]
enabled = false
[token]
provider = fernet
[fernet_tokens]
key_repository = $folder/fernet-keys
[fernet_receipts]
key_repository = $folder/fernet-keys
[credential]
key_repository = $folder/credential-keys
CONF
    # Hides gunicorn's arguments from Keystone, which would parse them.
    cat >"$folder/keystone_app.py" <<'PYTHON'
import sys
sys.argv = ['keystone']
from keystone.server.wsgi import initialize_public_application
application = initialize_public_application()
PYTHON
    keystone-manage --config-file "$folder/keystone.conf" db_sync
    # Keystone keeps a read open on one connection while it commits on another, which SQLite allows only with a WAL.
    python3 -c 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute("PRAGMA journal_mode=WAL")' \
        "$folder/keystone.db"
    keystone-manage --config-file "$folder/keystone.conf" fernet_setup \
        --keystone-user "$user" --keystone-group "$(id -gn)"
    keystone-manage --config-file "$folder/keystone.conf" bootstrap --bootstrap-password "$keystone_password" \
        --bootstrap-region-id RegionOne --bootstrap-public-url "$url"
}

# keystone_start FOLDER PORT: starts Keystone, and writes its pid to FOLDER/pid. Does not wait. Uses one worker, because
# two would block each other in SQLite.
keystone_start() {
    OS_KEYSTONE_CONFIG_FILES=$1/keystone.conf gunicorn --chdir "$1" --bind "127.0.0.1:$2" --workers 1 --timeout 120 \
        --log-file "$1/gunicorn.log" keystone_app:application >/dev/null 2>&1 &
    echo $! >"$1/pid"
}

keystone_stop() {
    [ -s "$1/pid" ] || return 0
    local pid
    pid=$(<"$1/pid")
    rm "$1/pid"
    kill "$pid" 2>/dev/null || return 0
    for _ in $(seq 100); do
        kill -0 "$pid" 2>/dev/null || return 0
        sleep 0.1
    done
    kill -9 "$pid" 2>/dev/null || true
}
