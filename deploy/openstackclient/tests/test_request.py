"""Requests as they are typed."""
import argparse
import io
import json
import sys
import tempfile
import unittest
from unittest import mock

from berth_openstackclient import request


class FlavorTest(unittest.TestCase):
    """The forms are those of the command berth."""

    def test_forms(self):
        for text, expected in (
                ('4:8192', ('4:8192', 4, 8192, 0)),
                ('4:8192:40', ('4:8192:40', 4, 8192, 40)),
                ('4:8GiB:40GiB', ('4:8GiB:40GiB', 4, 8192, 40)),
                ('4:512MiB:1TiB', ('4:512MiB:1TiB', 4, 512, 1024)),
                ('m1.large=8:1TiB', ('m1.large', 8, 1048576, 0)),
                ('a:b=1:1', ('a:b', 1, 1, 0))):
            with self.subTest(text):
                self.assertEqual(tuple(request.flavor(text).values()), expected)

    def test_what_is_none(self):
        for text in ('', '4', '4:', ':8', '4:8:', '4:8192:40:1', '-1:8', '4:8MB', '4:8:1MiB', 'a=b=4:8', '=4:8',
                     '1234567890:1', '١:٢', '4:8\n', '4: 8'):
            with self.subTest(text), self.assertRaisesRegex(argparse.ArgumentTypeError, 'must be a flavor such as'):
                request.flavor(text)

    def test_more_than_any_host_has(self):
        for text in ('1:2048TiB', '1:1:2097152TiB', '1:999999999GiB'):
            with self.subTest(text), self.assertRaisesRegex(argparse.ArgumentTypeError, 'disk must be at most'):
                request.flavor(text)
        self.assertEqual(request.flavor('1:2047TiB')['memory_mb'], 2047 << 20)


class OptionsTest(unittest.TestCase):
    """Options of a request, and their sum."""

    def spec(self, *arguments, flavor=None):
        """Return what the arguments describe."""
        parser = argparse.ArgumentParser()
        request.add_options(parser)
        return request.request_spec(parser.parse_args(arguments), flavor)

    def test_sum(self):
        self.assertEqual(self.spec(), {})
        self.assertEqual(
            self.spec('--zone', 'az-1', '--project', 'p', '--extra-spec', 'trait:A=required', '--extra-spec', 'b=c=d',
                      '--image-property', 'hw_a=', '--hint', 'group=g', flavor={'name': 'f', 'vcpus': 1}),
            {'availability_zone': 'az-1', 'project_id': 'p', 'scheduler_hints': {'group': 'g'},
             'flavor': {'name': 'f', 'vcpus': 1, 'extra_specs': {'trait:A': 'required', 'b': 'c=d'}},
             'image': {'properties': {'hw_a': ''}}})

    def test_file_is_changed_by_options_and_read_once(self):
        stated = {'availability_zone': 'az-2', 'flavor': {'vcpus': 2, 'extra_specs': {'a': '1'}}}
        for body in (stated, {'request_spec': stated}):
            with tempfile.NamedTemporaryFile('w', encoding='utf-8') as file:
                json.dump(body, file)
                file.flush()
                self.assertEqual(
                    self.spec('--request', file.name, '--zone', 'az-1', '--extra-spec', 'b=2', flavor={'vcpus': 3}),
                    {'availability_zone': 'az-1', 'flavor': {'vcpus': 3, 'extra_specs': {'a': '1', 'b': '2'}}})

    def test_two_flavors_do_not_share_the_file(self):
        options = argparse.Namespace(
            request={'flavor': {}}, zone=None, project=None, extra_spec=[], image_property=[], hint=[])
        one, two = (request.request_spec(options, {'vcpus': vcpus}) for vcpus in (1, 2))
        self.assertEqual((one, two), ({'flavor': {'vcpus': 1}}, {'flavor': {'vcpus': 2}}))

    def test_pair(self):
        for text in ('', 'a', '=b'):
            with self.subTest(text), self.assertRaises(argparse.ArgumentTypeError):
                request.pair(text)

    def test_seconds(self):
        self.assertEqual([request.seconds('1'), request.seconds('60')], [1, 60])
        for text in ('0', '61', '-1', '1.5', 'x', '', '٣'):
            with self.subTest(text), self.assertRaises(argparse.ArgumentTypeError):
                request.seconds(text)

    def test_file_that_is_none(self):
        for text, message in (('{', 'must contain JSON'), ('[]', 'must contain a JSON object'),
                              ('7', 'must contain a JSON object'),
                              ('{"request_spec": []}', 'must contain a JSON object'),
                              ('[' * 100_000, 'must contain JSON')):
            with self.subTest(text[:20]), mock.patch.object(sys, 'stdin', io.StringIO(text)), \
                    self.assertRaisesRegex(argparse.ArgumentTypeError, message):
                request.request_file('-')
        with self.assertRaisesRegex(argparse.ArgumentTypeError, 'cannot read /nowhere: name a file'):
            request.request_file('/nowhere')


if __name__ == '__main__':
    unittest.main()
