"""What became of nova's messages, by the logs of nova and of Berth's schedulers: sent, come, answered, answer come."""
import datetime
import glob
import os
import re

import state

# The time, then whose request it is (none before a received message is read), then what happened.
LINE = re.compile(r'(\d{4}-\S+ \S+?)[.,]\d+ .*? \[(.*?)\] (.*)')
REQUEST = re.compile(r'req-[0-9a-f-]{36}')
SENT = re.compile(r"(?:CALL msg_id|CAST unique_id): (\w{32}) .*topic '([^']*)'")
CAME = re.compile(r'received message (?:with unique_id|msg_id): (\w{32})|message came .*unique_id=(\w+) msg_id=(\w+)')
ANSWERED = re.compile(r'sending reply msg_id: (\w{32})|message done .*msg_id=(\w+)')
ANSWER_CAME = re.compile(r'received reply msg_id: (\w{32})')
NOBODY = re.compile(r'No calling threads waiting for msg_id : (\w{32})')


class Message:
    """One that nova sent."""

    def __init__(self, sender, at, requests, topic, call):
        self.sender, self.at, self.requests, self.topic, self.call = sender, at, requests, topic, call
        self.steps = {}

    def is_lost(self):
        return 'came' not in self.steps or self.call and 'answer came' not in self.steps or 'nobody' in self.steps

    def __str__(self):
        if 'came' not in self.steps:
            end = 'never came'
        elif not self.call:
            end = 'came to ' + self.steps['came']
        elif 'nobody' in self.steps:
            end = 'answered by %s when nobody waited any more' % self.steps.get('answered')
        elif 'answer came' in self.steps:
            end = 'answered by %s' % self.steps.get('answered')
        elif 'answered' in self.steps:
            end = 'answered by %s, the answer never came' % self.steps['answered']
        else:
            end = 'came to %s, never answered' % self.steps['came']
        return '%s of %s to %s at %s: %s' % ('call' if self.call else 'cast', self.sender, self.topic, self.at.time(), end)


def read():
    """All of nova's messages by their id: that of a call, or the unique one of a cast."""
    files = {}
    for pattern in ('nova-*.log', 'cmp*.log'):
        for path in glob.glob(str(state.path('log', pattern))):
            files[os.path.basename(path).removesuffix('.log')] = [path]
    if os.environ.get('BERTH_STATE_DIR'):
        files['Berth'] = glob.glob(os.path.join(os.environ['BERTH_STATE_DIR'], 'log', 'scheduler*.log*'))
    messages, steps = {}, {}
    for name, paths in files.items():
        for path in paths:
            with open(path, errors='replace') as lines:
                for line in lines:
                    note(messages, steps, name, line)
    for key, seen in steps.items():
        if key in messages:
            messages[key].steps = seen
    return messages


def note(messages, steps, name, line):
    sent, said = SENT.search(line), LINE.match(line)
    if sent and said and ' FANOUT ' not in line:
        messages[sent[1]] = Message(name, datetime.datetime.fromisoformat(said[1]), REQUEST.findall(said[2]), sent[2],
                                    'CALL' in sent[0])
        return
    for step, pattern in (('came', CAME), ('answered', ANSWERED), ('answer came', ANSWER_CAME), ('nobody', NOBODY)):
        found = pattern.search(line)
        for key in (found.groups() if found else ()):
            if key and len(key) == 32:
                steps.setdefault(key, {})[step] = name


def of(messages, requests):
    """Those that were sent for these requests, by their times."""
    return sorted((one for one in messages.values() if set(requests) & set(one.requests)), key=lambda one: one.at)
