"""What is printed of errors and of records."""
import argparse
import json
import types
import unittest

from berth_openstackclient import client, decisions


def response(status, text):
    """Return a response with this body."""
    return types.SimpleNamespace(status_code=status, json=lambda: json.loads(text))


class TextsTest(unittest.TestCase):
    """Everything is one line that a terminal shows as it is."""

    def test_error_detail(self):
        for status, text, expected in (
                (404, '{"errors": [{"detail": "no such\\n host;  send another"}]}', 'no such host; send another'),
                (400, '{"errors": [{"detail": "red \\u001b[31m, \\u009b31m"}]}', 'red ?[31m, ?31m'),
                (401, '{"errors": []}', 'not authenticated; check the token or the OS_* variables'),
                (502, '<html>', ''), (500, '{"errors": []}', ''), (500, '[]', ''), (500, '{"errors": 7}', ''),
                (500, '', '')):
            with self.subTest(text):
                self.assertEqual(client.error_detail(response(status, text)), expected)
        long = client.error_detail(response(400, json.dumps({'errors': [{'detail': 'x' * 5000}]})))
        self.assertEqual(long, 'x' * 600 + '...')

    def test_cells(self):
        for value, expected in (
                (None, ''), ('Zoë', 'Zoë'), ('a\x1b[31m\tb', 'a?[31m?b'), (['web-1', 'web\r2'], 'web-1, web?2'),
                ([], ''), (7, '7'), (True, 'true'), ({'a': 'ë\n'}, '{"a": "\\u00eb\\n"}'), ([{}], '[{}]')):
            with self.subTest(value):
                self.assertEqual(decisions.Cell(value).human_readable(), expected)
                self.assertEqual(decisions.Cell(value).machine_readable(), value)

    def test_count(self):
        self.assertEqual([decisions.count('1'), decisions.count('999999999')], [1, 999999999])
        for text in ('0', '-1', '', '1e3', '1000000000', '٣'):
            with self.subTest(text), self.assertRaises(argparse.ArgumentTypeError):
                decisions.count(text)

    def test_names_in_a_path(self):
        self.assertEqual(decisions.decision_path('../a b?ë'), '/v1/decisions/..%2Fa%20b%3F%C3%AB')


class PagesTest(unittest.TestCase):
    """A list reads no more pages than it needs."""

    def read(self, limit, *pages):
        """Return the ids that are read, whether there are more, and the number of pages that were read."""
        paths = []
        bodies = iter(pages)

        class Scheduler:
            """A scheduler with these pages."""

            def get(self, path):
                """Return the next page."""
                paths.append(path)
                return types.SimpleNamespace(json=lambda: next(bodies))

        records, more = decisions.read(Scheduler(), {'flavor': 'a&b'}, limit)
        return [record['id'] for record in records], more, paths

    def test_pages(self):
        first = {'decisions': [{'id': 1}, {'id': 2}], 'decisions_links': [{'href': '?marker=2'}]}
        last = {'decisions': [{'id': 3}]}
        begin, following = '/v1/decisions?limit={}&flavor=a%26b', '/v1/decisions?marker=2'
        self.assertEqual(self.read(3, first, last), ([1, 2, 3], False, [begin.format(3), following]))
        self.assertEqual(self.read(2, first), ([1, 2], True, [begin.format(2)]))
        self.assertEqual(self.read(1, first), ([1], True, [begin.format(1)]))
        self.assertEqual(self.read(9, {'decisions': []}), ([], False, [begin.format(9)]))


if __name__ == '__main__':
    unittest.main()
