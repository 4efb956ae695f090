"""What is started, in which order and how."""
import os
import pathlib
import shutil
import signal
import socket
import sys
import time

import cloud
import config
import environment
import install
import processes
import state

PROGRAMS = pathlib.Path(__file__).resolve().parent.parent / 'programs'
PYTHON = '/usr/bin/python3'
DATABASES = ('keystone', 'nova_api', 'nova_cell0', 'nova_cell1')
FLAVORS = (('1', 'small', 1, 1024, 10), ('2', 'medium', 2, 2048, 20), ('3', 'too-big', 64, 1024, 10),
           ('4', 'slim', 1, 1024, 20))


def say(*words):
    print(time.strftime('%H:%M:%S'), *words, file=sys.stderr, flush=True)


def start(options):
    if os.geteuid():
        raise state.Trouble('start needs root: the databases and RabbitMQ run under their own accounts')
    if install.missing():
        raise state.Trouble('packages are missing (%s): deploy/laboratory/nova/trial install' % ' '.join(install.missing()))
    if not state.exists():
        if not (options.placement_url or options.before_placement):
            raise state.Trouble('--placement-url is needed')
        state.create(options.database or 'postgresql', options.computes or 8)
    known = state.load()
    for name, choice in (('database', options.database), ('computes', options.computes)):
        if choice not in (None, known[name]):
            raise state.Trouble('this trial was started with %s %s; stop it first' % (name, known[name]))
    if options.without_scheduler:
        state.update(scheduler=False)
    if options.placement_url:
        state.update(placement=options.placement_url.rstrip('/'))
    config.write_all()
    for name in ('epmd', 'rabbitmq', 'database', 'keystone', 'stand-ins'):
        start_process(name)
    state.once('catalogue', fill_keystone)
    state.once('nova databases', prepare_nova)
    if options.before_placement:
        return
    if not state.load()['placement']:
        raise state.Trouble('--placement-url is needed')
    set_placement()
    wait_for_placement(options.wait)
    for name in nova_processes():
        start_process(name)
    finish(options.wait)


def nova_processes():
    known = state.load()
    return (['nova-conductor', 'nova-api'] + (['nova-scheduler'] if known['scheduler'] else []) +
            ['cmp%d' % number for number in range(1, known['computes'] + 1)])


def stop_nova():
    """Stops the clients of placement, to move it to another service; start goes on with the new one."""
    for name in nova_processes():
        processes.stop(name)


def start_process(name):
    """Starts one by its name, unless it runs, and waits where others need it."""
    if processes.alive(name):
        return
    known = state.load()
    say('starting', name)
    if name in ('epmd', 'rabbitmq', 'keystone', 'stand-ins'):
        {'epmd': start_epmd, 'rabbitmq': start_rabbitmq, 'keystone': start_keystone, 'stand-ins': start_stand_ins}[name]()
    elif name == 'database':
        {'postgresql': start_postgresql, 'mariadb': start_mariadb}[known['database']]()
    elif name.startswith('cmp') and name in nova_processes():
        config.write(name + '.conf', config.COMPUTE, host=name)
        state.path('lib', name, 'locks').mkdir(parents=True, exist_ok=True)
        run_nova(name, 'compute', '--config-file', state.path('etc', name + '.conf'))
    elif name in ('nova-api', 'nova-conductor', 'nova-scheduler'):
        run_nova(name, name.removeprefix('nova-'))
        if name == 'nova-api':
            processes.wait(name, lambda: listens(known['ports']['nova']), 300, 'listening')
    else:
        raise state.Trouble('there is no process %s' % name)


def run_nova(name, service, *more):
    processes.start(name, [PYTHON, PROGRAMS / 'nova_process.py', service, '--config-file', state.path('etc', 'nova.conf'),
                           *more, '--log-file', state.path('log', name + '.log')])


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(('127.0.0.1', port)) == 0


# Databases

