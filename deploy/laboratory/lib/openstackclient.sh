# Sourced by scripts of deploy/test: Debian's OpenStack client with the plugin deploy/openstackclient.
# shellcheck shell=bash

openstackclient_packages='python3-openstackclient python3-osc-placement python3-pip python3-setuptools python3-wheel'
# That of the client: another one on the PATH does not have its modules.
python=/usr/bin/python3

# openstackclient_missing: what of it, and of what installs its plugin, is not on this machine; nothing if all is there.
openstackclient_missing() {
    "$python" - <<'PYTHON'
import importlib.util
for module in ('openstackclient', 'osc_placement', 'pip', 'setuptools', 'wheel'):
    if not importlib.util.find_spec(module):
        print('', module, end='')
PYTHON
}

# install_plugin DIRECTORY: there, from a copy of its sources, where no build leaves its files; then the client finds it.
install_plugin() {
    local sources
    sources=$(mktemp -d "${TMPDIR:-/tmp}/berth-plugin.XXXXXX") || return 1
    # Without an earlier build in the sources, whose copies would be as new as the sources.
    cp -R "$root/deploy/openstackclient/." "$sources/" && rm -rf "$sources/build" &&
        "$python" -m pip install --quiet --no-index --no-deps --no-build-isolation --root-user-action ignore \
            --target "$1" "$sources"
    local status=$?
    rm -rf "$sources"
    export PYTHONPATH=$1 PYTHONDONTWRITEBYTECODE=1
    return $status
}
