"""The interface of a plugin of the OpenStack client: the options, and the client of the service."""
from __future__ import annotations

import argparse
from typing import Any

from keystoneauth1.exceptions import EndpointNotFound
from keystoneauth1.identity.base import BaseIdentityPlugin
from osc_lib import exceptions, utils

from berth_openstackclient.client import SchedulerClient

# Names the attribute of the client manager, and the group of commands openstack.scheduler.v1.
API_NAME = 'scheduler'
API_VERSION_OPTION = 'os_scheduler_api_version'
API_VERSIONS = {'1': 'berth_openstackclient.client.SchedulerClient'}
DEFAULT_API_VERSION = '1'

_OVERRIDE = 'scheduler_endpoint_override'
_ADVICE = f'set OS_{_OVERRIDE.upper()}, or {_OVERRIDE} in clouds.yaml'


def build_option_parser(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Add the options that all commands have."""
    parser.add_argument(
        '--os-scheduler-api-version', metavar='<scheduler-api-version>',
        default=utils.env('OS_SCHEDULER_API_VERSION', default=DEFAULT_API_VERSION),
        help='Version of the API of Berth\'s scheduler, default=1 (Env: OS_SCHEDULER_API_VERSION)')
    parser.add_argument(
        '--os-scheduler-endpoint-override', metavar='<url>',
        default=utils.env('OS_SCHEDULER_ENDPOINT_OVERRIDE', default=None),
        help='URL of Berth\'s scheduler, instead of the catalog\'s (Env: OS_SCHEDULER_ENDPOINT_OVERRIDE)')
    return parser


def make_client(manager: Any) -> SchedulerClient:
    """Return a client for the scheduler; the manager calls this when a command needs it."""
    return SchedulerClient(manager.session, _endpoint(manager))


def _endpoint(manager: Any) -> str:
    """Return the URL that is configured, otherwise the catalog's."""
    override = manager.get_configuration().get(_OVERRIDE)
    if override:
        return str(override)
    # The only endpoint of other kinds of authentication is placement's.
    if not isinstance(manager.session.auth, BaseIdentityPlugin):
        raise exceptions.CommandError(f'{_OVERRIDE} is missing: {_ADVICE}')
    try:
        from_catalog = manager.session.get_endpoint(
            service_type=API_NAME, interface=manager.interface, region_name=manager.region_name)
    except EndpointNotFound:
        # Versions of keystoneauth differ: some raise this exception, others return None.
        from_catalog = None
    if not from_catalog:
        region = f' in {manager.region_name}' if manager.region_name else ''
        raise exceptions.CommandError(f'the catalog has no endpoint of type {API_NAME}{region}: {_ADVICE}')
    return str(from_catalog)
