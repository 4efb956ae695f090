import { h, Fragment, render, createContext } from 'preact';
import { useState, useEffect, useRef, useMemo, useContext, useCallback } from 'preact/hooks';
import { Problem } from './api.js';

export { h, Fragment, render, createContext, useState, useEffect, useRef, useMemo, useContext, useCallback };

/** Who signed in; its list `allowed` names the rules of the policy that hold. */
export const Caller = createContext(null);

export function useAllowed(rule) {
  const caller = useContext(Caller);
  return !!caller && caller.allowed.includes(rule);
}

const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
export const number = value => (value === null || value === undefined ? '–' : whole.format(value));
export const brief = value => (Math.abs(value) < 10000 ? whole.format(value) : short.format(value));
export const percent = share => `${Math.round(share * 100)} %`;
export const clock = time => new Date(time).toLocaleTimeString('en-GB');
export const moment = time => (time ? new Date(time).toLocaleString('en-GB') : '–');

/** An error as the service words it. */
export function Trouble({ problem, title }) {
  if (!problem) return null;
  return h('div', { class: 'trouble', role: 'alert' },
    h('strong', null, title || (problem.status ? `${problem.status} ${problem.code}` : problem.code || 'No answer')), ' ',
    h('span', { class: 'said' }, problem.message),
    problem.requestId ? h('span', { class: 'id' }, ` ${problem.requestId}`) : null);
}

export function Empty({ title, children }) {
  return h('div', { class: 'empty' }, h('h2', null, title), h('p', null, children));
}

export function State({ state }) {
  return h('span', { class: `state ${state}` }, STATES[state] || state);
}

export const STATES = {
  up: 'up', unknown: 'no service', disabled: 'disabled', down: 'down', forced_down: 'forced down',
};

/** A share as a bar; above 1 it is full and marked. A plain one does not say that much is bad. */
export function Bar({ share, label, plain }) {
  const bar = useRef();
  useEffect(() => {
    bar.current.style.width = `${Math.min(100, Math.max(0, share * 100))}%`;
  }, [share]);
  return h('span', { class: `bar${share > 1 ? ' over' : ''}`, role: 'img', 'aria-label': label || percent(share) },
    h('span', { ref: bar, class: plain ? '' : share > 0.9 ? 'hot' : share > 0.7 ? 'warm' : '' }));
}

const RETRY_MS = 2000;

/**
 * Loads again and again while the page is looked at: `every` milliseconds, or ten times what a load takes, so that the
 * page is never a burden. After a failure the last data stay, and `problem` says why they are not live.
 */
export function useLive(load, every, keys) {
  const [held, setHeld] = useState({ data: null, problem: null, at: 0 });
  const again = useRef(() => {});
  useEffect(() => {
    const stop = new AbortController();
    let timer = 0;
    setHeld({ data: null, problem: null, at: 0 });
    const run = async () => {
      clearTimeout(timer);
      if (document.hidden) return;
      const began = performance.now();
      let next;
      try {
        const data = await load(stop.signal);
        if (stop.signal.aborted) return;
        setHeld({ data, problem: null, at: Date.now() });
        next = Math.max(every, 10 * (performance.now() - began));
      } catch (failure) {
        if (stop.signal.aborted) return;
        if (!(failure instanceof Problem)) throw failure;
        setHeld(before => ({ ...before, problem: failure }));
        next = RETRY_MS;
      }
      timer = setTimeout(run, next);
    };
    const seen = () => { if (!document.hidden) run(); };
    again.current = run;
    document.addEventListener('visibilitychange', seen);
    run();
    return () => {
      stop.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', seen);
    };
  }, keys);
  return { ...held, again: () => again.current() };
}

export function Live({ live }) {
  const isLive = live.data !== null && !live.problem;
  const text = isLive ? `live, ${clock(live.at)}`
    : live.problem ? (live.at ? `not live since ${clock(live.at)}` : 'not live') : 'loading';
  return h('span', { class: `live ${isLive ? 'on' : 'off'}`, role: 'status' }, text);
}
