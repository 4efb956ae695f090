import { h, useState, useEffect, useAllowed, useLive, Live, Trouble, moment, number } from './parts.js';
import { call } from './api.js';
import { Working, useQuestion } from './explanation.js';
import { History, hasPrometheus, ofPrometheus, remember, remembered } from './history.js';

/** Of this replica alone; none where they have a port of their own. Checks answer with 503 as well. */
async function open(path, signal) {
  try {
    const response = await fetch(path, { signal, credentials: 'omit', cache: 'no-store' });
    const text = await response.text();
    return response.status === 404 ? '' : text;
  } catch (lost) {
    if (signal.aborted) throw lost;
    return '';
  }
}

/** Samples of the text format by name, each with its labels. */
function parse(text) {
  const samples = new Map();
  for (const line of text.split('\n')) {
    const found = /^(berth_\w+)(?:\{(.*)\})? (\S+)/.exec(line);
    if (!found) continue;
    const [, name, labels, value] = found;
    if (!samples.has(name)) samples.set(name, []);
    samples.get(name).push({
      labels: Object.fromEntries([...(labels || '').matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key, text])),
      value: Number(value),
    });
  }
  return samples;
}

const sum = (samples, name, keep = () => true) =>
  (samples.get(name) || []).filter(({ labels }) => keep(labels)).reduce((total, { value }) => total + value, 0);

const ofAll = ({ phase }) => phase === 'total';

/** Decisions so far, and how many of them took no longer than each limit. */
function decisions(samples) {
  const limits = (samples.get('berth_decision_phase_seconds_bucket') || []).filter(({ labels }) => ofAll(labels))
    .map(({ labels, value }) => [labels.le === '+Inf' ? Infinity : Number(labels.le), value]).sort(([a], [b]) => a - b);
  return { at: Date.now(), count: sum(samples, 'berth_decisions_total'), limits };
}

/** The smallest limit that so many of them kept since then; NaN for none. */
function quantile(before, now, share) {
  const since = now.limits.map(([limit, count], i) => [limit, count - (before.limits[i] ? before.limits[i][1] : 0)]);
  const all = since.length > 0 ? since.at(-1)[1] : 0;
  const found = all > 0 && since.find(([, count]) => count >= all * share);
  return found ? found[0] : NaN;
}

const WINDOW_MS = 60_000;
/** The last minute of them; gone with the tab. */
let lately = [];

function measure(samples) {
  const now = decisions(samples);
  // Less than before: another replica answered, or the same began anew.
  if (lately.length > 0 && now.count < lately.at(-1).count) lately = [];
  lately.push(now);
  while (lately.length > 2 && now.at - lately[1].at > WINDOW_MS) lately.shift();
  const first = lately[0];
  const rate = now.at > first.at ? (now.count - first.count) * 1000 / (now.at - first.at) : NaN;
  const p99 = quantile(first, now, 0.99) * 1000;
  remember('decisions a second', rate, now.at);
  remember('p99', p99, now.at);
  return { rate, p99, allP99: quantile({ limits: [] }, now, 0.99) * 1000, count: now.count };
}

/** Who answered, with when; gone with the tab. Behind a balancer others may answer next. */
const replicas = new Map();

function seen(service, replica) {
  if (replica) replicas.set(`${service} ${replica.name}`, { service, ...replica, seen: Date.now() });
}

async function load(signal) {
  const [mirror, health, metrics, replica] = await Promise.all([
    call('GET', '/v1/mirror', undefined, signal), open('/q/health/well', signal), open('/q/metrics', signal),
    call('GET', '/v1/replica', undefined, signal)]);
  seen('scheduler', replica.scheduler);
  seen('placement', replica.placement);
  const samples = parse(metrics);
  let checks = [];
  try {
    checks = JSON.parse(health).checks;
  } catch (elsewhere) {
    // Said below.
  }
  return { mirror, checks, samples, replica, measured: samples.size > 0 ? measure(samples) : null, replicas: [...replicas.values()] };
}

export function Health() {
  const live = useLive(load, 5000, []);
  const data = live.data;
  return h('section', { class: 'health' },
    h('div', { class: 'heading' }, h('h1', null, 'Health'), h(Live, { live })),
    h(Trouble, { problem: live.problem }),
    data && h(Figures, { data }),
    data && h(Replicas, { data }),
    data && h(Checks, { checks: data.checks }),
    data && h(Mirror, { mirror: data.mirror }),
    useAllowed('scheduler:audit:show') && h(Audit));
}

const QUERIES = {
  rate: 'sum(rate(berth_decisions_total[5m]))',
  p99: '1000 * histogram_quantile(0.99, sum by (le) (rate(berth_decision_phase_seconds_bucket{phase="total"}[5m])))',
};

/** A day of all replicas from Prometheus, where there is one. */
function useDay() {
  const [day, setDay] = useState({});
  useEffect(() => {
    if (!hasPrometheus) return undefined;
    const stop = new AbortController();
    for (const [name, query] of Object.entries(QUERIES)) {
      ofPrometheus(query, '', stop.signal).then(
        told => setDay(before => ({ ...before, [name]: [...told.values()].find(points => points.length > 1) })),
        failure => stop.signal.aborted || setDay(before => ({ ...before, trouble: failure.message })));
    }
    return () => stop.abort();
  }, []);
  return day;
}

