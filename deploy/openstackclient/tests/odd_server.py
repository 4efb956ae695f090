"""
A server for deploy/test/openstackclient whose answers no healthy scheduler gives: python3 odd_server.py PORT

GET /v1/decisions/NAME answers as the method of that name below. It stands for a proxy or network that fails, for a
scheduler of another version and for one whose texts are hostile.
"""
import http.server
import json
import sys
import time

TEXT = 'decision d1: selected\n' + '  on host-1, as a text of some length says\n' * 50


class Answers(http.server.BaseHTTPRequestHandler):
    """Each method is an answer."""

    # How often the name was requested.
    requests = {}

    def send(self, status, text, length=None, **headers):
        """Send a whole response, or one whose stated length is another."""
        body = text.encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace('_', '-'), value)
        self.send_header('content-length', str(length or len(body)))
        self.end_headers()
        self.wfile.write(body)

    def answer(self, text=TEXT, **others):
        """Send a text as a scheduler does."""
        self.send(200, text, content_type='text/plain;charset=UTF-8', berth_answer='yes', **others)

    def error(self, status, detail):
        """Send an error as a scheduler does."""
        body = {'errors': [{'status': status, 'detail': detail}]}
        self.send(status, json.dumps(body), content_type='application/json')

    def whole(self):
        """Nothing is odd."""
        self.answer()

    def cut(self):
        """The connection ends in the middle of the body."""
        self.answer(length=len(TEXT) + 1)

    def mute(self):
        """The connection ends before the response."""

    def slow(self):
        """The body takes its time and is complete."""
        self.send_response(200)
        self.send_header('content-type', 'text/plain;charset=UTF-8')
        self.send_header('content-length', str(len(TEXT)))
        self.send_header('berth-answer', 'incomplete')
        self.end_headers()
        for at in range(0, len(TEXT), 100):
            self.wfile.write(TEXT[at:at + 100].encode())
            self.wfile.flush()
            time.sleep(0.05)

    def busy(self):
        """The first two requests come too early."""
        self.requests['busy'] = self.requests.get('busy', 0) + 1
        if self.requests['busy'] < 3:
            self.error(503, 'too early')
        else:
            self.answer()

    def old(self):
        """A scheduler that does not know the header."""
        self.send(200, '{}', content_type='application/json')

    def hostile(self):
        """The message would color the terminal and forge a line."""
        self.error(409, 'red \x1b[31m\u009b31m\nopenstack: all is well')

    def proxy(self):
        """A proxy refuses in HTML."""
        self.send(403, '<html><body>no</body></html>', content_type='text/html')

    def who(self):
        """The text is the caller's credential."""
        names = ('x-auth-token', 'authorization')
        self.answer(''.join(f'{name}: {self.headers[name]}\n' for name in names if self.headers[name]))

    def do_GET(self):
        """Answer as the method of the last name in the path; a list has a hostile name in it."""
        name = self.path.split('?')[0].rsplit('/', 1)[-1]
        if name == 'decisions':
            self.send(200, json.dumps({'decisions': [{'decision_id': 'd1', 'flavor': 'red \x1b[31m',
                                                      'instance_names': ['web\r1', 'Zoë']}]}))
        else:
            getattr(self, name)()

    def log_message(self, *words):
        """Say nothing."""


if __name__ == '__main__':
    http.server.ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), Answers).serve_forever()
