import { h, Fragment, useContext, useEffect, useAllowed, Live, Trouble, Bar, Wide, number, since, quoted } from './parts.js';
import { Problem, call } from './api.js';
import { addressOf, go, queryOf, useForm } from './place.js';
import { Suggestions, useNames } from './names.js';
import { Copies } from './copy.js';
import { Warnings, Working, useQuestion } from './explanation.js';
import { Watches, seriesOf } from './watches.js';
import { History, joined, remembered, useDay } from './history.js';

/** Returns whether the count is complete: it ended because nothing more fits, not at a limit. */
export const isExact = counted => counted.complete && !counted.capped;

export const countOf = counted => `${isExact(counted) ? '' : 'at least '}${number(counted.count)}`;

/** The service's limit of a count; the form accepts no higher one. */
const COUNTED_MAX = 1_000_000;

/** The service's limit of hosts in one response. */
const HOSTS_MAX = 100_000;
const SHOWN = 20;
/** Age at which a count is marked as old. By default the service counts watched flavors every minute. */
const OLD_MS = 5 * 60_000;

const FIELDS = [['vcpus', 'VCPUs', 2, 1], ['memory_mb', 'Memory in MiB', 4096, 1], ['root_gb', 'Disk in GiB', 20, 0]];

/** The names of a form's fields with FlavorFields. */
export const FLAVOR_FIELDS = [...FIELDS.map(([name]) => name), 'extra_specs', 'zone'];

/** The form fields of a flavor. @param of prefix of the fields' ids, for views with two such forms @param given values by name */
export function FlavorFields({ required = true, of = '', given = {} }) {
  const { zones, traits } = useNames();
  return h(Fragment, null,
    FIELDS.map(([name, label, preset, min]) => h('label', { key: name, for: of + name }, label,
      h('input', { id: of + name, name, type: 'number', min, required, defaultValue: given[name] || (required ? preset : '') }))),
    h('label', { for: `${of}extra_specs` }, 'Extra specs', h('input', { id: `${of}extra_specs`, name: 'extra_specs', size: 30, list: `${of}some-specs`, defaultValue: given.extra_specs || '', placeholder: 'trait:HW_CPU_X86_AVX2=required', spellcheck: false, autocomplete: 'off' })),
    h('label', { for: `${of}zone` }, 'Zone', h('input', { id: `${of}zone`, name: 'zone', size: 10, list: `${of}some-zones`, defaultValue: given.zone || '', placeholder: 'any', spellcheck: false, autocomplete: 'off' })),
    h(Suggestions, { id: `${of}some-zones`, values: zones }), h(Suggestions, { id: `${of}some-specs`, values: traits.map(trait => `trait:${trait}=required`) }));
}

/** Separates extra specs at line breaks, and at commas and blanks before NAME=, since values may have both: hw:numa_cpus.0=0,1. */
const NEXT_SPEC = /\n+|[\s,]+(?=[A-Za-z_][\w.:-]*=(?!=))/;

/** Parses extra specs that a user typed, separated by commas, blanks or line breaks. Throws Problem. */
export function extraSpecsOf(text) {
  return Object.fromEntries(text.split(NEXT_SPEC).map(spec => spec.trim().replace(/,$/, '')).filter(Boolean).map(spec => {
    const at = spec.indexOf('=');
    if (at < 1) throw new Problem(0, '', `Extra specs are written as NAME=VALUE: ${spec}`, '');
    return [spec.slice(0, at).trim(), spec.slice(at + 1).trim()];
  }));
}

/** Returns the values of the fields of FlavorFields in a form. */
export const flavorIn = form => Object.fromEntries(FLAVOR_FIELDS.map(name => [name, new FormData(form).get(name).trim()]));

/** Returns the request_spec of values of FlavorFields. Throws Problem. */
export function requestOf(values) {
  const extra = extraSpecsOf(values.extra_specs);
  const flavor = { name: 'asked', ...Object.fromEntries(FIELDS.map(([name]) => [name, Number(values[name])])), extra_specs: extra };
  return { flavor, ...(values.zone && { availability_zone: values.zone }) };
}