function Figures({ data }) {
  const { measured, samples } = data;
  const day = useDay();
  if (!measured) return h('p', { class: 'hint' }, 'Figures do not answer here: see berth.management.port.');
  const pending = sum(samples, 'berth_releases_pending');
  const age = sum(samples, 'berth_releases_pending_age_seconds');
  const dropped = sum(samples, 'berth_decisions_dropped_total');
  const rate = value => (Number.isNaN(value) ? '–' : value < 10 ? value.toFixed(1) : number(Math.round(value)));
  const ms = value => (Number.isNaN(value) ? '–' : value === Infinity ? 'beyond the last limit' : `at most ${value < 1000 ? `${Number(value.toPrecision(2))} ms` : `${Number((value / 1000).toPrecision(2))} s`}`);
  const figure = (title, text, points, hint) => h('div', { key: title, class: 'figure' }, h('dt', null, title),
    h('dd', null, h('strong', null, text), hint && h('span', { class: 'hint' }, ` ${hint}`), points && h('div', null, h(History, { points, label: title }))));
  return h('section', null, h('h2', null, 'This replica'),
    day.trouble && h('p', { class: 'hint' }, `No history from Prometheus: ${day.trouble}`),
    h('dl', { class: 'figures-list' },
      figure('Decisions a second', rate(measured.rate), day.rate || remembered('decisions a second'), `${number(measured.count)} since it started`),
      figure('99 % of the last minute took', ms(measured.p99), day.p99 || remembered('p99'), `since it started ${ms(measured.allP99)}`),
      figure('Pending releases', number(pending), null, pending > 0 && age > 0 ? `the oldest for ${number(Math.round(age))} s` : ''),
      figure('Records of decisions dropped', number(dropped)),
      figure('Circuit breaker of placement', sum(samples, 'berth_placement_breaker') > 0 ? 'open' : 'closed')));
}

function Replicas({ data }) {
  return h('section', null, h('h2', null, 'Replicas that answered'),
    data.replica.placement_trouble && h('p', { class: 'hint' }, data.replica.placement_trouble),
    h('table', { class: 'list' },
      h('thead', null, h('tr', null, ['Service', 'Replica', 'Version', 'Runs since', 'Last answer'].map(text => h('th', { key: text, scope: 'col' }, text)))),
      h('tbody', null, data.replicas.map(replica => h('tr', { key: replica.service + replica.name },
        h('td', null, replica.service), h('th', { scope: 'row' }, replica.name), h('td', null, replica.version),
        h('td', null, moment(replica.started_at)), h('td', null, moment(replica.seen)))))));
}

function Checks({ checks }) {
  return h('section', null, h('h2', null, 'Checks of this replica'),
    checks.length === 0 ? h('p', { class: 'hint' }, 'They do not answer here: see berth.management.port.') : h('table', { class: 'list' },
      h('thead', null, h('tr', null, ['Check', 'State', 'Says'].map(text => h('th', { key: text, scope: 'col' }, text)))),
      h('tbody', null, checks.map(check => h('tr', { key: check.name },
        h('th', { scope: 'row' }, check.name), h('td', null, h('span', { class: `state ${check.status === 'UP' ? 'up' : 'down'}` }, check.status.toLowerCase())),
        h('td', null, Object.entries(check.data || {}).map(([key, value]) => `${key}: ${value}`).join('; ')))))));
}

function Mirror({ mirror }) {
  return h('section', null, h('h2', null, 'Mirror of the registry in placement'),
    mirror.pending === 0
      ? h('p', null, mirror.enabled ? 'Placement holds all that is registered.' : 'The mirror is switched off.')
      : h('div', null, h('p', null, `${number(mirror.pending)} hosts are pending, the oldest since ${moment(mirror.oldest_since)}.`),
        mirror.last_error && h('p', { class: 'trouble' }, mirror.last_error),
        h('ul', null, mirror.hosts.map(host => h('li', { key: host.host }, h('strong', null, host.host), ` since ${moment(host.since)}, ${host.attempts} attempts `,
          host.last_error)))));
}

const SHOWN = 20;

/** What should not be in placement's tables. It reads all of them: asked for, not polled. */
function Audit() {
  const question = useQuestion();
  const told = question.told;
  const kinds = told ? [...new Set(told.findings.map(finding => finding.kind))] : [];
  return h('section', { class: 'audit' }, h('h2', null, 'Audit of placement\'s tables'),
    h('p', { class: 'controls' }, h('button', { type: 'button', onClick: () => question.ask(signal => call('GET', '/v1/audit', undefined, signal)) }, told ? 'Audit again' : 'Audit'),
      h('span', { class: 'hint' }, 'Reads all tables, changes nothing.')),
    h(Working, { question, label: 'Auditing' }),
    told && told.findings.length === 0 && h('p', { role: 'status' }, 'Nothing was found: counters, consumers, providers and memory agree.'),
    kinds.map(kind => {
      const found = told.findings.filter(finding => finding.kind === kind);
      return h('section', { key: kind, class: 'finding' }, h('h3', null, `${kind.replaceAll('_', ' ')} (${told.truncated.includes(kind) ? 'more than ' : ''}${number(found.length)})`),
        h('p', null, told.advice[kind], h('span', { class: 'hint' }, ` Cure: ${found[0].cure.replaceAll('_', ' ')}.`)),
        h('ul', null, found.slice(0, SHOWN).map(finding => h('li', { key: finding.id }, h('code', null, JSON.stringify(finding.detail))))));
    }),
    told && told.findings.length > 0 && h('details', null, h('summary', null, 'The plan to heal it: POST /berth/v1/audit of placement'),
      h('pre', { tabIndex: 0 }, JSON.stringify({ apply: told.findings.map(finding => finding.id) }, null, 2))),
    told && told.audits.length > 0 && h('ul', null, told.audits.slice(0, 5).map(audit => h('li', { key: audit.id },
      `${moment(audit.at)}: ${audit.user_id} had ${number(audit.rows)} rows healed${audit.undone_at ? `, undone ${moment(audit.undone_at)}` : ''}`))));
}
