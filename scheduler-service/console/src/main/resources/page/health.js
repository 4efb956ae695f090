import { h, useAllowed, useLive, Live, Trouble, Wide, moment, number } from './parts.js';
import { ask, call, problemOf } from './api.js';
import { Working, useQuestion } from './explanation.js';
import { History, hasPrometheus, remember, remembered, useDay } from './history.js';

/** Reads a public route of the replica; result is null if health and metrics are served on another port (404). */
async function open(path, signal, read) {
  const answer = await ask('GET', path, undefined, null, signal);
  if (answer.response.status === 404) return { result: null };
  const result = read(answer);
  if (!result) throw problemOf(answer.response, answer.read);
  return { result };
}

const elsewhere = what => h('p', { class: 'hint' }, `${what} do not answer here: see berth.management.port.`);

/** Parses Prometheus' text format into samples with labels, by name. */
function parse(text) {
  const samples = new Map();
  for (const line of text.split('\n')) {
    const found = /^(berth_\w+|process_start_time_seconds)(?:\{(.*)\})? (\S+)/.exec(line);
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

/** Returns the cumulative histogram of decision times: pairs of limit in seconds and count. */
function decisions(samples) {
  const limits = (samples.get('berth_decision_phase_seconds_bucket') || []).filter(({ labels }) => ofAll(labels))
    .map(({ labels, value }) => [labels.le === '+Inf' ? Infinity : Number(labels.le), value]).sort(([a], [b]) => a - b);
  return { at: Date.now(), count: sum(samples, 'berth_decisions_total'), limits };
}

/** Returns the smallest histogram limit that covers this share of the decisions between two histograms; NaN for none. */
function quantile(before, now, share) {
  const since = now.limits.map(([limit, count], i) => [limit, count - (before.limits[i] ? before.limits[i][1] : 0)]);
  const all = since.length > 0 ? since.at(-1)[1] : 0;
  const found = all > 0 && since.find(([, count]) => count >= all * share);
  return found ? found[0] : NaN;
}

const WINDOW_MS = 60_000;
/** Histograms of the last minute by start time of the replica, since a load balancer alternates between replicas. */
const lately = new Map();

function measure(samples) {
  const now = decisions(samples);
  const started = sum(samples, 'process_start_time_seconds');
  const measurements = lately.get(started) || [];
  lately.set(started, measurements);
  measurements.push(now);
  while (measurements.length > 2 && now.at - measurements[1].at > WINDOW_MS) measurements.shift();
  const first = measurements[0];
  const rate = now.at > first.at ? (now.count - first.count) * 1000 / (now.at - first.at) : NaN;
  const p99 = quantile(first, now, 0.99) * 1000;
  const lines = { rate: `decisions a second ${started}`, p99: `p99 ${started}` };
  remember(lines.rate, rate, now.at);
  remember(lines.p99, p99, now.at);
  return { rate, p99, lines, started, allP99: quantile({ limits: [] }, now, 0.99) * 1000, count: now.count };
}

/** Replicas that responded to this tab, with the time of the last response. */
const replicas = new Map();

function seen(service, replica) {
  if (replica) replicas.set(`${service} ${replica.name}`, { service, ...replica, seen: Date.now() });
}

const EVERY_MS = 5000;

/** The view of health. Every part loads by itself, so that a failure of one does not hide the others. */
export function Health() {
  return h('section', { class: 'health' }, h('h1', null, 'Health'),
    h(Figures), hasPrometheus && h(OfAll), h(Replicas),
    h(Checks, { path: '/q/health/ready', title: 'Is this replica ready?' }),
    h(Checks, { path: '/q/health/well', title: 'Is all well with it?' }),
    h(PlacementSync),
    useAllowed('scheduler:audit:show') && h(Audit));
}

/** A part that reloads. @param show renders the response */
function Part({ title, load, show }) {
  const live = useLive(load, EVERY_MS, [title]);
  return h('section', null, h('div', { class: 'heading' }, h('h2', null, title), h(Live, { live })),
    h(Trouble, { problem: live.problem, title: live.data && 'Not live:' }), live.data && show(live.data));
}

const QUERIES = {
  rate: 'sum(rate(berth_decisions_total[5m]))',
  p99: '1000 * histogram_quantile(0.99, sum by (le) (rate(berth_decision_phase_seconds_bucket{phase="total"}[5m])))',
};

const rateText = value => (Number.isNaN(value) ? '–' : value < 10 ? value.toFixed(1) : number(Math.round(value)));
const msText = value => (Number.isNaN(value) ? '–' : value === Infinity ? 'beyond the last limit'
  : `at most ${value < 1000 ? `${Number(value.toPrecision(2))} ms` : `${Number((value / 1000).toPrecision(2))} s`}`);

function Figure({ title, text, points, hint }) {
  return h('div', { class: 'figure' }, h('dt', null, title), h('dd', null, h('strong', null, text), hint && h('span', { class: 'hint' }, ` ${hint}`),
    points && h('div', null, h(History, { points, label: title }))));
}

function Figures() {
  const load = signal => open('/q/metrics', signal, ({ response, text }) => {
    const samples = response.ok && parse(text);
    return samples && samples.size > 0 && { samples, measured: measure(samples) };
  });
  return h(Part, { title: 'This replica', load, show: ({ result }) => {
    if (!result) return elsewhere('Figures');
    const { samples, measured } = result;
    const pending = sum(samples, 'berth_rollbacks_pending');
    const age = sum(samples, 'berth_rollbacks_pending_age_seconds');
    return h('dl', { class: 'figures-list' },
      h(Figure, { title: 'Decisions a second', text: rateText(measured.rate), points: remembered(measured.lines.rate),
        hint: `${number(measured.count)} since it started, ${moment(measured.started * 1000)}` }),
      h(Figure, { title: '99 % of the last minute took', text: msText(measured.p99), points: remembered(measured.lines.p99), hint: `since it started ${msText(measured.allP99)}` }),
      h(Figure, { title: 'Pending releases', text: number(pending), hint: pending > 0 && age > 0 && `the oldest for ${number(Math.round(age))} s` }),
      h(Figure, { title: 'Records of decisions dropped', text: number(sum(samples, 'berth_decisions_dropped_total')) }),
      h(Figure, { title: 'Circuit breaker of placement', text: sum(samples, 'berth_placement_breaker') > 0 ? 'open' : 'closed' }));
  } });
}

/** Decisions of all replicas in the last day, from Prometheus. */
function OfAll() {
  const rate = useDay(QUERIES.rate, '');
  const p99 = useDay(QUERIES.p99, '');
  const trouble = rate.trouble || p99.trouble;
  const figure = (title, { points }, textOf) => points.get('') && points.get('').length > 0
    && h(Figure, { title, text: textOf(points.get('').at(-1)[1]), points: points.get('') });
  return h('section', null, h('h2', null, 'All replicas'),
    trouble && h('p', { class: 'hint' }, `No history from Prometheus: ${trouble}`),
    h('dl', { class: 'figures-list' }, figure('Decisions a second', rate, rateText), figure('99 % took', p99, msText)));
}

function Replicas() {
  const load = async signal => {
    const result = await call('GET', '/v1/replica', undefined, signal);
    seen('scheduler', result.scheduler);
    seen('placement', result.placement);
    return { trouble: result.placement_trouble, all: [...replicas.values()] };
  };
  return h(Part, { title: 'Replicas that answered', load, show: ({ trouble, all }) => [
    trouble && h('p', { class: 'hint' }, trouble),
    h(Wide, { label: 'Replicas' }, h('table', { class: 'list' },
      h('thead', null, h('tr', null, ['Service', 'Replica', 'Version', 'Runs since', 'Last answer'].map(text => h('th', { key: text, scope: 'col' }, text)))),
      h('tbody', null, all.map(replica => h('tr', { key: replica.service + replica.name },
        h('td', null, replica.service), h('th', { scope: 'row' }, replica.name), h('td', null, replica.version),
        h('td', null, moment(replica.started_at)), h('td', null, moment(replica.seen)))))))] });
}

/** Health checks of the replica; a replica that is down responds with 503 and the same body. */
function Checks({ path, title }) {
  const load = signal => open(path, signal, ({ read }) => read && Array.isArray(read.checks) && read.checks);
  return h(Part, { title, load, show: ({ result }) => (!result ? elsewhere('Checks') : h(Wide, { label: title }, h('table', { class: 'list' },
    h('thead', null, h('tr', null, ['Check', 'State', 'Says'].map(text => h('th', { key: text, scope: 'col' }, text)))),
    h('tbody', null, result.map(check => h('tr', { key: check.name },
      h('th', { scope: 'row' }, check.name), h('td', null, h('span', { class: `state ${check.status === 'UP' ? 'up' : 'down'}` }, check.status.toLowerCase())),
      h('td', null, Object.entries(check.data || {}).map(([key, value]) => `${key}: ${value}`).join('; ')))))))) });
}

function PlacementSync() {
  const load = signal => call('GET', '/v1/placement_sync', undefined, signal);
  return h(Part, { title: 'Placement sync', load, show: sync => (sync.pending === 0
    ? h('p', null, sync.enabled ? 'Placement holds all that is registered.' : 'The placement sync is disabled.')
    : h('div', null, h('p', null, `${number(sync.pending)} hosts are pending, the oldest since ${moment(sync.oldest_since)}.`),
      sync.last_error && h('p', { class: 'trouble' }, sync.last_error),
      h('ul', null, sync.hosts.map(host => h('li', { key: host.host }, h('strong', null, host.host), ` since ${moment(host.since)}, ${host.attempts} attempts `,
        host.last_error))))) });
}

const SHOWN = 20;

/** Placement's audit. Runs on request only, because it reads all tables. */
function Audit() {
  const question = useQuestion();
  const result = question.result;
  const kinds = result ? [...new Set(result.findings.map(finding => finding.kind))] : [];
  return h('section', { class: 'audit' }, h('h2', null, 'Audit of placement\'s tables'),
    h('p', { class: 'controls' }, h('button', { type: 'button', onClick: () => question.ask(signal => call('GET', '/v1/audit', undefined, signal)) }, result ? 'Audit again' : 'Audit'),
      h('span', { class: 'hint' }, 'Reads all tables, changes nothing.')),
    h(Working, { question, label: 'Auditing' }),
    result && result.findings.length === 0 && h('p', { role: 'status' }, 'Nothing was found: counters, consumers, providers and memory agree.'),
    kinds.map(kind => {
      const found = result.findings.filter(finding => finding.kind === kind);
      return h('section', { key: kind, class: 'finding' }, h('h3', null, `${kind.replaceAll('_', ' ')} (${result.truncated.includes(kind) ? 'more than ' : ''}${number(found.length)})`),
        h('p', null, result.advice[kind], h('span', { class: 'hint' }, ` Cure: ${found[0].cure.replaceAll('_', ' ')}.`)),
        h('ul', null, found.slice(0, SHOWN).map(finding => h('li', { key: finding.id }, h('code', null, JSON.stringify(finding.detail))))));
    }),
    result && result.findings.length > 0 && h('details', null, h('summary', null, 'The plan to heal it: POST /berth/v1/audit of placement'),
      h('pre', { tabIndex: 0 }, JSON.stringify({ apply: result.findings.map(finding => finding.id) }, null, 2))),
    result && result.audits.length > 0 && h('ul', null, result.audits.slice(0, 5).map(audit => h('li', { key: audit.id },
      `${moment(audit.at)}: ${audit.user_id} had ${number(audit.rows)} rows healed${audit.undone_at ? `, undone ${moment(audit.undone_at)}` : ''}`))));
}