/** Returns the command of the OpenStack client that counts a request; null if it takes no such request. */
function commandOf({ flavor, availability_zone: zone, ...rest }) {
  if (Object.keys(rest).length > 0) return null;
  const { vcpus, memory_mb: memory, root_gb: disk, extra_specs: extra } = flavor;
  return ['openstack placement capacity', `${vcpus}:${memory}:${disk || 0}`, '--by zone', ...(zone ? [`--zone ${quoted(zone)}`] : []),
    ...Object.entries(extra || {}).map(([name, value]) => `--extra-spec ${quoted(`${name}=${value}`)}`)].join(' ');
}

/**
 * The view of capacity: counts how many more instances of a flavor fit, by zone and host, and what stops the next one. The
 * address has the fields of the flavor, or the name of a watched one.
 */
export function Capacity({ query }) {
  const question = useQuestion();
  const watches = useContext(Watches);
  const given = Object.fromEntries(new URLSearchParams(query));
  const { watch } = given;
  const watched = watch && watches.data && watches.data.watches.find(({ name }) => name === watch);
  const specOf = () => (watch ? watched.request_spec : requestOf({ extra_specs: '', zone: '', root_gb: 0, ...given }));
  const bodyOf = () => ({ requests: [{ name: watch || 'asked', request_spec: specOf(), max: COUNTED_MAX }], by: ['zone', 'host'], limit: HOSTS_MAX, timeout_s: 30 });
  const count = () => question.ask(async signal => {
    const body = bodyOf();
    return { body, counted: (await call('POST', '/v1/capacity', body, signal)).requests[0] };
  });
  const isAsked = watch ? !!watched : !!given.vcpus;
  useEffect(() => {
    if (isAsked) count();
    else question.end();
  }, [query, isAsked]);
  const [key, open] = useForm(query, wanted => go(addressOf('capacity', wanted)));
  const ask = event => {
    event.preventDefault();
    const wanted = queryOf(flavorIn(event.target));
    if (wanted === query) count();
    else open(wanted);
  };
  const { result } = question;
  return h('section', { class: 'capacity' }, h('h1', null, 'Capacity'),
    h(Watched),
    h('h2', null, 'How many more?'),
    h('p', null, 'How many more instances of a flavor would be placed, one after the other, until the first refusal. Nothing is claimed.'),
    h('form', { key, class: 'controls', onSubmit: ask }, h(FlavorFields, { given }), h('button', { type: 'submit', class: 'primary' }, 'Count')),
    watch && !watched && watches.data && h('p', { class: 'trouble', role: 'alert' }, `No flavor is watched under the name ${watch}.`),
    h(Working, { question, label: 'Counting' }),
    result && h('section', null, watch && h('h2', null, watch), h(Counted, { counted: result.counted }),
      h(Copies, { request: { method: 'POST', path: '/v1/capacity', body: { ...result.body, by: ['zone'] } }, openstack: commandOf(result.body.requests[0].request_spec) })));
}

/** The list of watched flavors with their last counts and history. */
function Watched() {
  const live = useContext(Watches);
  const day = useDay('sum by (watch) (max by (watch, zone) (berth_capacity_instances))', 'watch');
  const mayUpdate = useAllowed('scheduler:capacity:update');
  const isAllowed = useAllowed('scheduler:capacity');
  const watches = live.data ? live.data.watches : [];
  if (!isAllowed) return h('p', { class: 'hint' }, 'Which flavors are watched is not for you: the policy does not allow scheduler:capacity.');
  return h('section', null, h('div', { class: 'heading' }, h('h2', null, 'Watched flavors'), h(Live, { live })),
    h(Trouble, { problem: live.problem }),
    day.trouble && h('p', { class: 'hint' }, `No history from Prometheus: ${day.trouble}`),
    live.data && watches.length === 0 && h('p', { class: 'hint' }, 'None. A watched flavor is counted every so often, and has a history here.'),
    watches.length > 0 && h(Wide, { label: 'Watched flavors' }, h('table', { class: 'list' },
      h('thead', null, h('tr', null, ['Name', 'Fit', 'Counted', 'History', 'By zone', 'What stops the next one (hosts)'].map(text => h('th', { key: text, scope: 'col' }, text)))),
      h('tbody', null, watches.map(({ name, last, why }) => h('tr', { key: name },
        h('th', { scope: 'row' }, h('a', { href: addressOf('capacity', queryOf({ watch: name })) }, name)), h(LastCount, { last, why }),
        h('td', null, h(History, { points: joined(day.points.get(name), remembered(seriesOf(name))), label: name })),
        h('td', null, last && pairs(last.zones)), h('td', null, last && pairs(last.binding))))))),
    mayUpdate && h(Watch, { onDone: live.again }));
}

