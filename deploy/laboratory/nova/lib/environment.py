"""What others need to know of the trial, as shell assignments."""
import state

DRIVERS = {'postgresql': 'postgresql+psycopg2', 'mariadb': 'mysql+pymysql'}


def alchemy(name):
    """URL of a database as SQLAlchemy and nova.conf have it."""
    known = state.load()
    suffix = '?charset=utf8' if known['database'] == 'mariadb' else ''
    return '%s://nova:%s@127.0.0.1:%d/%s%s' % (
        DRIVERS[known['database']], state.PASSWORD, known['ports']['database'], name, suffix)


def transport():
    return 'rabbit://nova:%s@127.0.0.1:%d/' % (state.PASSWORD, state.load()['ports']['rabbitmq'])


def keystone():
    return 'http://127.0.0.1:%d' % state.load()['ports']['keystone']


def text():
    groups = {
        'the openstack command': {
            'OS_AUTH_URL': keystone() + '/v3', 'OS_IDENTITY_API_VERSION': 3, 'OS_USERNAME': 'admin',
            'OS_PASSWORD': state.PASSWORD, 'OS_PROJECT_NAME': 'admin', 'OS_USER_DOMAIN_NAME': 'Default',
            'OS_PROJECT_DOMAIN_NAME': 'Default', 'OS_REGION_NAME': 'RegionOne', 'OS_COMPUTE_API_VERSION': '2.90',
            'OS_PLACEMENT_API_VERSION': '1.39'},
        'Berth': {
            'BERTH_AUTH_STRATEGY': 'keystone', 'BERTH_AUTH_KEYSTONE_URL': keystone(),
            'BERTH_AUTH_KEYSTONE_USERNAME': 'berth', 'BERTH_AUTH_KEYSTONE_PASSWORD': state.PASSWORD,
            'BERTH_AUTH_KEYSTONE_TIMEOUT': '30S'},
        'Berth in the place of nova-scheduler': {
            'BERTH_NOVA_TRANSPORT_URL': transport(), 'BERTH_NOVA_CONF': state.path('etc', 'nova.conf'),
            'BERTH_NOVA_API_DATABASE': alchemy('nova_api'), 'BERTH_NOVA_DATABASE': alchemy('nova_cell1')},
        'the rest': {'NOVA_TRIAL_STATE': state.folder(), 'NOVA_TRIAL_LOGS': state.path('log')}}
    lines = []
    for title, members in groups.items():
        lines += ['# for ' + title if title != 'the rest' else '# where things are']
        lines += ["export %s='%s'" % member for member in members.items()]
    return '\n'.join(lines)
