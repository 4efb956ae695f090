import { h, Fragment, useState, useEffect, useLive, useAllowed, HostLink, InstanceLinks, Live, Trouble, Empty, Bar, Wide, number, moment, quoted } from './parts.js';
import { call } from './api.js';
import { addressOf, go, queryOf, useForm } from './place.js';
import { Suggestions, keepFlavors, useNames } from './names.js';
import { Copies, withRequest } from './copy.js';
import { Explained, Warnings, Working, explain, useQuestion } from './explanation.js';

const SHOWN = 20;
const PAGE = 50;
const RESULTS = { selected: 'selected', no_valid_host: 'no valid host', error: 'error' };
const FILTERS = [['instance', 'Instance', 38], ['project', 'Project', 16], ['flavor', 'Flavor', 14, 'flavors'], ['host', 'Host', 16, 'hosts']];
/** Ends of the period. The address has them in UTC, the form in the browser's time. */
const TIMES = [['since', 'From'], ['until', 'Until']];
const NAMES = [...FILTERS.map(([name]) => name), 'result', 'since', 'until', 'marker'];

export function Decisions({ id, query }) {
  return id ? h(Decision, { key: id, id, query }) : h(List, { query });
}

/** Returns a time of the address as a value of a form's field; empty if it is none. */
function localTime(text) {
  const time = new Date(text || NaN);
  return Number.isNaN(time.getTime()) ? '' : new Date(time - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function List({ query }) {
  const given = new URLSearchParams(query);
  const asked = Object.fromEntries(NAMES.map(name => [name, given.get(name) || '']));
  const names = useNames();
  const search = queryOf({ ...asked, limit: PAGE });
  const path = `/v1/decisions?${search}`;
  const live = useLive(async signal => {
    const result = await call('GET', path, undefined, signal);
    keepFlavors(result.decisions || []);
    return result;
  }, 4000, [path]);
  const [key, open] = useForm(query, wanted => go(addressOf('decisions', wanted)));
  const look = event => {
    event.preventDefault();
    const values = Object.fromEntries([...new FormData(event.target)].map(([name, value]) => [name, value.trim()]));
    for (const [name] of TIMES) {
      // A time that the form shows in minutes keeps its seconds.
      values[name] = values[name] === localTime(asked[name]) ? asked[name] : values[name] && new Date(values[name]).toISOString();
    }
    open(queryOf(values));
  };
  const { marker, ...filters } = asked;
  const isSearch = Object.values(filters).some(value => value !== '');
  const found = live.data && live.data.decisions;
  const older = live.data && live.data.decisions_links && found.length > 0 && found.at(-1).decision_id;
  const command = ['openstack placement decision list', ...Object.entries(filters).filter(([, value]) => value).map(([name, value]) => `--${name} ${quoted(value)}`), `--limit ${PAGE}`];
  return h('section', { class: 'decisions' },
    h('div', { class: 'heading' }, h('h1', null, 'Decisions'), h(Live, { live })),
    h('form', { key, class: 'controls', onSubmit: look },
      FILTERS.map(([name, label, size, list]) => h('label', { key: name, for: `by-${name}` }, label,
        h('input', { id: `by-${name}`, name, type: 'search', size, list: list && `some-${list}`, defaultValue: asked[name], spellcheck: false, autocomplete: 'off', placeholder: 'any' }))),
      h(Suggestions, { id: 'some-flavors', values: names.flavors }), h(Suggestions, { id: 'some-hosts', values: names.hosts }),
      h('label', { for: 'by-result' }, 'Result', h('select', { id: 'by-result', name: 'result', defaultValue: asked.result },
        h('option', { value: '' }, 'any'), Object.entries(RESULTS).map(([value, text]) => h('option', { key: value, value, selected: asked.result === value }, text)))),
      TIMES.map(([name, label]) => h('label', { key: name, for: `by-${name}` }, label,
        h('input', { id: `by-${name}`, name, type: 'datetime-local', defaultValue: localTime(asked[name]) }))),
      h('button', { type: 'submit' }, 'Search')),
    h(Reasons),
    h(Trouble, { problem: live.problem }),
    !found ? !live.problem && h('p', { class: 'loading', role: 'status' }, 'Loading…')
      : found.length === 0 ? h(Empty, { title: isSearch ? 'No decision is like that' : 'There are no decisions yet' },
        isSearch ? 'Take something of the search back.' : 'POST /v1/select_destinations makes the first; deploy/up --demo makes twenty-two.')
        : h(Found, { found }),
    h(Copies, { request: { path, hasText: false }, openstack: command.join(' ') }),
    found && h('p', { class: 'pages' },
      marker && h('a', { href: addressOf('decisions', queryOf(filters)) }, 'The latest'),
      older && h('a', { href: addressOf('decisions', queryOf({ ...filters, marker: older })) }, `Older than these ${found.length}`)));
}

const DAY_MS = 24 * 3600_000;
/** Maximum refusals of the last day that are read. */
const REFUSALS_MAX = 500;
const REASONS_MAX = 5;

/** Returns refusals with equal reasons together, the most frequent first. Reasons are equal if they differ only in numbers. */
function reasonsOf(decisions) {
  const groups = Map.groupBy(decisions, ({ tenant_detail, detail, code }) => (tenant_detail || detail || code || '').replace(/\d+/g, '0'));
  return [...groups.values()].sort((a, b) => b.length - a.length);
}

/** The most frequent reasons of refusals, read when the user opens them. */
function Reasons() {
  const [isOpen, setOpen] = useState(false);
  return h('details', { class: 'reasons', onToggle: event => setOpen(event.currentTarget.open) },
    h('summary', null, 'Why requests were refused in the last day'), isOpen && h(Refusals));
}

function Refusals() {
  const live = useLive(async signal => {
    const since = new Date(Date.now() - DAY_MS).toISOString();
    const result = await call('GET', `/v1/decisions?${queryOf({ result: 'no_valid_host', since, limit: REFUSALS_MAX })}`, undefined, signal);
    return { since, count: result.decisions.length, isCut: !!result.decisions_links, reasons: reasonsOf(result.decisions) };
  }, 60_000, []);
  if (!live.data) return live.problem ? h(Trouble, { problem: live.problem }) : h('p', { class: 'loading', role: 'status' }, 'Loading…');
  if (live.data.count === 0) return h('p', { role: 'status' }, 'No request was refused.');
  const { since, count, isCut, reasons } = live.data;
  return h(Fragment, null,
    h(Wide, { label: 'Reasons' }, h('table', { class: 'list' },
      h('thead', null, h('tr', null, ['The latest with this reason', 'Refused', 'Why'].map(text => h('th', { key: text, scope: 'col' }, text)))),
      h('tbody', null, reasons.slice(0, REASONS_MAX).map(([latest, ...others]) => h('tr', { key: latest.decision_id },
        h('th', { scope: 'row' }, h('a', { href: `#/decisions/${latest.decision_id}` }, moment(latest.time))),
        h('td', { class: 'number' }, number(others.length + 1)),
        h('td', { class: 'said' }, latest.tenant_detail || latest.detail || latest.code)))))),
    h('p', null, h('a', { href: addressOf('decisions', queryOf({ result: 'no_valid_host', since })) },
      isCut ? `All refusals of the last day; the reasons are those of the latest ${number(count)}` : `All ${number(count)} refusals of the last day`)));
}

/** A table of decisions. */
export function Found({ found }) {
  return h(Wide, { label: 'Decisions' }, h('table', { class: 'list' },
    h('thead', null, h('tr', null, ['When', 'Result', 'Flavor', 'Hosts', 'Instance', 'Project'].map(text => h('th', { key: text, scope: 'col' }, text)))),
    h('tbody', null, found.map(decision => h('tr', { key: decision.decision_id },
      h('th', { scope: 'row' }, h('a', { href: `#/decisions/${decision.decision_id}` }, moment(decision.time))),
      h('td', null, h(Result, { result: decision.result })),
      h('td', null, decision.flavor || '–'), h('td', null, decision.hosts.length > 0 ? h(HostLinks, { hosts: decision.hosts }) : '–'),
      h('td', null, h(InstanceLinks, { uuids: decision.instance_uuids, names: decision.instance_names, shown: 1 })),
      h('td', null, decision.project_id || '–'))))));
}

function HostLinks({ hosts }) {
  return hosts.map((host, i) => h(Fragment, { key: i }, i > 0 && ', ', h(HostLink, { host })));
}

function Result({ result }) {
  return h('span', { class: `state ${result === 'selected' ? 'up' : 'down'}` }, RESULTS[result] || result);
}

function Decision({ id, query }) {
  const [decision, setDecision] = useState(null);
  const [problem, setProblem] = useState(null);
  useEffect(() => {
    const stop = new AbortController();
    call('GET', `/v1/decisions/${encodeURIComponent(id)}`, undefined, stop.signal)
      .then(setDecision, failure => stop.signal.aborted || setProblem(failure));
    return () => stop.abort();
  }, [id]);
  return h('section', { class: 'decision' },
    h('p', null, h('a', { href: addressOf('decisions') }, 'All decisions')),
    h('h1', null, 'Decision ', decision && h(Result, { result: decision.result })), h('p', { class: 'hint' }, h('code', null, id)),
    h(Trouble, { problem }),
    decision ? h(Explanation, { decision, id, query }) : !problem && h('p', { class: 'loading', role: 'status' }, 'Loading…'));
}

/** The explanation of a decision: placement's demands, filters with counts, weights, claims. */
function Explanation({ decision, id, query }) {
  const placement = decision.placement || {};
  const facts = [
    ['When', moment(decision.time)],
    decision.flavor && ['Flavor', decision.flavor],
    decision.project_id && ['Project', decision.project_id],
    ['Instances', h(InstanceLinks, { uuids: decision.instance_uuids, names: decision.instance_names })],
    decision.hosts.length > 0 && ['Selected', h(HostLinks, { hosts: decision.hosts })],
    ['Time', Object.entries(decision.phases_ms).map(([phase, ms]) => `${phase} ${ms.toFixed(1)} ms`).join(', ')],
  ].filter(Boolean);
  const error = decision.detail || (decision.error && decision.error.detail);
  const nearest = decision.result === 'selected' ? null : decision.nearest_miss || placement.nearest_miss;
  return h('div', null,
    h('dl', { class: 'facts' }, facts.map(([term, text]) => h('div', { key: term }, h('dt', null, term), h('dd', null, text)))),
    error && h('p', { class: 'trouble' }, error),
    h(Warnings, { texts: decision.warnings }),
    nearest && h('p', { class: 'nearest' }, h('strong', null, 'Nearest: '), nearest.host && h(Fragment, null, h(HostLink, { host: nearest.host }), ': '), nearest.reason),
    h(Copies, { request: { path: `/v1/decisions/${encodeURIComponent(id)}` }, openstack: `openstack placement why ${quoted(id)}` }),
    decision.prefilters && decision.prefilters.length > 0 && h('section', null, h('h2', null, 'Added by prefilters'),
      h('ul', null, decision.prefilters.map(each => h('li', { key: each.name }, each.name, ': ', h('code', null, each.adds.join(' ')))))),
    placement.demands && h('section', null, h('h2', null, 'What placement was asked for'),
      h(Funnel, { all: placement.roots, steps: [
        { text: 'provider trees there are', left: placement.roots },
        ...placement.demands.map(demand => ({ text: demand.demand, left: demand.after_all_before }))] })),
    (decision.instances || []).map((round, i) => h(Round, { key: i, round, several: decision.instances.length > 1 })),
    decision.claims && decision.claims.length > 0 && h(Claims, { claims: decision.claims, count: decision.claim_count }),
    h(Takers, { id, query, request: decision.request }),
    h(WhyNot, { id, query, request: decision.request }),
    decision.request && h('details', null, h('summary', null, 'The request'), h('pre', { tabIndex: 0 }, JSON.stringify(decision.request, null, 2))));
}

function Round({ round, several }) {
  const { hosts_in: first, hosts_out: considered } = round.preselection;
  const steps = [
    { text: 'hosts that placement offers', left: first },
    ...(considered === first ? [] : [{ text: 'considered', left: considered }]),
    ...round.filters.map(filter => ({ text: filter.name, left: filter.hosts_out, ...whyOf(filter) }))];
  return h('section', null, several && h('h2', null, `Instance ${round.index + 1}`),
    h('h2', null, 'Filters'), h(Funnel, { all: first, steps }),
    round.ranked.length > 0 && h(Weights, { ranked: round.ranked.slice(0, SHOWN) }));
}

/** Returns the reasons of a filter: the first rejected hosts by name, and counts of the others by reason. */
function whyOf({ rejected, more_rejected }) {
  const more = Object.entries(more_rejected || {});
  return {
    rejected: more.reduce((sum, [, times]) => sum + times, rejected.length),
    why: [...rejected.map(({ host, reason }) => h(Fragment, null, h(HostLink, { host }), `: ${reason}`)), ...more.map(([code, times]) => `${number(times)} more: ${code}`)],
  };
}

function Funnel({ all, steps }) {
  return h('ol', { class: 'funnel' }, steps.map((step, i) => h('li', { key: i, class: step.left === 0 ? 'none' : '' },
    h('span', { class: 'left' }, number(step.left)), h(Bar, { share: all > 0 ? step.left / all : 0, plain: true, label: `${step.left} of ${all} left` }),
    h('span', { class: 'text' }, step.text, step.rejected > 0 && h('details', null,
      h('summary', null, `${step.rejected === 1 ? 'one' : number(step.rejected)} rejected, and why`),
      h('ul', null, step.why.map((text, j) => h('li', { key: j }, text))))))));
}

/** The weights of the first hosts as stacked bars, with a segment per weigher if the decision has them. */
function Weights({ ranked }) {
  const nameOf = host => `${host.host}/${host.nodename}`;
  const tables = ranked.map(host => new Map(host.weights.map(each => [each.weigher, Number(each.weighted)])));
  const names = [...new Set(tables.flatMap(table => [...table.keys()]))].filter(name => tables.some(table => table.get(name) !== 0));
  const parts = i => (names.length > 0 ? names.map(name => tables[i].get(name) || 0) : [Number(ranked[i].weight) || 0]);
  const greatest = Math.max(...ranked.map((_, i) => parts(i).reduce((sum, part) => sum + Math.max(0, part), 0)), 1e-9);
  return h(Fragment, null, h('h2', null, 'Weights'),
    names.length > 0 && h('p', { class: 'key' }, names.map((name, i) =>
      h('span', { key: name, class: 'weigher' }, h('i', { class: `series-${i % 8}` }), name))),
    h('ol', { class: 'weights' }, ranked.map((host, i) => h('li', { key: nameOf(host) },
      h('span', { class: 'name' }, h(HostLink, { host: host.host })), h(Stack, { parts: parts(i), greatest, names }),
      h('span', { class: 'number' }, host.weight === null ? '–' : Number(host.weight).toFixed(3))))));
}

function Stack({ parts, greatest, names }) {
  const set = (element, i) => element && (element.style.width = `${Math.max(0, parts[i]) / greatest * 100}%`);
  const label = names.map((name, i) => `${name} ${parts[i].toFixed(3)}`).join(', ') || 'the sum';
  return h('span', { class: 'stack', role: 'img', 'aria-label': label, title: label },
    parts.map((_, i) => h('i', { key: i, class: `series-${i % 8}`, ref: element => set(element, i) })));
}

function Claims({ claims, count: total }) {
  return h('section', null, h('h2', null, `Claims (${number(total)})`),
    h('ol', { class: 'claims' }, claims.map((claim, i) => h('li', { key: i },
      h('strong', null, h(HostLink, { host: claim.host })), ' ', h('span', { class: `state ${claim.outcome.startsWith('claimed') ? 'up' : 'down'}` }, claim.outcome.replaceAll('_', ' ')),
      claim.detail && ` ${claim.detail}`))));
}

const specOf = request => request && (request.request_spec || request);

/** The service's limit of hosts in one response. */
const HOSTS_MAX = 100_000;

/** Shows which hosts could take an instance of a decision's request now, and how many each. */
function Takers({ id, query, request }) {
  const question = useQuestion();
  const spec = specOf(request);
  const isAsked = new URLSearchParams(query).has('hosts');
  const body = { requests: [{ name: 'asked', request_spec: spec }], by: ['host'], limit: HOSTS_MAX, timeout_s: 30 };
  useEffect(() => {
    if (isAsked && spec) question.ask(signal => call('POST', '/v1/capacity', body, signal));
    return question.end;
  }, [isAsked]);
  if (!useAllowed('scheduler:capacity') || !spec) return null;
  return h('section', { class: 'takers' }, h('h2', null, 'Which hosts could take it now?'),
    h('button', { type: 'button', onClick: () => (isAsked ? question.ask(signal => call('POST', '/v1/capacity', body, signal))
      : go(addressOf(`decisions/${encodeURIComponent(id)}`, withParameter(query, 'hosts', '1')))) }, isAsked ? 'Look again' : 'Look'),
    h(Working, { question, label: 'Looking at all hosts' }),
    question.result && h(TakerTable, { counted: question.result.requests[0] }),
    question.result && h(Copies, { request: { method: 'POST', path: '/v1/capacity', body }, openstack: null }));
}

function TakerTable({ counted }) {
  const hosts = Object.entries((counted.by && counted.by.host) || {}).filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a);
  if (hosts.length === 0) return h('p', { role: 'status' }, counted.refused || 'No host could take it now. What would admit it on the nearest five: ask below without a host.');
  return h(Fragment, null,
    h('p', { role: 'status' }, `${number(hosts.length)} ${hosts.length === 1 ? 'host' : 'hosts'} could${counted.complete ? '' : ', as far as they were looked at'}.`),
    h(Wide, { label: 'Hosts' }, h('table', { class: 'list' },
      h('thead', null, h('tr', null, ['Host', 'Instances that fit'].map(text => h('th', { key: text, scope: 'col' }, text)))),
      h('tbody', null, hosts.slice(0, SHOWN).map(([host, count]) => h('tr', { key: host },
        h('th', { scope: 'row' }, h(HostLink, { host })), h('td', { class: 'number' }, number(count))))))),
    hosts.length > SHOWN && h('p', { class: 'hint' }, `The ${SHOWN} with most room of ${number(hosts.length)}.`));
}

/** Returns parameters of an address with another value for one of them. */
function withParameter(query, name, value) {
  const parameters = new URLSearchParams(query);
  parameters.set(name, value);
  return parameters.toString();
}

/** Shows why the decision did not select a host, and which changes would admit the host now. The address has the host. */
function WhyNot({ id, query, request }) {
  const then = useQuestion();
  const now = useQuestion();
  const names = useNames();
  const mayExplain = useAllowed('scheduler:explanations');
  const spec = specOf(request);
  const asked = new URLSearchParams(query).get('host');
  const answer = host => {
    if (host === '') then.end();
    else then.ask(signal => call('GET', `/v1/decisions/${encodeURIComponent(id)}/hosts/${encodeURIComponent(host)}`, undefined, signal));
    if (spec && mayExplain) now.ask(signal => explain(spec, host === '' ? [] : [host], signal));
  };
  useEffect(() => {
    if (asked !== null) answer(asked);
  }, [asked]);
  const ask = event => {
    event.preventDefault();
    const host = new FormData(event.target).get('host').trim();
    if (host === asked) answer(host);
    else go(addressOf(`decisions/${encodeURIComponent(id)}`, withParameter(query, 'host', host)));
  };
  const hosts = asked ? [asked] : [];
  return h('section', { class: 'whynot' }, h('h2', null, 'Why not this host?'),
    h('form', { class: 'controls', onSubmit: ask },
      h('label', { for: 'why-not' }, 'Host', h('input', { id: 'why-not', name: 'host', type: 'search', size: 26, required: !mayExplain, spellcheck: false, autocomplete: 'off',
        list: 'known-hosts', defaultValue: asked || '', placeholder: mayExplain ? 'the five that need least' : '' })),
      h(Suggestions, { id: 'known-hosts', values: names.hosts }),
      h('button', { type: 'submit', class: 'primary' }, 'Ask')),
    (then.busy || then.result || then.problem) && h('section', null, h('h3', null, 'Then'), h(Working, { question: then, label: 'Reading the record' }),
      then.result && h('p', { class: 'verdict', role: 'status' }, h('strong', null, h(HostLink, { host: then.result.host }), `: ${then.result.verdict.replaceAll('_', ' ')}. `), then.result.text),
      then.result && then.result.obstacles.length > 1 && h('ul', { class: 'obstacles' }, then.result.obstacles.map((obstacle, i) =>
        h('li', { key: i }, h('span', { class: 'stage' }, obstacle.stage), ' ', obstacle.text)))),
    (now.busy || now.result || now.problem) && h('section', { class: 'now' }, h('h3', null, 'Now, and what would admit it'), h(Working, { question: now, label: 'Trying changes' }),
      now.result && h(Explained, { result: now.result }),
      now.result && h(Copies, { request: { method: 'POST', path: '/v1/explanations', body: { request_spec: spec, ...(asked && { hosts }) } },
        openstack: withRequest(['openstack placement why-not', ...hosts.map(quoted)].join(' '), spec) })));
}