def start_postgresql():
    home = state.path('lib', 'postgresql')
    binaries = sorted(pathlib.Path('/usr/lib/postgresql').glob('*/bin'), key=lambda at: int(at.parent.name))[-1]
    port = state.load()['ports']['database']
    if not home.exists():
        home.mkdir()
        shutil.chown(home, 'postgres', 'postgres')
        home.with_name('postgresql-password').write_text(state.PASSWORD)
        shutil.chown(home.with_name('postgresql-password'), 'postgres')
        processes.run('initdb', [binaries / 'initdb', '-D', home / 'data', '-U', 'nova', '-E', 'UTF8', '--no-sync', '-A',
                                 'scram-sha-256', '--pwfile', home.with_name('postgresql-password')],
                      user='postgres', cwd=home)
    processes.start('database', [binaries / 'postgres', '-D', home / 'data', '-p', port, '-h', '127.0.0.1', '-k', '',
                                 '-c', 'max_connections=400', '-c', 'fsync=off', '-c', 'shared_buffers=128MB'],
                    user='postgres', cwd=home)
    processes.wait('database', lambda: listens(port), 120, 'listening')

    def create():
        for name in DATABASES:
            processes.run('psql', [binaries / 'psql', '-h', '127.0.0.1', '-p', port, '-U', 'nova', '-d', 'postgres', '-c',
                                   'CREATE DATABASE ' + name], environment={'PGPASSWORD': state.PASSWORD})
    state.once('databases', create)


def start_mariadb():
    home = state.path('lib', 'mariadb')
    port = state.load()['ports']['database']
    if not home.exists():
        home.mkdir()
        processes.run('mariadb-install-db', [
            'mariadb-install-db', '--no-defaults', '--user=root', '--datadir=%s' % (home / 'data'), '--skip-test-db',
            '--auth-root-authentication-method=normal'])
    processes.start('database', [
        'mariadbd', '--no-defaults', '--user=root', '--datadir=%s' % (home / 'data'), '--port=%d' % port,
        '--bind-address=127.0.0.1', '--socket=%s' % (home / 'socket'), '--pid-file=%s' % (home / 'pid'),
        '--max-connections=400', '--innodb-flush-log-at-trx-commit=0', '--skip-name-resolve'])
    processes.wait('database', lambda: listens(port), 120, 'listening')

    def create():
        commands = ["CREATE USER nova@'127.0.0.1' IDENTIFIED BY '%s'" % state.PASSWORD]
        for name in DATABASES:
            commands += ['CREATE DATABASE %s CHARACTER SET utf8' % name, "GRANT ALL ON %s.* TO nova@'127.0.0.1'" % name]
        processes.run('mariadb', ['mariadb', '--no-defaults', '-u', 'root', '--socket=%s' % (home / 'socket'), '-e',
                                  '; '.join(commands)])
    state.once('databases', create)


# RabbitMQ

def start_epmd():
    """Erlang's name service: without one of ours RabbitMQ would leave its own behind."""
    port = state.load()['ports']['epmd']
    processes.start('epmd', ['epmd', '-address', '127.0.0.1', '-port', port], user='rabbitmq', cwd='/')
    processes.wait('epmd', lambda: listens(port), 60, 'listening')


def start_rabbitmq():
    ports, home = state.load()['ports'], state.path('lib', 'rabbitmq')
    if not home.exists():
        home.mkdir()
        shutil.chown(home, 'rabbitmq', 'rabbitmq')
    processes.start('rabbitmq', ['/usr/lib/rabbitmq/bin/rabbitmq-server'], user='rabbitmq', cwd=home, environment={
        'HOME': home, 'RABBITMQ_NODENAME': 'trial%d@localhost' % ports['rabbitmq'],
        'RABBITMQ_CONFIG_FILE': state.path('etc', 'rabbitmq'), 'RABBITMQ_MNESIA_BASE': home / 'mnesia',
        'RABBITMQ_LOG_BASE': home / 'log', 'RABBITMQ_ENABLED_PLUGINS_FILE': state.path('etc', 'enabled_plugins'),
        'RABBITMQ_CONF_ENV_FILE': state.path('etc', 'nothing'), 'RABBITMQ_PID_FILE': home / 'pid',
        'RABBITMQ_DIST_PORT': str(ports['rabbitmq-dist']), 'ERL_EPMD_PORT': str(ports['epmd']),
        'ERL_EPMD_ADDRESS': '127.0.0.1',
        'RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS': '+S 2:2 -kernel inet_dist_use_interface {127,0,0,1}'})
    processes.wait('rabbitmq', lambda: listens(ports['rabbitmq']), 180, 'listening')


