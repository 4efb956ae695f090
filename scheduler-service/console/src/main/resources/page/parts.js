import { h, Fragment, render, createContext } from 'preact';
import { useState, useEffect, useRef, useMemo, useContext, useErrorBoundary } from 'preact/hooks';
import { Problem } from './api.js';

export { h, Fragment, render, createContext, useState, useEffect, useRef, useMemo, useContext };

/** Context with the signed-in caller; its list `allowed` has the policy rules that the caller satisfies. */
export const Caller = createContext(null);

export function useAllowed(rule) {
  const caller = useContext(Caller);
  return !!caller && caller.allowed.includes(rule);
}

const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
export const number = value => (value === null || value === undefined ? '–' : whole.format(value));
export const brief = value => (Math.abs(value) < 10000 ? whole.format(value) : short.format(value));
/** Resource classes whose amounts are shown in a readable unit; the value is the index of placement's unit in BYTES. */
const UNITS = { MEMORY_MB: 0, DISK_GB: 1 };
const BYTES = ['MiB', 'GiB', 'TiB', 'PiB'];
const tenth = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
export function amount(name, value, otherwise = number) {
  if (!(name in UNITS) || !Number.isFinite(value)) return otherwise(value);
  let unit = UNITS[name];
  let shown = value;
  for (; Math.abs(shown) >= 1024 && unit < BYTES.length - 1; unit++) shown /= 1024;
  return `${tenth.format(shown)} ${BYTES[unit]}`;
}
export const percent = share => `${Math.round(share * 100)} %`;
export const clock = time => new Date(time).toLocaleTimeString('en-GB');
export const moment = time => (time ? new Date(time).toLocaleString('en-GB') : '–');
/** Returns the time of day, with the date if it is not today. */
export const since = time => (new Date(time).toDateString() === new Date().toDateString() ? clock(time) : moment(time));

/** Quotes a text as one word of a POSIX shell. */
export const quoted = text => (/^[\w./:=,@%+-]+$/.test(text) ? text : `'${String(text).replaceAll("'", "'\\''")}'`);

/** A link to a host by its name. */
export function HostLink({ host }) {
  return h('a', { href: `#/hosts/${encodeURIComponent(host)}` }, host);
}

/** Links to instances, by their names if they have some. */
export function InstanceLinks({ uuids, names = [], shown = uuids.length }) {
  return h(Fragment, null, uuids.slice(0, shown).map((uuid, i) => h(Fragment, { key: uuid }, i > 0 && ', ',
    h('a', { href: `#/instances/${uuid}` }, names[i] || h('code', null, uuid)))), uuids.length > shown && ` and ${number(uuids.length - shown)} more`);
}

/** Shows an error of the service. Screen readers skip the request id, which differs each time. */
export function Trouble({ problem, title }) {
  if (!problem) return null;
  const kind = problem.status ? `${problem.status} ${problem.code}` : problem.code || (problem instanceof Problem ? 'No answer' : 'The page failed:');
  return h('div', { class: 'trouble' },
    h('span', { role: 'alert' }, h('strong', null, title || kind), ' ', h('span', { class: 'said' }, problem.message)),
    problem.requestId ? h('span', { class: 'id' }, ` ${problem.requestId}`) : null);
}

/** Shows an error instead of children whose rendering fails, so that the rest of the page still works. */
export function Guard({ children }) {
  const [failure, again] = useErrorBoundary(thrown => console.error(thrown));
  if (!failure) return children;
  return h('section', null, h('h1', null, 'This cannot be shown'), h(Trouble, { problem: failure }),
    h('button', { type: 'button', class: 'primary', onClick: again }, 'Try again'));
}

export function Empty({ title, children }) {
  return h('div', { class: 'empty' }, h('h2', null, title), h('p', null, children));
}

/** A region that scrolls horizontally if its content is wider than the page, with the keyboard too. */
export function Wide({ label, children }) {
  return h('div', { class: 'wide', tabIndex: 0, role: 'region', 'aria-label': label }, children);
}

