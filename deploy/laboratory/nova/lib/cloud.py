"""A client of Keystone, nova and placement, as admin."""
import json
import threading
import time
import urllib.error
import urllib.request

import state

COMPUTE_VERSION = '2.90'
PLACEMENT_VERSION = '1.36'
IMAGE = '11111111-2222-4333-8444-555555555555'
OTHER_IMAGE = '11111111-2222-4333-8444-666666666666'
TIMEOUT = 300


class Refused(Exception):
    """An answer that was not expected."""


def http(method, url, body=None, headers=None):
    """Status, headers and the decoded body of the answer; no answer at all is Refused."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, method=method, headers={
        'Content-Type': 'application/json', 'Accept': 'application/json', **(headers or {})})
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
            return answer.status, answer.headers, decode(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, error.headers, decode(error.read())
    except OSError as error:
        raise Refused('%s %s: %s' % (method, url, error))


def decode(content):
    try:
        return json.loads(content) if content else None
    except ValueError:
        return content.decode('utf-8', 'replace')


def base(service):
    port = state.load()['ports']
    return {'keystone': 'http://127.0.0.1:%d/v3' % port['keystone'],
            'nova': 'http://127.0.0.1:%d/v2.1' % port['nova'],
            'glance': 'http://127.0.0.1:%d' % port['glance'],
            'placement': state.load()['placement']}[service]


class Cloud:
    def __init__(self):
        self.bases = {name: base(name) for name in ('keystone', 'nova', 'glance', 'placement')}
        self.lock = threading.Lock()
        self.token = None
        self.until = 0
        # Seconds for which a service that does not answer is asked again.
        self.patience = 0
        # By server: ids of the requests that changed it, as nova's logs have them.
        self.requests = {}

    def authenticate(self):
        with self.lock:
            if time.monotonic() > self.until:
                domain = {'name': 'Default'}
                status, headers, body = http('POST', self.bases['keystone'] + '/auth/tokens', {'auth': {
                    'identity': {'methods': ['password'], 'password': {'user': {
                        'name': 'admin', 'domain': domain, 'password': state.PASSWORD}}},
                    'scope': {'project': {'name': 'admin', 'domain': domain}}}})
                if status != 201:
                    raise Refused('Keystone gives no token: %s %s' % (status, body))
                self.token, self.until = headers['X-Subject-Token'], time.monotonic() + 1200
            return self.token

    def ask(self, service, method, path, body=None):
        limit = time.monotonic() + self.patience
        while True:
            try:
                status, headers, answer = http(method, self.bases[service] + path, body, {
                    'X-Auth-Token': self.authenticate(),
                    'OpenStack-API-Version': 'placement ' + PLACEMENT_VERSION if service == 'placement'
                    else 'compute ' + COMPUTE_VERSION})
                if service == 'nova' and method in ('POST', 'DELETE') and path.startswith('/servers'):
                    server = path.split('/')[2] if path.count('/') > 1 else ((answer or {}).get('server') or {}).get('id')
                    self.requests.setdefault(server, []).append(headers['X-OpenStack-Request-ID'])
                return status, headers, answer
            except Refused:
                if time.monotonic() > limit:
                    raise
                time.sleep(1)

    def get(self, service, path):
        return self.demand(service, 'GET', path)

    def demand(self, service, method, path, body=None):
        """The body of the answer, which must be a good one."""
        status, _, answer = self.ask(service, method, path, body)
        if status >= 300:
            raise Refused('%s %s of %s: %s %s' % (method, path, service, status, json.dumps(answer)[:400]))
        return answer

    # Servers

    def create(self, name, flavor='1', count=None, hints=None, **members):
        """The id of the new server, or the ids if a count is given."""
        server = {'name': name, 'flavorRef': flavor, 'imageRef': IMAGE, 'networks': 'none', **members}
        if count:
            server.update({'min_count': count, 'max_count': count, 'return_reservation_id': True})
        body = {'server': server}
        if hints:
            body['os:scheduler_hints'] = hints
        answer = self.demand('nova', 'POST', '/servers', body)
        if not count:
            return answer['server']['id']
        limit = time.monotonic() + 60
        while True:
            found = self.get('nova', '/servers?all_tenants=1&reservation_id=' + answer['reservation_id'])['servers']
            if len(found) == count:
                return sorted(one['id'] for one in found)
            if time.monotonic() > limit:
                raise Refused('%d servers were asked for, %d are listed' % (count, len(found)))
            time.sleep(1)

    def server(self, server):
        status, _, body = self.ask('nova', 'GET', '/servers/' + server)
        if status == 404:
            return None
        if status != 200:
            raise Refused('GET /servers/%s: %s %s' % (server, status, body))
        return body['server']

    def host(self, server):
        found = self.server(server)
        return found and found['OS-EXT-SRV-ATTR:host']

    def wait(self, server, *wanted, seconds=300):
        """The status of a server once it is one of the wanted and no task is under way; GONE is one of them."""
        limit = time.monotonic() + seconds
        while True:
            found = self.server(server)
            status = found['status'] if found else 'GONE'
            task = found and found['OS-EXT-STS:task_state']
            if status in wanted and not task:
                return status
            if status == 'ERROR' and 'GONE' not in wanted and not task:
                raise Refused('server in ERROR: %s' % (found.get('fault') or {}).get('message'))
            if time.monotonic() > limit:
                raise Refused('server is %s (task %s) and not %s after %d seconds' % (
                    status, task, ' or '.join(wanted), seconds))
            time.sleep(0.5)

    def act(self, server, action, parameters=None):
        self.demand('nova', 'POST', '/servers/%s/action' % server, {action: parameters})

    def delete(self, *servers):
        for server in servers:
            self.ask('nova', 'DELETE', '/servers/' + server)
        for server in servers:
            self.wait(server, 'GONE')

    def servers(self):
        found, marker = [], ''
        while True:
            page = self.get('nova', '/servers/detail?all_tenants=1&limit=200' + marker)['servers']
            found += page
            if len(page) < 200:
                return found
            marker = '&marker=' + page[-1]['id']

    def migrations(self, server):
        return self.get('nova', '/os-migrations?instance_uuid=' + server)['migrations']

    # Hosts

    def computes(self):
        return {found['host']: found for found in self.get('nova', '/os-services?binary=nova-compute')['services']}

    def set_service(self, host, **members):
        self.demand('nova', 'PUT', '/os-services/' + self.computes()[host]['id'], members)

    # Placement

    def providers(self):
        """Name by uuid."""
        return {found['uuid']: found['name'] for found in self.get('placement', '/resource_providers')['resource_providers']}

    def provider(self, host):
        return {name: uuid for uuid, name in self.providers().items()}[host]

    def traits(self, host):
        return self.get('placement', '/resource_providers/%s/traits' % self.provider(host))['traits']

    def aggregates(self, host):
        return self.get('placement', '/resource_providers/%s/aggregates' % self.provider(host))['aggregates']

    def held(self, consumer):
        """Host to resources."""
        names = self.providers()
        found = self.get('placement', '/allocations/' + consumer)['allocations']
        return {names.get(uuid, uuid): one['resources'] for uuid, one in found.items()}

    def consumers(self):
        """Consumer to hosts to resources, for all providers."""
        found = {}
        for uuid, name in self.providers().items():
            for consumer, one in self.get('placement', '/resource_providers/%s/allocations' % uuid)['allocations'].items():
                found.setdefault(consumer, {})[name] = one['resources']
        return found
