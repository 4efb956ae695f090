"""Processes that the trial started: known by process id and start time, so that no other one is ever ended."""
import os
import signal
import subprocess
import time

import state


def started_at(pid):
    """The start time of a process in ticks, or None when there is none (a dead one that waits for its parent is none)."""
    try:
        with open('/proc/%d/stat' % pid) as file:
            fields = file.read().rsplit(')', 1)[1].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] == 'Z' else int(fields[19])


def alive(name):
    known = state.load()['processes'].get(name)
    return bool(known) and started_at(known['pid']) == known['start']


class Undisturbed:
    """While inside, signals that end this process wait: whatever it starts is on record first."""

    def __enter__(self):
        self.came = []
        self.old = {number: signal.signal(number, lambda came, frame: self.came.append(came))
                    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)}

    def __exit__(self, *trouble):
        for number, handler in self.old.items():
            signal.signal(number, handler)
        for number in self.came:
            os.kill(os.getpid(), number)


def start(name, command, user=None, **more):
    """Starts it in a session of its own, with its output in log/NAME.out, unless it runs."""
    if alive(name):
        return
    environment = {'PATH': '/usr/sbin:/usr/bin:/sbin:/bin', 'LANG': 'C.UTF-8', 'HOME': str(state.folder()),
                   'PYTHONDONTWRITEBYTECODE': '1', **more.pop('environment', {})}
    with Undisturbed(), open(state.path('log', name + '.out'), 'ab') as output:
        child = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=output,
                                 stderr=subprocess.STDOUT, start_new_session=True, env=environment, user=user,
                                 group=user, extra_groups=[] if user else None, **more)
        known = state.load()['processes']
        known[name] = {'pid': child.pid, 'start': started_at(child.pid)}
        state.update(processes=known)


def stop(name, first=signal.SIGTERM, patience=30):
    """Asks it to end, then ends its whole session."""
    if alive(name):
        pid = state.load()['processes'][name]['pid']
        os.kill(pid, first)
        limit = time.monotonic() + patience
        while alive(name) and time.monotonic() < limit:
            reap()
            time.sleep(0.1)
        try:
            os.killpg(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        while alive(name):
            reap()
            time.sleep(0.1)
    known = state.load()['processes']
    known.pop(name, None)
    state.update(processes=known)


def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def wait(name, ready, seconds, what):
    """Until ready() is true; a process that died meanwhile is trouble."""
    limit = time.monotonic() + seconds
    while not ready():
        if not alive(name):
            raise state.Trouble('%s ended: see %s' % (name, state.path('log', name + '.out')))
        if time.monotonic() > limit:
            raise state.Trouble('%s is not %s after %d seconds: see %s' % (name, what, seconds, state.path('log')))
        time.sleep(0.5)


def run(name, command, allowed=(0,), **more):
    """Runs a command to its end; its output goes to log/NAME.out, and to the user if it fails."""
    environment = {'PATH': '/usr/sbin:/usr/bin:/sbin:/bin', 'LANG': 'C.UTF-8', 'HOME': str(state.folder()),
                   'PYTHONDONTWRITEBYTECODE': '1', **more.pop('environment', {})}
    user = more.pop('user', None)
    done = subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, env=environment, user=user, group=user,
                          extra_groups=[] if user else None, **more)
    with open(state.path('log', name + '.out'), 'a') as output:
        output.write(done.stdout)
    if done.returncode not in allowed:
        raise state.Trouble('%s failed (%d):\n%s' % (name, done.returncode, done.stdout[-2000:]))
    return done


def tell():
    for name, known in state.load()['processes'].items():
        print('%-16s %7d %s' % (name, known['pid'], 'runs' if alive(name) else 'ENDED'))
