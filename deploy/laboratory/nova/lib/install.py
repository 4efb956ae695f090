"""Debian's packages, without their services."""
import os
import pathlib
import subprocess

import state

# The code of nova and Keystone, not their services: no accounts, debconf questions or units come with it.
PACKAGES = ('python3-nova python3-keystone gunicorn rabbitmq-server postgresql mariadb-server-core '
            'mariadb-client-core python3-psycopg2 python3-pymysql python3-openstackclient python3-osc-placement').split()
POLICY = pathlib.Path('/usr/sbin/policy-rc.d')


def missing(packages=PACKAGES):
    asked = subprocess.run(['dpkg-query', '-W', '-f', '${Package} ${db:Status-Status}\n', *packages],
                           capture_output=True, text=True).stdout
    there = {line.split()[0] for line in asked.splitlines() if line.endswith(' installed')}
    return [package for package in packages if package not in there]


def run(packages):
    try:
        wanted = missing(packages or PACKAGES)
    except FileNotFoundError:
        raise state.Trouble('install needs Debian')
    if not wanted:
        print('all packages are installed')
        return 0
    if os.geteuid():
        raise state.Trouble('install needs root; missing: %s' % ' '.join(wanted))
    print('installing', ' '.join(wanted), flush=True)
    with NoServices():
        environment = {**os.environ, 'DEBIAN_FRONTEND': 'noninteractive'}
        install = ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', *wanted]
        for command in (install, ['apt-get', 'update', '-qq'], install):
            done = subprocess.run(command, env=environment).returncode
            if command == install and not done:
                break
        else:
            raise state.Trouble('apt-get cannot install %s' % ' '.join(wanted))
    print('installed')
    return 0


class NoServices:
    """While inside, no package starts a service: a policy-rc.d that forbids it, unless there is one that does."""

    def __enter__(self):
        self.old = POLICY.with_name('policy-rc.d.before-berth-nova')
        self.mine = not (POLICY.exists() and subprocess.run([POLICY, 'rabbitmq-server', 'start']).returncode == 101)
        if self.mine:
            if POLICY.exists():
                POLICY.rename(self.old)
            POLICY.write_text('#!/bin/sh\nexit 101\n')
            POLICY.chmod(0o755)

    def __exit__(self, *trouble):
        if self.mine:
            POLICY.unlink()
            if self.old.exists():
                self.old.rename(POLICY)
