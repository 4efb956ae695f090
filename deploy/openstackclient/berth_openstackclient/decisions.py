"""Records of decisions as lists and single records, in the formats of the OpenStack client."""
from __future__ import annotations

import argparse
import json
from typing import Any, Dict, Iterable, List, Tuple
from urllib.parse import urlencode

from cliff.columns import FormattableColumn
from osc_lib.command import command

from berth_openstackclient.client import SchedulerClient, plain
from berth_openstackclient.queries import decision_path

_PATH = '/v1/decisions'
_COLUMNS = ('time', 'kind', 'result', 'instance_names', 'flavor', 'hosts', 'decision_id')
_FURTHER = ('instance_uuids', 'project', 'project_name', 'user_name')
_FILTERS = {
    'instance': 'about this instance: its name or uuid', 'project': 'of this project',
    'host': 'that selected this host', 'result': 'selected, no_valid_host or error',
    'flavor': 'of the flavor of this name', 'since': 'of this time, such as 2026-01-31T12:00:00Z, and later ones',
    'until': 'before this time'}


class Cell(FormattableColumn):
    """A value of a record: on one line without control characters in a table, unchanged in other formats."""

    def human_readable(self) -> str:
        """Return the value for a table."""
        value = self._value
        if isinstance(value, list) and not any(isinstance(each, (dict, list)) for each in value):
            return plain(', '.join(map(str, value)))
        if value is None:
            return ''
        return plain(value if isinstance(value, str) else json.dumps(value))


def count(text: str) -> int:
    """Parse the maximum number of records in a list."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:9]) or len(text) > 9:
        raise argparse.ArgumentTypeError(f'must be 1 to 999999999, not {text}')
    return int(text)


class ListDecision(command.Lister):
    """List decisions on record, the latest first."""

    need_sort_by_cliff = True

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Return the parser with the filters that the scheduler knows."""
        parser: argparse.ArgumentParser = super().get_parser(prog_name)
        for name, text in _FILTERS.items():
            parser.add_argument(f'--{name}', metavar=f'<{name}>', help=f'list decisions {text}')
        parser.add_argument('--limit', metavar='<count>', type=count, default=100,
                            help='list at most this many decisions, default=100')
        parser.add_argument('--long', action='store_true', help='list further columns: ' + ', '.join(_FURTHER))
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> Tuple[Tuple[str, ...], Iterable[Tuple[Cell, ...]]]:
        """Return columns and rows."""
        filters = {name: getattr(parsed_args, name) for name in _FILTERS if getattr(parsed_args, name) is not None}
        records, is_cut = read(self.app.client_manager.scheduler, filters, parsed_args.limit)
        if is_cut:
            self.app.LOG.warning('There are more than %d decisions. To list more, raise --limit.', parsed_args.limit)
        columns = _COLUMNS + (_FURTHER if parsed_args.long else ())
        return columns, (tuple(Cell(record.get(column)) for column in columns) for record in records)


def read(scheduler: SchedulerClient, filters: Dict[str, str], limit: int) -> Tuple[List[Dict[str, Any]], bool]:
    """Return the first records, and whether there are more; reads as many pages as they take."""
    records: List[Dict[str, Any]] = []
    following = '?' + urlencode({'limit': limit, **filters})
    while following and len(records) < limit:
        page = scheduler.get(_PATH + following).json()
        records += page['decisions']
        following = page['decisions_links'][0]['href'] if page.get('decisions_links') else ''
    return records[:limit], bool(following) or len(records) > limit


class ShowDecision(command.ShowOne):
    """Show the record of a decision with all its members."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Return the parser with the name of a decision."""
        parser: argparse.ArgumentParser = super().get_parser(prog_name)
        parser.add_argument('decision', metavar='<decision|instance>',
                            help='id of a decision, or name or uuid of an instance, whose newest decision is shown')
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> Tuple[Tuple[str, ...], Tuple[Cell, ...]]:
        """Return the names of the members and their values."""
        record = self.app.client_manager.scheduler.get(decision_path(parsed_args.decision)).json()
        return tuple(record), tuple(map(Cell, record.values()))
