import { h, useLive, number, since } from './parts.js';

/** Values that this tab has received, by name: lists of [time in ms, value], the latest last. */
const seen = new Map();
const KEPT_MAX = 1440;

export function remember(name, value, at) {
  if (!Number.isFinite(value)) return;
  const points = seen.get(name) || [];
  if (points.length > 0 && points.at(-1)[0] === at) return;
  points.push([at, value]);
  if (points.length > KEPT_MAX) points.shift();
  seen.set(name, points);
}

export const remembered = name => seen.get(name) || [];

const prometheus = document.querySelector('meta[name=prometheus]').content;
export const hasPrometheus = prometheus !== '';
const HOURS = 24;
const STEP_S = 300;
const ANSWER_MS_MAX = 30_000;

/** A hook for a day's results of a Prometheus query by the value of a label, reloaded every step; empty without Prometheus. */
export function useDay(query, label) {
  const { data } = useLive(signal => ofPrometheus(query, label, AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS_MAX)])).then(
    points => ({ points, trouble: null }), failure => ({ points: new Map(), trouble: failure.message })), STEP_S * 1000, [query]);
  return data || { points: new Map(), trouble: null };
}

/** Queries Prometheus, without the user's credential. */
async function ofPrometheus(query, label, signal) {
  if (!hasPrometheus) return new Map();
  const end = Math.floor(Date.now() / 1000);
  const asked = new URLSearchParams({ query, start: end - HOURS * 3600, end, step: STEP_S });
  const response = await fetch(`${prometheus}/api/v1/query_range?${asked}`, { signal, credentials: 'omit', referrerPolicy: 'no-referrer' });
  const read = await response.json();
  if (read.status !== 'success') throw new Error(read.error || `Prometheus answered ${response.status}`);
  return new Map(read.data.result.map(({ metric, values }) =>
    [metric[label] || '', values.map(([second, value]) => [second * 1000, Number(value)]).filter(([, value]) => Number.isFinite(value))]));
}

/** Appends this tab's later values to Prometheus' values. */
export function joined(recorded = [], own) {
  return recorded.length === 0 ? own : [...recorded, ...own.filter(([at]) => at > recorded.at(-1)[0])];
}

const WIDTH = 220;
const HEIGHT = 36;

/** A line chart, with its first, last, lowest and highest value in a text. */
export function History({ points, label }) {
  if (points.length < 2) return h('span', { class: 'hint' }, 'from now on');
  const [from, to] = [points[0][0], points.at(-1)[0]];
  const values = points.map(([, value]) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const line = points.map(([at, value]) => {
    const x = (at - from) / Math.max(1, to - from) * (WIDTH - 4) + 2;
    const y = HEIGHT - 3 - (value - least) / Math.max(1e-9, most - least) * (HEIGHT - 6);
    return `${x.toFixed(1)},${(most === least ? HEIGHT / 2 : y).toFixed(1)}`;
  }).join(' ');
  const summary = `${least === most ? '' : `${number(least)} to `}${number(most)} since ${since(from)}`;
  return h('span', { class: 'history' },
    h('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, role: 'img', 'aria-label': `${label}: ${summary}` },
      h('polyline', { points: line })),
    h('span', { class: 'hint' }, summary));
}
