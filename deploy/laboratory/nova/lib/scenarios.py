"""What users of nova do, each with a look at placement's allocations."""
import collections
import datetime
import inspect
import queue
import subprocess
import threading
import time
import traceback

import audit
import cloud
import messages
import processes
import services
import state

SMALL = {'VCPU': 1, 'MEMORY_MB': 1024, 'DISK_GB': 10}
MEDIUM = {'VCPU': 2, 'MEMORY_MB': 2048, 'DISK_GB': 20}
SLIM = {'VCPU': 1, 'MEMORY_MB': 1024, 'DISK_GB': 20}


# What nova itself says of a server: texts of faults, and how they are counted.
FAULTS = {'Exhausted all hosts available for retrying build failures': 'computes did not reach placement',
          'ConnectFailure': 'computes did not reach placement',
          'MessageDeliveryFailure': 'RabbitMQ did not take a message'}


class Failed(Exception):
    """The scenario saw something else than it should."""


class Scenarios:
    """Every public method is a scenario; its first line describes it. Servers are deleted afterwards."""

    def __init__(self, bulk, meanwhile):
        self._cloud = cloud.Cloud()
        self._bulk = bulk
        self._meanwhile = meanwhile
        # When the commands of meanwhile ran.
        self._away = []
        self._undo = []

    # Tools

    def _check(self, right, what):
        if not right:
            raise Failed(what)

    def _eventually(self, what, found, wanted, seconds=30):
        """found() gives what is wanted, at the latest after so many seconds."""
        limit = time.monotonic() + seconds
        while (seen := found()) != wanted:
            if time.monotonic() > limit:
                raise Failed('%s: %s instead of %s' % (what, seen, wanted))
            time.sleep(1)

    def _holds(self, consumer, wanted, when, seconds=30):
        self._eventually('allocations ' + when, lambda: self._cloud.held(consumer), wanted, seconds)

    def _new(self, name, flavor='1', **more):
        """A server that is built, and its host."""
        server = self._cloud.create('trial-' + name, flavor, **more)
        self._later(lambda: self._cloud.delete(server))
        self._cloud.wait(server, 'ACTIVE')
        host = self._cloud.host(server)
        self._holds(server, {host: MEDIUM if flavor == '2' else SMALL}, 'after building')
        return server, host

    def _several(self, name, count, **more):
        servers = self._cloud.create('trial-' + name, count=count, **more)
        self._later(lambda: self._cloud.delete(*servers))
        return servers

    def _fails(self, servers):
        for server in servers:
            self._check(self._cloud.wait(server, 'ACTIVE', 'ERROR') == 'ERROR', 'a server was built that should not be')
            fault = (self._cloud.server(server).get('fault') or {}).get('message', '')
            self._check('No valid host' in fault, 'the fault is not that of no valid host: ' + fault)
            self._holds(server, {}, 'of a server without host')

    def _later(self, work):
        self._undo.append(work)

    def _group(self, name, policy):
        group = self._cloud.demand('nova', 'POST', '/os-server-groups', {
            'server_group': {'name': 'trial-' + name, 'policy': policy}})['server_group']['id']
        self._later(lambda: self._cloud.demand('nova', 'DELETE', '/os-server-groups/' + group))
        return {'group': group}

    def _aggregate(self, name, hosts, zone=None, metadata=None):
        """An aggregate with those hosts, in nova and in placement."""
        found = self._cloud.demand('nova', 'POST', '/os-aggregates', {
            'aggregate': {'name': 'trial-' + name, 'availability_zone': zone}})['aggregate']
        path = '/os-aggregates/%d' % found['id']
        self._later(lambda: self._cloud.demand('nova', 'DELETE', path))
        self._later(lambda: [self._eventually('aggregates of %s afterwards' % host, lambda: self._cloud.aggregates(host), [])
                             for host in hosts])
        for host in hosts:
            self._cloud.demand('nova', 'POST', path + '/action', {'add_host': {'host': host}})
            self._later(lambda host=host: self._cloud.demand('nova', 'POST', path + '/action', {'remove_host': {'host': host}}))
        if metadata:
            self._cloud.demand('nova', 'POST', path + '/action', {'set_metadata': {'metadata': metadata}})
        for host in hosts:
            self._eventually('aggregates of %s in placement' % host, lambda: self._cloud.aggregates(host), [found['uuid']])

    def _hosts(self, count):
        """Names of the last hosts that are up and enabled."""
        found = sorted(host for host, one in self._cloud.computes().items()
                       if one['state'] == 'up' and one['status'] == 'enabled')
        self._check(len(found) > count, 'more than %d computes are needed, %d are up' % (count, len(found)))
        return found[-count:]

    def _migration(self, server):
        """The newest migration of a server."""
        return max(self._cloud.migrations(server), key=lambda one: one['id'])

    def _resized(self, server, old, source, new, action, parameters=None):
        """Carries out a move that has to be confirmed; the target host and the migration."""
        self._cloud.act(server, action, parameters)
        self._cloud.wait(server, 'VERIFY_RESIZE')
        target, migration = self._cloud.host(server), self._migration(server)
        self._check(target != source, 'it stayed on %s' % source)
        self._holds(server, {target: new}, 'of the server before confirmation')
        self._holds(migration['uuid'], {source: old}, 'of the migration before confirmation')
        return target, migration['uuid']

    def _confirm(self, server, migration, held):
        self._cloud.act(server, 'confirmResize')
        self._cloud.wait(server, 'ACTIVE')
        self._holds(server, held, 'of the server after confirmation')
        self._holds(migration, {}, 'of the migration after confirmation')

    def _revert(self, server, migration, held):
        self._cloud.act(server, 'revertResize')
        self._cloud.wait(server, 'ACTIVE')
        self._holds(server, held, 'of the server after reverting')
        self._holds(migration, {}, 'of the migration after reverting')
        self._check(self._cloud.host(server) == next(iter(held)), 'it is not back on its host')

    # Scenarios

    def boot(self):
        """one server: built on a host that holds what its flavor says"""
        self._new('boot')

    def too_big(self):
        """a flavor larger than every host: ERROR with "No valid host", nothing held"""
        server = self._cloud.create('trial-too-big', '3')
        self._later(lambda: self._cloud.delete(server))
        self._fails([server])

    def multi_create(self):
        """five servers in one request"""
        for server in self._several('multi', 5):
            self._cloud.wait(server, 'ACTIVE')
            self._holds(server, {self._cloud.host(server): SMALL}, 'after building')

    def anti_affinity(self):
        """three servers of an anti-affinity group in one request: three hosts; more than there are hosts: none at all"""
        hints = self._group('anti', 'anti-affinity')
        servers = self._several('anti', 3, hints=hints)
        for server in servers:
            self._cloud.wait(server, 'ACTIVE')
            self._holds(server, {self._cloud.host(server): SMALL}, 'after building')
        hosts = {self._cloud.host(server) for server in servers}
        self._check(len(hosts) == 3, 'three members are on %s' % sorted(hosts))
        more = len(self._cloud.computes()) - 2
        self._fails(self._several('anti-too-many', more, hints=hints))

    def affinity(self):
        """three servers of an affinity group in one request, then one more: one host"""
        hints = self._group('affinity', 'affinity')
        servers = self._several('affinity', 3, hints=hints)
        for server in servers:
            self._cloud.wait(server, 'ACTIVE')
        servers.append(self._new('affinity', hints=hints)[0])
        hosts = {self._cloud.host(server) for server in servers}
        self._check(len(hosts) == 1, 'the members are on %s' % sorted(hosts))
        for server in servers:
            self._holds(server, {next(iter(hosts)): SMALL}, 'after building')

    def zone(self):
        """a server in an availability zone of two hosts: on one of them, and it says the zone"""
        hosts = self._hosts(2)
        self._aggregate('zone', hosts, zone='trial-zone')
        server, host = self._new('zone', availability_zone='trial-zone')
        self._check(host in hosts, 'it is on %s and not on %s' % (host, hosts))
        self._check(self._cloud.server(server)['OS-EXT-AZ:availability_zone'] == 'trial-zone', 'it says another zone')

    def aggregate(self):
        """an aggregate is seen in placement; a flavor that wants its metadata gets its host"""
        hosts = self._hosts(1)
        self._aggregate('aggregate', hosts, metadata={'trial_ssd': 'true'})
        self._cloud.demand('nova', 'POST', '/flavors', {'flavor': {
            'id': 'trial-ssd', 'name': 'trial-ssd', 'vcpus': 1, 'ram': 1024, 'disk': 10}})
        self._later(lambda: self._cloud.demand('nova', 'DELETE', '/flavors/trial-ssd'))
        self._cloud.demand('nova', 'POST', '/flavors/trial-ssd/os-extra_specs', {
            'extra_specs': {'aggregate_instance_extra_specs:trial_ssd': 'true'}})
        host = self._new('aggregate', 'trial-ssd')[1]
        self._check([host] == hosts, 'it is on %s and not on %s' % (host, hosts))

    def forced_host(self):
        """a server on a host that the admin names, by zone and by member"""
        wanted = self._hosts(1)[0]
        for members in ({'availability_zone': 'nova:' + wanted}, {'host': wanted}):
            host = self._new('forced', **members)[1]
            self._check(host == wanted, 'it is on %s and not on %s' % (host, wanted))

    def resize_confirm(self):
        """resize to a larger flavor, confirmed"""
        server, source = self._new('resize')
        target, migration = self._resized(server, SMALL, source, MEDIUM, 'resize', {'flavorRef': '2'})
        self._confirm(server, migration, {target: MEDIUM})

    def resize_revert(self):
        """resize to a smaller flavor, reverted"""
        server, source = self._new('revert', '2')
        _, migration = self._resized(server, MEDIUM, source, SLIM, 'resize', {'flavorRef': '4'})
        self._revert(server, migration, {source: MEDIUM})

    def cold_migrate(self):
        """cold migration, confirmed; then to a host that the admin names, reverted"""
        server, source = self._new('migrate')
        target, migration = self._resized(server, SMALL, source, SMALL, 'migrate')
        self._confirm(server, migration, {target: SMALL})
        wanted = next(host for host in self._hosts(2) if host != target)
        there, migration = self._resized(server, SMALL, target, SMALL, 'migrate', {'host': wanted})
        self._check(there == wanted, 'it went to %s and not to %s' % (there, wanted))
        self._revert(server, migration, {target: SMALL})

    def live_migrate(self):
        """live migration, to where nova likes and to a host that the admin names"""
        server, host = self._new('live')
        for wanted in (None, next(name for name in self._hosts(2) if name != host)):
            source = self._cloud.host(server)
            if wanted == source:
                continue
            before = len(self._cloud.migrations(server))
            self._cloud.act(server, 'os-migrateLive', {'host': wanted, 'block_migration': 'auto'})
            self._eventually('state of the migration', lambda: (
                len(self._cloud.migrations(server)), self._migration(server)['status']), (before + 1, 'completed'), 180)
            self._cloud.wait(server, 'ACTIVE')
            target = self._cloud.host(server)
            self._check(target != source and wanted in (None, target), 'it went from %s to %s' % (source, target))
            self._holds(server, {target: SMALL}, 'of the server')
            self._holds(self._migration(server)['uuid'], {}, 'of the migration')

    def shelve(self):
        """shelved and offloaded: nothing held; unshelved: held again"""
        server, _ = self._new('shelve')
        self._cloud.act(server, 'shelve')
        self._cloud.wait(server, 'SHELVED_OFFLOADED')
        self._holds(server, {}, 'of the offloaded server')
        self._cloud.act(server, 'unshelve')
        self._cloud.wait(server, 'ACTIVE')
        self._holds(server, {self._cloud.host(server): SMALL}, 'of the unshelved server')

    def rebuild(self):
        """rebuilt with the same image and with another one: nothing changes"""
        server, host = self._new('rebuild')
        for image in (cloud.IMAGE, cloud.OTHER_IMAGE):
            self._cloud.act(server, 'rebuild', {'imageRef': image})
            self._cloud.wait(server, 'ACTIVE')
            self._check(self._cloud.host(server) == host, 'it left its host')
            self._check(self._cloud.server(server)['image']['id'] == image, 'it has another image')
            self._holds(server, {host: SMALL}, 'after rebuilding')

    def evacuate(self):
        """the compute is killed, its server evacuated: held on both hosts until the compute is back"""
        server, source = self._new('evacuate')

        def restore():
            services.start_process(source)
            # Refused until the compute has seen the evacuations from it.
            path, up = '/os-services/' + self._cloud.computes()[source]['id'], {'forced_down': False}
            self._eventually('forcing it up', lambda: self._cloud.ask('nova', 'PUT', path, up)[0], 200, 300)
            self._eventually('state of ' + source, lambda: self._cloud.computes()[source]['state'], 'up', 300)

        self._later(restore)
        processes.stop(source)
        self._cloud.set_service(source, forced_down=True)
        self._cloud.act(server, 'evacuate', {})
        self._eventually('host after evacuation', lambda: self._cloud.host(server) != source, True, 180)
        self._cloud.wait(server, 'ACTIVE')
        target = self._cloud.host(server)
        self._holds(server, {source: SMALL, target: SMALL}, 'of the evacuated server')
        restore()
        self._holds(server, {target: SMALL}, 'after the compute came back', 300)

    def disable_service(self):
        """a disabled compute has placement's trait for it and gets no server, forced or not; an enabled one has it no more"""
        host = self._hosts(1)[0]
        trait = 'COMPUTE_STATUS_DISABLED'
        self._later(lambda: self._eventually('disabled trait', lambda: trait in self._cloud.traits(host), False, 90))
        self._later(lambda: self._cloud.set_service(host, status='enabled'))
        self._cloud.set_service(host, status='disabled', disabled_reason='trial')
        self._eventually('disabled trait', lambda: trait in self._cloud.traits(host), True, 90)
        for _ in range(3):
            self._check(self._new('disabled')[1] != host, 'a server went to the disabled host')
        forced = self._cloud.create('trial-disabled', availability_zone='nova:' + host)
        self._later(lambda: self._cloud.delete(forced))
        self._fails([forced])

    def ratio(self):
        """an admin's allocation ratio, set in placement, holds against the compute's next updates"""
        host = self._hosts(1)[0]
        path = '/resource_providers/%s/inventories' % self._cloud.provider(host)

        def put(value):
            found = self._cloud.get('placement', path)
            found['inventories']['VCPU']['allocation_ratio'] = value
            self._cloud.demand('placement', 'PUT', path, found)

        old = self._cloud.get('placement', path)['inventories']['VCPU']['allocation_ratio']
        self._later(lambda: put(old))
        put(old + 1)
        server, _ = self._new('ratio', availability_zone='nova:' + host)
        self._cloud.delete(server)
        seen = self._cloud.get('placement', path)['inventories']['VCPU']['allocation_ratio']
        self._check(seen == old + 1, 'the ratio is %s and not %s' % (seen, old + 1))

    def delete(self):
        """deleted servers, one of them while it is built, hold nothing"""
        built, _ = self._new('delete')
        early = self._cloud.create('trial-delete-early')
        self._later(lambda: self._cloud.delete(early))
        self._cloud.delete(early)
        self._cloud.delete(built)
        for server in (built, early):
            self._holds(server, {}, 'of the deleted server')

    def bulk(self):
        """many servers, eight at a time: built, looked at, deleted, nothing held"""
        waiting, seen, troubled = queue.Queue(), collections.Counter(), []
        self._cloud.patience = 300 if self._meanwhile else 0
        # After how many servers which command is run.
        commands = {(index + 1) * self._bulk // (len(self._meanwhile) + 1): command
                    for index, command in enumerate(self._meanwhile)}
        for number in range(self._bulk):
            waiting.put(number)

        def work():
            while True:
                try:
                    number = waiting.get_nowait()
                except queue.Empty:
                    return
                if number in commands:
                    began = datetime.datetime.now()
                    run_meanwhile(commands[number])
                    self._away.append((began, datetime.datetime.now()))
                flavor, wanted = (('1', SMALL), ('2', MEDIUM))[number % 2]
                server = None
                try:
                    server = self._cloud.create('trial-bulk-%d' % number, flavor)
                    self._cloud.wait(server, 'ACTIVE')
                    self._holds(server, {self._cloud.host(server): wanted}, 'after building')
                    self._cloud.delete(server)
                    self._holds(server, {}, 'of the deleted server')
                    seen['right'] += 1
                except (Failed, cloud.Refused) as trouble:
                    note('%s %s' % (server, trouble))
                    troubled.append((server, str(trouble), server and self._cloud.server(server)))
                    if server:
                        # nova-api leaves the allocations of a server that it deletes while placement is away.
                        self._cloud.ask('placement', 'GET', '/resource_providers')
                        self._cloud.ask('nova', 'DELETE', '/servers/' + server)

        workers = [threading.Thread(target=work) for _ in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        sent = messages.read() if troubled else {}
        unexplained, own = [], state.load()['scheduler']
        for server, trouble, last in troubled:
            status = last['status'] if last else 'GONE'
            fault = ((last or {}).get('fault') or {}).get('message', '')
            lost = [one for one in messages.of(sent, self._cloud.requests.get(server, [])) if one.is_lost()]
            print('    %s %s: %s; %s' % (status, server, fault or trouble,
                                         '; '.join(map(str, lost)) or 'no message was lost'), flush=True)
            why = next((why for text, why in FAULTS.items() if text in fault), None)
            if status == 'ACTIVE' and trouble.startswith('allocations'):
                unexplained.append('%s %s: %s' % (status, server, trouble))
            elif commands and lost and all(self._is_while_away(one) for one in lost):
                seen['%s: a message got lost or came too late meanwhile' % status] += 1
            elif commands and why:
                seen['%s: %s' % (status, why)] += 1
            elif commands and own:
                seen["%s: with nova's own scheduler: %s" % (status, fault.split('.')[0] or 'seen while it was put back')] += 1
            else:
                unexplained.append('%s %s: %s' % (status, server, trouble))
        print('bulk: %s' % dict(seen), flush=True)
        self._check(not unexplained, '; '.join(unexplained))

    def _is_while_away(self, message):
        """Check if its sender may have waited during a restart, or before a client read its queue afterwards."""
        waited = datetime.timedelta(seconds=60)
        return any(began - waited <= message.at <= ended + waited for began, ended in self._away)

    # Running

    def _run(self, name):
        """None, or what went wrong."""
        self._undo = []
        wrong = []
        for work in [getattr(self, name)] + [None]:
            try:
                if work:
                    work()
                else:
                    self._clean(wrong)
            except Exception as trouble:  # Whatever it is, the next scenario is run.
                wrong.append(describe(trouble))
        if not wrong:
            left = {check: found for check, found in audit.compare(self._cloud).items() if found}
            if left:
                wrong.append('left behind: %s' % left)
        return '; '.join(wrong)

    def _clean(self, wrong):
        for work in reversed(self._undo):
            try:
                work()
            except Exception as trouble:
                wrong.append('afterwards: ' + describe(trouble))


def describe(trouble):
    if isinstance(trouble, (Failed, cloud.Refused, state.Trouble)):
        return str(trouble)
    with open(state.path('log', 'scenarios.out'), 'a') as file:
        traceback.print_exception(trouble, file=file)
    return repr(trouble)


def note(line):
    with open(state.path('log', 'scenarios.out'), 'a') as file:
        file.write('%s %s\n' % (time.strftime('%H:%M:%S'), line))


def run_meanwhile(command):
    note('begins: ' + command)
    done = subprocess.run(['bash', '-c', command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=900)
    note('ended with %d: %s' % (done.returncode, done.stdout[-500:]))


def names():
    return [name for name, member in vars(Scenarios).items() if inspect.isfunction(member) and name[0] != '_']


def tell():
    for name in names():
        print('%-16s %s' % (name.replace('_', '-'), getattr(Scenarios, name).__doc__))
    return 0


def run(wanted, bulk, meanwhile):
    wanted = [name.replace('-', '_') for name in wanted] or names()
    unknown = [name for name in wanted if name not in names()]
    if unknown:
        raise state.Trouble('no such scenario: %s; trial scenario --list lists them' % ' '.join(unknown))
    all_of_them = Scenarios(bulk, meanwhile)
    failed = 0
    for name in wanted:
        begin = time.monotonic()
        wrong = all_of_them._run(name)
        failed += bool(wrong)
        print('%s %s (%.0f s)%s' % ('FAILED' if wrong else 'ok', name.replace('_', '-'), time.monotonic() - begin,
                                   ': ' + wrong if wrong else ''), flush=True)
    return 1 if failed else 0
