"""Queries whose result the scheduler renders as text, with an outcome: yes, no or incomplete."""
from __future__ import annotations

import abc
import argparse
import json
from typing import Any, Dict, Optional
from urllib.parse import quote

from osc_lib import exceptions
from osc_lib.command import command

from berth_openstackclient import client, request

# Exit statuses by the value of the header berth-answer. 1 is a failure, 2 invalid arguments.
_STATUS = {'yes': 0, 'no': 3, 'incomplete': 4}


class Query(command.Command, metaclass=abc.ABCMeta):
    """Prints the response of the scheduler unchanged."""

    _epilog = ('Nothing is claimed or changed. Exit status: 0 the result is yes (placed, fits, all have a place); '
               '1 the command failed; 2 invalid arguments; 3 the result is no; 4 the result is incomplete, because the '
               'time was up.')

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Return the parser with the options of all queries."""
        parser: argparse.ArgumentParser = super().get_parser(prog_name)
        parser.add_argument('--json', action='store_true', help='print the JSON of the response')
        return parser

    @abc.abstractmethod
    def send(self, scheduler: client.SchedulerClient, options: argparse.Namespace, accept: str) -> Any:
        """Send the request and return the response. Raises UsageError if the arguments contradict each other."""

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Print the response, and return the exit status of its outcome."""
        scheduler = self.app.client_manager.scheduler
        try:
            response = self.send(scheduler, parsed_args, client.JSON if parsed_args.json else client.TEXT)
        except UsageError as error:
            self.app.LOG.error(error)
            return 2
        self.app.stdout.write(json.dumps(response.json(), indent=2) + '\n' if parsed_args.json else response.text)
        outcome = response.headers.get('berth-answer')
        if outcome not in _STATUS:
            raise exceptions.CommandError(
                f'{scheduler.endpoint} sent no valid header berth-answer: is it older than this plugin?')
        return _STATUS[outcome]


class UsageError(Exception):
    """Arguments that are valid one by one and not together."""


class Why(Query):
    """Show why an instance was placed on its host, or on none: the record of the decision."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Return the parser with the name of a decision."""
        parser = super().get_parser(prog_name)
        parser.add_argument('decision', metavar='<instance|decision>',
                            help='name or uuid of an instance, whose newest decision is shown, or id of a decision')
        return parser

    def send(self, scheduler: client.SchedulerClient, options: argparse.Namespace, accept: str) -> Any:
        """Read the record of the decision."""
        return scheduler.get(decision_path(options.decision), accept)


def decision_path(decision: str) -> str:
    """Return the path of a decision's record."""
    return '/v1/decisions/' + quote(decision, safe='')


class Computation(Query):
    """A query whose result is incomplete if the scheduler's time limit ends first."""

    path = ''

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Return the parser with the time limit of the computation."""
        parser = super().get_parser(prog_name)
        parser.add_argument('--timeout', metavar='<seconds>', type=request.seconds, help='1 to 60, default=10')
        return parser

    @abc.abstractmethod
    def body(self, options: argparse.Namespace) -> Dict[str, Any]:
        """Return the body of the request."""

    def send(self, scheduler: client.SchedulerClient, options: argparse.Namespace, accept: str) -> Any:
        """Send the body with the time limit."""
        body = self.body(options)
        if options.timeout:
            body['timeout_s'] = options.timeout
        return scheduler.post(self.path, body, accept)


class WhyNot(Computation):
    """Show everything that keeps an instance off these hosts, and the smallest changes that would admit it."""

    path = '/v1/explanations'

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Return the parser with hosts and a request."""
        parser = super().get_parser(prog_name)
        parser.add_argument('hosts', metavar='<host>', nargs='*',
                            help='names of hosts, up to 100; default: the five hosts that need the smallest changes')
        parser.add_argument('--flavor', metavar='<vcpus:memory[:disk]>', type=request.flavor,
                            help='vcpus, memory in MB, disk in GB: 8:16384:80, or 8:16GiB:80')
        request.add_options(parser)
        return parser

    def body(self, options: argparse.Namespace) -> Dict[str, Any]:
        """Return the body of the request."""
        spec = request.request_spec(options, options.flavor)
        if 'flavor' not in spec:
            raise UsageError('the flavor is missing: add --flavor 4:8192:40, or --request FILE')
        return {'request_spec': spec, **({'hosts': options.hosts} if options.hosts else {})}


class Capacity(Computation):
    """Count how many more instances of each flavor would be placed, and show what stops the next one."""

    path = '/v1/capacity'

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Return the parser with flavors and the rest of a request."""
        parser = super().get_parser(prog_name)
        parser.add_argument('flavors', metavar='<[name=]vcpus:memory[:disk]>', nargs='+', type=request.flavor,
                            help='memory in MB, disk in GB: 4:8192:40, or m1.medium=4:8GiB:40')
        parser.add_argument('--by', choices=('zone', 'aggregate', 'cell', 'host'), action='append', default=[],
                            help='split the number like this (repeat for several)')
        parser.add_argument('--joint', action='store_true',
                            help='fill with all flavors in turns, instead of each alone')
        request.add_options(parser)
        return parser

    def body(self, options: argparse.Namespace) -> Dict[str, Any]:
        """Return the body of the request."""
        body: Dict[str, Any] = {'requests': [
            {'name': flavor['name'], 'request_spec': request.request_spec(options, flavor)}
            for flavor in options.flavors]}
        body.update({'by': options.by} if options.by else {})
        body.update({'joint': True} if options.joint else {})
        return body


class Drain(Computation):
    """Show where the instances of these hosts would go, and which would stay. Nothing is moved."""

    path = '/v1/what_if'

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Return the parser with a selection of hosts."""
        parser = super().get_parser(prog_name)
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument('hosts', metavar='<host>', nargs='*', default=[], help='names of hosts')
        which.add_argument('--zone', metavar='<name>', help='all hosts of this availability zone')
        which.add_argument('--aggregate', metavar='<name|uuid>', help='all members of this host aggregate')
        which.add_argument('--trait', metavar='<trait>', help='all hosts of which a provider has this trait')
        return parser

    def body(self, options: argparse.Namespace) -> Dict[str, Any]:
        """Return the body of the request."""
        given = {name: getattr(options, name) for name in ('hosts', 'zone', 'aggregate', 'trait')}
        selector: Dict[str, Optional[Any]] = {name: value for name, value in given.items() if value}
        return {'changes': [{'disable': selector}], 'ask': {'drain': selector}}