/** The last count of a watched flavor. Shows why a count was refused or is incomplete, and marks an old one. */
function LastCount({ last, why: unread }) {
  if (!last) return h('td', { class: 'number', colSpan: 2 }, unread || 'not counted yet');
  const { time } = last.as_of;
  const why = last.refused || last.why || (last.capped && 'counting ended there');
  return h(Fragment, null,
    h('td', { class: 'number' }, last.refused ? '–' : countOf(last), why && h('div', { class: 'hint said' }, why)),
    h('td', null, since(time), Date.now() - Date.parse(time) > OLD_MS && h(Fragment, null, ' ', h('span', { class: 'state disabled' }, 'old'))));
}

/** The form that adds a watched flavor or removes one. */
function Watch({ onDone }) {
  const question = useQuestion();
  const submit = event => {
    event.preventDefault();
    const form = event.target;
    const path = `/v1/capacity/watches/${encodeURIComponent(new FormData(form).get('watch').trim())}`;
    const isRemoval = event.submitter && event.submitter.name === 'forget';
    question.ask(async signal => {
      const body = isRemoval ? undefined : { request_spec: requestOf(flavorIn(form)) };
      await call(isRemoval ? 'DELETE' : 'PUT', path, body, signal);
      onDone();
      return true;
    });
  };
  return h('details', { class: 'watch' }, h('summary', null, 'Watch a flavor, or stop watching one'),
    h('form', { class: 'controls', onSubmit: submit },
      h('label', { for: 'watch' }, 'Name', h('input', { id: 'watch', name: 'watch', required: true, size: 14, spellcheck: false, autocomplete: 'off' })),
      h(FlavorFields, { of: 'watch-' }),
      h('button', { type: 'submit', class: 'primary' }, 'Watch'), h('button', { type: 'submit', name: 'forget', value: '1' }, 'Stop watching')),
    h(Working, { question, label: 'Saving' }));
}

export const pairs = values => Object.entries(values).sort(([, a], [, b]) => b - a).map(([name, value]) => `${name || 'none'} ${number(value)}`).join(', ');

function Counted({ counted }) {
  const rows = values => Object.entries(values || {}).sort(([, a], [, b]) => b - a);
  const hosts = counted.by && counted.by.host && rows(counted.by.host);
  return h('div', null,
    h('p', { class: 'count' }, h('strong', null, countOf(counted)), ' more fit', counted.why && `; ${counted.why}`, counted.capped && '; counting ended there', '.'),
    h(Warnings, { texts: counted.warnings }),
    counted.refused && h('p', { class: 'trouble' }, counted.refused),
    counted.by && counted.by.zone && h(Table, { title: 'By zone', head: 'Instances', rows: rows(counted.by.zone), linkOf: zone => zone && addressOf('fleet', queryOf({ zone })) }),
    rows(counted.binding).length > 0 && h(Table, { title: 'What stops the next one', head: 'Hosts', rows: rows(counted.binding) }),
    hosts && h(Table, { title: 'By host', head: 'Instances', rows: hosts.slice(0, SHOWN), linkOf: host => `#/hosts/${encodeURIComponent(host)}`,
      hint: hosts.length > SHOWN && `The ${SHOWN} with most room of ${number(hosts.length)}.` }));
}

/** @param linkOf returns the address that a row leads to */
function Table({ title, head, rows, hint, linkOf = () => '' }) {
  const greatest = Math.max(1, ...rows.map(([, value]) => value));
  return h('section', null, h('h2', null, title), hint && h('p', { class: 'hint' }, hint), h(Wide, { label: title }, h('table', { class: 'list' },
    h('thead', null, h('tr', null, [title, head, ''].map((text, i) => h('th', { key: i, scope: 'col' }, text || h('span', { class: 'unseen' }, 'Share'))))),
    h('tbody', null, rows.map(([name, value]) => h('tr', { key: name },
      h('th', { scope: 'row' }, linkOf(name) ? h('a', { href: linkOf(name) }, name) : name || 'none'), h('td', { class: 'number' }, number(value)),
      h('td', null, h(Bar, { share: value / greatest, plain: true, label: `${value}` }))))))));
}
