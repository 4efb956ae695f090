"""HTTP to the scheduler, by the session of the OpenStack client."""
from __future__ import annotations

import unicodedata
from typing import Any, Dict, Optional

from keystoneauth1 import exceptions as failures
from osc_lib import exceptions

TEXT = 'text/plain, application/json;q=0.5'
JSON = 'application/json'
# Seconds to connect, and until the next bytes of the response; the same as in the command berth.
_TIMEOUT = (10, 180)
# Statuses after which a GET is repeated, after 0.5, 1, 2, 4 and 8 seconds; a request with a body is sent once.
_TEMPORARY = [429, 500, 502, 503, 504]
_RETRIES = 5
_DETAIL_MAX = 600


class SchedulerClient:
    """Sends requests to one scheduler. Every failure is a CommandError of one line."""

    def __init__(self, session: Any, endpoint: str) -> None:
        self.endpoint = endpoint.rstrip('/')
        self._session = session

    def get(self, path: str, accept: str = JSON) -> Any:
        """Return the response to a GET."""
        return self._send('GET', path, accept, status_code_retries=_RETRIES, retriable_status_codes=_TEMPORARY)

    def post(self, path: str, body: Dict[str, Any], accept: str = JSON) -> Any:
        """Return the response to a POST."""
        return self._send('POST', path, accept, json=body)

    def _send(self, method: str, path: str, accept: str, **options: Any) -> Any:
        url = self.endpoint + path
        try:
            response = self._session.request(
                url, method, headers={'Accept': accept}, timeout=_TIMEOUT, raise_exc=False, **options)
        except failures.ClientException as failure:
            raise exceptions.CommandError(f'{method} {url}: {plain(str(_root(failure)))}') from failure
        if not is_whole(response):
            raise exceptions.CommandError(f'{method} {url}: the response ends early')
        if response.status_code != 200:
            detail = error_detail(response)
            raise exceptions.CommandError(
                f'{method} {url} returned {response.status_code}' + (f': {detail}' if detail else ''))
        return response


def error_detail(response: Any) -> str:
    """Return the message of an error response, which includes the advice; empty if there is none."""
    if response.status_code == 401:
        return 'not authenticated; check the token or the OS_* variables'
    try:
        detail = str(response.json()['errors'][0]['detail'])
    except (ValueError, LookupError, TypeError):
        return ''
    line = plain(' '.join(detail.split()))
    return line if len(line) <= _DETAIL_MAX else line[:_DETAIL_MAX] + '...'


def is_whole(response: Any) -> bool:
    """Return whether the body is as long as Content-Length; not every version of the HTTP library checks it."""
    length: Optional[str] = response.headers.get('content-length')
    return length is None or int(length) == response.raw.tell()


def plain(text: str) -> str:
    """Return the text with a ? for each character that would control a terminal."""
    return ''.join('?' if unicodedata.category(each) == 'Cc' else each for each in text)


def _root(failure: BaseException) -> BaseException:
    """Return the innermost OSError among the causes; the outermost failure if there is none."""
    root, each = failure, failure.__context__
    while each is not None:
        root, each = each if isinstance(each, OSError) else root, each.__context__
    return root