# Keystone

def start_keystone():
    port, file = state.load()['ports']['keystone'], state.path('etc', 'keystone.conf')

    def manage(*words):
        processes.run('keystone-manage', [PYTHON, '-c', 'import sys; from keystone.cmd.manage import main; main()',
                                          '--config-file', file, *words])

    def prepare():
        say('preparing Keystone')
        manage('db_sync')
        manage('fernet_setup', '--keystone-user', 'root', '--keystone-group', 'root')
        # keystonemiddleware looks for the internal one.
        manage('bootstrap', '--bootstrap-password', state.PASSWORD, '--bootstrap-region-id', 'RegionOne',
               '--bootstrap-public-url', environment.keystone() + '/v3',
               '--bootstrap-internal-url', environment.keystone() + '/v3')
    state.once('keystone database', prepare)
    processes.start('keystone', [PYTHON, '-m', 'gunicorn', '--chdir', PROGRAMS, '--bind', '127.0.0.1:%d' % port,
                                 '--workers', '3', '--timeout', '300', 'keystone_application:application'],
                    environment={'OS_KEYSTONE_CONFIG_FILES': str(file)})
    processes.wait('keystone', lambda: listens(port), 180, 'listening')
    limit = time.monotonic() + 180
    while True:
        try:
            if cloud.http('GET', environment.keystone() + '/v3')[0] == 200:
                return
        except cloud.Refused:
            pass
        if time.monotonic() > limit:
            raise state.Trouble('Keystone does not answer: see %s' % state.path('log'))
        time.sleep(1)


def fill_keystone():
    say('filling Keystone')
    admin = cloud.Cloud()

    def make(kind, plural, **members):
        return admin.demand('keystone', 'POST', '/' + plural, {kind: members})[kind]['id']

    roles = {role['name']: role['id'] for role in admin.get('keystone', '/roles')['roles']}
    if 'service' not in roles:
        roles['service'] = make('role', 'roles', name='service')
    project = make('project', 'projects', name='service', domain_id='default')
    for user, given in (('nova', ('admin', 'service')), ('berth', ('service',)), ('placement', ('admin', 'service'))):
        user = make('user', 'users', name=user, password=state.PASSWORD, domain_id='default')
        for role in given:
            admin.demand('keystone', 'PUT', '/projects/%s/users/%s/roles/%s' % (project, user, roles[role]))
    for name, kind, url in (('nova', 'compute', admin.bases['nova']), ('glance', 'image', admin.bases['glance']),
                            ('neutron', 'network', 'http://127.0.0.1:%d' % state.load()['ports']['neutron'])):
        service = make('service', 'services', name=name, type=kind)
        make('endpoint', 'endpoints', service_id=service, interface='public', url=url, region_id='RegionOne')


def set_placement():
    """Set the endpoint of placement in the catalog to the last one that was given."""
    admin, url = cloud.Cloud(), state.load()['placement']
    services = admin.get('keystone', '/services?type=placement')['services']
    if not services:
        services = [admin.demand('keystone', 'POST', '/services', {
            'service': {'name': 'placement', 'type': 'placement'}})['service']]
    endpoints = admin.get('keystone', '/endpoints?service_id=' + services[0]['id'])['endpoints']
    wanted = {'endpoint': {'service_id': services[0]['id'], 'interface': 'public', 'url': url, 'region_id': 'RegionOne'}}
    if not endpoints:
        admin.demand('keystone', 'POST', '/endpoints', wanted)
    elif endpoints[0]['url'] != url:
        admin.demand('keystone', 'PATCH', '/endpoints/' + endpoints[0]['id'], wanted)


def wait_for_placement(seconds):
    url, told, limit = state.load()['placement'], False, time.monotonic() + seconds
    while True:
        try:
            if cloud.Cloud().ask('placement', 'GET', '/resource_providers')[0] == 200:
                return
        except cloud.Refused:
            pass
        if not told:
            say('waiting for a placement at %s that takes the tokens of this Keystone; trial env tells it how' % url)
            told = True
        if time.monotonic() > limit:
            raise state.Trouble('no placement at %s takes the tokens of this Keystone after %d seconds' % (url, seconds))
        time.sleep(3)


