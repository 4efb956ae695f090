"""Options that describe an instance to place. Together they are the scheduler's request_spec."""
from __future__ import annotations

import argparse
import copy
import json
import re
import sys
from typing import Any, Dict, List, Optional, Tuple

_FLAVOR = re.compile(r'(?:([^=]+)=)?([0-9]{1,9}):([0-9]{1,9})([MGT]iB)?(?::([0-9]{1,9})([GT]iB)?)?')
_UNITS = 'MGT'
_AMOUNT_MAX = 2 ** 31 - 1


def flavor(text: str) -> Dict[str, Any]:
    """Return the flavor that a text such as 4:8192:40, 4:8GiB:40 or m1.medium=4:8GiB:40 names."""
    form = _FLAVOR.fullmatch(text)
    if not form:
        raise argparse.ArgumentTypeError(
            f'{text}: must be a flavor such as 4:8192:40 or 4:8GiB:40 (vcpus, memory in MB, disk in GB)')
    name, vcpus, memory, memory_unit, disk, disk_unit = form.groups()
    sizes = {'memory_mb': _amount(memory, memory_unit, 'M'), 'root_gb': _amount(disk or '0', disk_unit, 'G')}
    if max(sizes.values()) > _AMOUNT_MAX:
        raise argparse.ArgumentTypeError(f'{text}: memory and disk must be at most {_AMOUNT_MAX}')
    return {'name': name or text, 'vcpus': int(vcpus), **sizes}


def _amount(number: str, unit: Optional[str], target: str) -> int:
    """Return the amount in the unit that begins with the letter target."""
    steps = _UNITS.index(unit[0]) - _UNITS.index(target) if unit else 0
    return int(number) << 10 * steps


def pair(text: str) -> Tuple[str, str]:
    """Split KEY=VALUE at the first =."""
    key, separator, value = text.partition('=')
    if not key or not separator:
        raise argparse.ArgumentTypeError(f'{text}: must have the form KEY=VALUE')
    return key, value


def seconds(text: str) -> int:
    """Parse a time limit in seconds."""
    if not re.fullmatch('[0-9]{1,2}', text) or not 1 <= int(text) <= 60:
        raise argparse.ArgumentTypeError(f'must be 1 to 60 seconds, not {text}')
    return int(text)


def request_file(path: str) -> Dict[str, Any]:
    """Return the request_spec of a file, which may be the body of a select_destinations; - is standard input."""
    try:
        if path == '-':
            body = json.load(sys.stdin)
        else:
            with open(path, encoding='utf-8') as file:
                body = json.load(file)
    except (OSError, UnicodeDecodeError) as failure:
        raise argparse.ArgumentTypeError(f'cannot read {path}: name a file of JSON in UTF-8') from failure
    except (ValueError, RecursionError) as failure:
        raise argparse.ArgumentTypeError(f'{path}: must contain JSON: {failure}') from failure
    spec = body.get('request_spec', body) if isinstance(body, dict) else body
    if not isinstance(spec, dict):
        raise argparse.ArgumentTypeError(f'{path}: must contain a JSON object')
    return spec


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that all commands with a request have."""
    parser.add_argument('--zone', metavar='<zone>', help='availability zone')
    parser.add_argument('--project', metavar='<id>', help='project of the instance')
    for name, text in (('extra-spec', 'of the flavor: trait:CUSTOM_GPU=required, hw:cpu_policy=dedicated'),
                       ('image-property', 'of the image'), ('hint', 'scheduler hint: group=UUID')):
        parser.add_argument(f'--{name}', metavar='<key=value>', type=pair, action='append', default=[],
                            help=f'{text} (repeat for several)')
    parser.add_argument('--request', metavar='<file>', type=request_file, default={},
                        help='a request_spec as JSON (- for standard input), which the other options change')


def request_spec(options: argparse.Namespace, own_flavor: Optional[Dict[str, Any]]) -> Dict[str, Any]:
    """Return the request_spec of the options; without own_flavor, the flavor is that of the file."""
    spec: Dict[str, Any] = copy.deepcopy(options.request)
    _merge(spec, ['flavor'], own_flavor or {})
    _merge(spec, [], {'availability_zone': options.zone} if options.zone else {})
    _merge(spec, [], {'project_id': options.project} if options.project else {})
    _merge(spec, ['flavor', 'extra_specs'], dict(options.extra_spec))
    _merge(spec, ['image', 'properties'], dict(options.image_property))
    _merge(spec, ['scheduler_hints'], dict(options.hint))
    return spec


def _merge(spec: Dict[str, Any], path: List[str], members: Dict[str, Any]) -> None:
    """Set members of the object at this path; create the object if it is missing."""
    if not members:
        return
    for name in path:
        if not isinstance(spec.get(name), dict):
            spec[name] = {}
        spec = spec[name]
    spec.update(members)