export function State({ state }) {
  return h('span', { class: `state ${state}` }, STATES[state] || state);
}

export const STATES = {
  up: 'up', unknown: 'no service', disabled: 'disabled', down: 'down', forced_down: 'forced down',
};

/** A share as a bar; a share above 1 is a full bar with a mark. A plain bar has no colors of warning. */
export function Bar({ share, label, plain }) {
  const bar = useRef();
  useEffect(() => {
    bar.current.style.width = `${Math.min(100, Math.max(0, share * 100))}%`;
  }, [share]);
  return h('span', { class: `bar${share > 1 ? ' over' : ''}`, role: 'img', 'aria-label': label || percent(share) },
    h('span', { ref: bar, class: plain ? '' : share > 0.9 ? 'hot' : share > 0.7 ? 'warm' : '' }));
}

/** A hook for a write, which the user cannot stop. Its member problem is the error of the last one, busy is true meanwhile. */
export function useAction() {
  const [state, setState] = useState({ problem: null, busy: false });
  const run = async action => {
    setState({ problem: null, busy: true });
    try {
      await action();
      setState({ problem: null, busy: false });
    } catch (problem) {
      setState({ problem, busy: false });
      if (!(problem instanceof Problem)) throw problem;
    }
  };
  return { ...state, run };
}

const RETRY_MS = 2000;
/** Pause after a refused request (4xx), and the longest pause after other failures. */
const REST_MS = 30_000;
/** Maximum pause, also if Retry-After is longer. */
const REST_MS_MAX = 300_000;
const NOTHING = { data: null, problem: null, at: 0, next: 0 };

function restAfter(failure, took) {
  const refused = failure.status >= 400 && failure.status < 500;
  return Math.max(refused ? REST_MS : RETRY_MS, Math.min(REST_MS_MAX, failure.retryAfterMs || 0), Math.min(REST_MS, 10 * took));
}

/**
 * A hook that loads data repeatedly while the page is visible: every `every` milliseconds, or after ten times the duration
 * of a load, so that the page causes little load. After a failure the last data stay, and `problem` has the error. A new
 * load cancels the previous one.
 */
export function useLive(load, every, keys) {
  const [held, setHeld] = useState(NOTHING);
  const again = useRef(() => {});
  useEffect(() => {
    let mine = new AbortController();
    let timer = 0;
    setHeld(NOTHING);
    const stop = () => {
      mine.abort();
      clearTimeout(timer);
    };
    const run = async () => {
      stop();
      if (document.hidden) return;
      const { signal } = mine = new AbortController();
      const began = performance.now();
      let next;
      try {
        const data = await load(signal);
        if (signal.aborted) return;
        next = Math.max(every, 10 * (performance.now() - began));
        setHeld({ data, problem: null, at: Date.now(), next });
      } catch (failure) {
        if (signal.aborted) return;
        if (!(failure instanceof Problem)) console.error(failure);
        setHeld(before => ({ ...before, problem: failure }));
        next = restAfter(failure, performance.now() - began);
      }
      timer = setTimeout(run, next);
    };
    const seen = () => { if (!document.hidden) run(); };
    again.current = run;
    document.addEventListener('visibilitychange', seen);
    run();
    return () => {
      stop();
      document.removeEventListener('visibilitychange', seen);
    };
  }, keys);
  return { ...held, again: () => again.current() };
}

/** Shows whether data are live: until two loads are missing. Screen readers read only this state, not the time. */
export function Live({ live }) {
  const [old, setOld] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setOld(live.at), 2 * live.next);
    return () => clearTimeout(timer);
  }, [live.at]);
  const isLive = live.data !== null && !live.problem && old !== live.at;
  const [state, time] = live.problem ? ['not live', live.at ? ` since ${since(live.at)}` : '']
    : live.data === null ? ['loading', '']
      : isLive ? ['live', `, ${clock(live.at)}`] : ['', `as of ${since(live.at)}`];
  return h('span', { class: `live ${isLive ? 'on' : 'off'}` }, h('span', { role: 'status' }, state), time);
}