def start_stand_ins():
    ports = state.load()['ports']
    processes.start('stand-ins', [PYTHON, PROGRAMS / 'stand_ins.py', ports['glance'], ports['neutron']])
    processes.wait('stand-ins', lambda: listens(ports['glance']) and listens(ports['neutron']), 60, 'listening')


# nova

def manage_command(*words):
    return [PYTHON, PROGRAMS / 'nova_process.py', 'manage', '--config-file', state.path('etc', 'nova.conf'),
            '--log-file', state.path('log', 'nova-manage.log'), *words]


def manage(*words):
    """nova-manage in the place of this process."""
    command = [str(word) for word in manage_command(*words)]
    os.execve(command[0], command, {**os.environ, 'PYTHONDONTWRITEBYTECODE': '1'})


def decisions(rounds, made_up, schedulers):
    """In the place of this process."""
    command = [PYTHON, str(PROGRAMS / 'decisions.py'), str(state.path('etc', 'nova.conf')), str(rounds), str(made_up),
               *schedulers]
    os.execve(command[0], command, {**os.environ, 'PYTHONDONTWRITEBYTECODE': '1'})


def prepare_nova():
    say('preparing the databases of nova')
    state.path('lib', 'locks').mkdir(exist_ok=True)
    for words in (('api_db', 'sync'),
                  ('cell_v2', 'map_cell0', '--database_connection', environment.alchemy('nova_cell0')),
                  ('db', 'sync')):
        processes.run('nova-manage', manage_command(*words))
    # 2: there is such a cell, from a start that was cut short.
    processes.run('nova-manage', manage_command('cell_v2', 'create_cell', '--name', 'cell1', '--verbose'), allowed=(0, 2))


def finish(seconds):
    """Waits until nova is whole: computes up, mapped to their cell, and known to placement."""
    admin, limit = cloud.Cloud(), time.monotonic() + seconds
    wanted = {name for name in nova_processes() if name.startswith('cmp')}

    def until(what, ready):
        say('waiting until', what)
        while True:
            for name in nova_processes():
                if not processes.alive(name):
                    raise state.Trouble('%s ended: see %s' % (name, state.path('log', name + '.out')))
            try:
                if ready():
                    return
            except cloud.Refused as refused:
                trouble = str(refused)
            else:
                trouble = ''
            if time.monotonic() > limit:
                raise state.Trouble('not after %d seconds: %s; %s see %s' % (seconds, what, trouble, state.path('log')))
            time.sleep(2)

    def flavors():
        there = {flavor['id'] for flavor in admin.get('nova', '/flavors')['flavors']}
        for key, name, vcpus, ram, disk in FLAVORS:
            if key not in there:
                admin.demand('nova', 'POST', '/flavors', {'flavor': {
                    'id': key, 'name': name, 'vcpus': vcpus, 'ram': ram, 'disk': disk}})
        return True

    until('nova-api takes flavors', flavors)
    until('the computes are up', lambda: wanted <= {
        host for host, one in admin.computes().items() if one['state'] == 'up'})
    until('placement knows them', lambda: wanted <= set(admin.providers().values()))
    until('they have inventories', lambda: all(
        admin.get('placement', '/resource_providers/%s/inventories' % uuid)['inventories']
        for uuid, name in admin.providers().items() if name in wanted))
    processes.run('nova-manage', manage_command('cell_v2', 'discover_hosts', '--verbose'))
    say('nova is up')


def stop():
    if not state.exists():
        print('nothing is started in %s' % state.folder())
        return 0
    names = list(state.load()['processes'])
    last = [name for name in ('stand-ins', 'keystone', 'database', 'rabbitmq', 'epmd') if name in names]
    # nova's processes are all asked at once, then waited for one by one.
    for name in names:
        if name not in last and processes.alive(name):
            os.kill(state.load()['processes'][name]['pid'], signal.SIGTERM)
    for name in [name for name in names if name not in last] + last:
        say('stopping', name)
        processes.stop(name, signal.SIGINT if name == 'database' and state.load()['database'] == 'postgresql'
                       else signal.SIGTERM)
    state.delete()
    return 0
