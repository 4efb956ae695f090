"""Servers that stay while placement is moved to another service, and what their users do before, between and after."""
import scenarios

FLAVORS = {'1': scenarios.SMALL, '2': scenarios.MEDIUM}


class Residents(scenarios.Scenarios):
    """They are known by their names, which begin with resident-."""

    def __init__(self):
        super().__init__(0, [])

    def all(self):
        """Server by name."""
        return {one['name']: one for one in self._cloud.servers() if one['name'].startswith('resident-')}

    def create(self):
        """Four servers; one of them waits for the confirmation of its resize."""
        for number in range(4):
            self._build('before-%d' % number, '12'[number % 2])
        self._resize('before-0')
        self.check()

    def change(self):
        """A resize is confirmed, another one begun, a server deleted, two are new."""
        known = self.all()
        self._cloud.act(known['resident-before-0']['id'], 'confirmResize')
        self._cloud.wait(known['resident-before-0']['id'], 'ACTIVE')
        self._cloud.delete(known['resident-before-1']['id'])
        self._resize('before-2')
        for number in range(2):
            self._build('between-%d' % number, '12'[number % 2])
        self.check()

    def finish(self):
        """The resize that was begun elsewhere is reverted, and all servers are deleted."""
        self.check()
        server = self.all()['resident-before-2']['id']
        self._cloud.act(server, 'revertResize')
        self._cloud.wait(server, 'ACTIVE')
        self.check()
        servers = [one['id'] for one in self.all().values()]
        self._cloud.delete(*servers)
        for server in servers:
            self._holds(server, {}, 'of the deleted server')

    def check(self):
        """Each holds what its flavor says on its host, and the source of a resize is held by the migration."""
        known = self.all()
        self._check(known, 'there are no residents')
        for name, one in known.items():
            self._check(one['status'] in ('ACTIVE', 'VERIFY_RESIZE'), '%s is %s' % (name, one['status']))
            flavor = next(held for held in FLAVORS.values() if held['VCPU'] == one['flavor']['vcpus'])
            self._holds(one['id'], {one['OS-EXT-SRV-ATTR:host']: flavor}, 'of ' + name)
            if one['status'] == 'VERIFY_RESIZE':
                migration = self._migration(one['id'])
                self._holds(migration['uuid'], {migration['source_compute']: scenarios.SMALL}, 'of the migration of ' + name)

    def _build(self, name, flavor):
        server = self._cloud.create('resident-' + name, flavor)
        self._cloud.wait(server, 'ACTIVE')

    def _resize(self, name):
        server = self.all()['resident-' + name]['id']
        self._cloud.act(server, 'resize', {'flavorRef': '2'})
        self._cloud.wait(server, 'VERIFY_RESIZE')


def run(steps):
    failed = 0
    for step in steps:
        try:
            getattr(Residents(), step)()
            wrong = ''
        except Exception as trouble:  # Whatever it is, it is one line, and the next step is run.
            wrong = scenarios.describe(trouble)
        failed += bool(wrong)
        print('%s residents %s%s' % ('FAILED' if wrong else 'ok', step, ': ' + wrong if wrong else ''), flush=True)
    return 1 if failed else 0
