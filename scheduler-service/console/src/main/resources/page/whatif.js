import { h, Fragment, useState, useContext, useEffect, useAllowed, HostLink, InstanceLinks, Trouble, Empty, Bar, Wide, amount, number, moment, quoted } from './parts.js';
import { call } from './api.js';
import { addressOf, go, queryOf, useForm } from './place.js';
import { Suggestions, useNames } from './names.js';
import { Copies } from './copy.js';
import { Begin, Drains } from './drain.js';
import { Watches, requestsOf } from './watches.js';
import { FLAVOR_FIELDS, FlavorFields, countOf, flavorIn, isExact, pairs, requestOf } from './capacity.js';
import { Warnings, Working, useQuestion } from './explanation.js';

/** Requests a what-if analysis (POST /v1/what_if) of changes, which are not made. */
export function ask(changes, question, signal) {
  return call('POST', '/v1/what_if', { changes, ask: question, timeout_s: 60 }, signal);
}

const countsOf = side => (side && side.capacity ? side.capacity : []);

/** Capacity before and after the changes, side by side. */
export function Counts({ result }) {
  const before = new Map(countsOf(result.before).map(each => [each.name, each]));
  const after = countsOf(result.after);
  if (after.length === 0) return null;
  const most = Math.max(1, ...after.map(each => each.count), ...[...before.values()].map(each => each.count));
  const cell = each => (each ? h('td', { class: 'number' }, countOf(each), h(Warnings, { texts: each.warnings }), each.refused && h('div', { class: 'hint' }, each.refused)) : h('td', null, '–'));
  const bar = each => h('td', null, h(Bar, { share: (each ? each.count : 0) / most, plain: true, label: each ? `${each.count}` : 'none' }));
  return h(Wide, { label: 'How many fit, before and after' }, h('table', { class: 'list counts' },
    h('thead', null, h('tr', null, ['Flavor', 'Before', 'Share', 'After', 'Share', 'Difference', 'What stops the next one then (hosts)'].map((text, i) =>
      h('th', { key: i, scope: 'col' }, text === 'Share' ? h('span', { class: 'unseen' }, text) : text)))),
    h('tbody', null, after.map(now => {
      const then = before.get(now.name);
      const difference = then ? now.count - then.count : 0;
      const known = isExact(now) && (!then || isExact(then));
      return h('tr', { key: now.name }, h('th', { scope: 'row' }, now.name), cell(then), bar(then), cell(now), bar(now),
        h('td', { class: `number ${known && difference < 0 ? 'less' : known && difference > 0 ? 'more' : ''}` },
          !known ? 'unknown' : difference > 0 ? `+${number(difference)}` : number(difference)),
        h('td', null, pairs(now.binding || {})));
    }))));
}

const amounts = held => Object.entries(held).map(([name, value]) => `${name} ${amount(name, value)}`).join(', ');

/** The destination of each instance of drained hosts. */
function Drained({ drain }) {
  const rows = drain.instances;
  const placed = rows.filter(row => row.host).length;
  const full = drain.hosts.filter(host => !host.emptied);
  return h('section', null, h('h2', null, 'Where their instances would go'),
    full.slice(0, SHOWN).map(host => h('p', { key: host.host, class: 'state down wrapped' }, `${host.host} would not be empty: ${amounts(host.left)} stay in use`,
      host.instances === host.placed ? ', by consumers that are not registered with the scheduler.' : '.')),
    rows.length === 0 ? h('p', { role: 'status' }, 'No instance is registered on them.')
      : h('p', { role: 'status' }, h('strong', null, `${number(placed)} of ${number(rows.length)}`), ' find a place',
        placed === rows.length ? '.' : `; ${number(rows.length - placed)} ${rows.length - placed === 1 ? 'does' : 'do'} not.`),
    rows.length > 0 && h(Wide, { label: 'Instances' }, h('table', { class: 'list' },
      h('thead', null, h('tr', null, ['Instance', 'From', 'To', 'Why not'].map(text => h('th', { key: text, scope: 'col' }, text)))),
      h('tbody', null, rows.slice(0, SHOWN).map(row => h('tr', { key: row.instance },
        h('th', { scope: 'row' }, h(InstanceLinks, { uuids: [row.instance], names: [row.name] })), h('td', null, h(HostLink, { host: row.from })), h('td', null, row.host ? h(HostLink, { host: row.host }) : h('span', { class: 'state down' }, 'nowhere')),
        h('td', { class: 'said' }, row.reason)))))),
    rows.length > SHOWN && h('p', { class: 'hint' }, `The first ${SHOWN} are shown.`));
}

const SHOWN = 200;
const REPLAYED = 500;

/** Returns the numbers, texts and flags of a response, including nested ones, as pairs of path and value. */
function flat(side, path = '') {
  return Object.entries(side || {}).flatMap(([name, value]) => {
    const at = path + name.replaceAll('_', ' ');
    return value !== null && typeof value === 'object' ? (Array.isArray(value) ? [] : flat(value, `${at}: `)) : [[at, value]];
  });
}

/** A result without a table of its own: its values before and after the changes, side by side. */
function Figures({ title, before, after, difference }) {
  const sides = [before, after, difference].map(side => new Map(flat(side)));
  const names = [...new Set(sides.flatMap(side => [...side.keys()]))];
  if (names.length === 0) return null;
  const shown = value => (value === undefined || value === null ? '–' : typeof value !== 'number' ? String(value) : Number.isInteger(value) ? number(value) : value.toFixed(3));
  return h('section', null, h('h2', null, title), h(Wide, { label: title }, h('table', { class: 'list' },
    h('thead', null, h('tr', null, ['What', 'Before', 'After', 'Difference'].map(text => h('th', { key: text, scope: 'col' }, text)))),
    h('tbody', null, names.map(name => h('tr', { key: name }, h('th', { scope: 'row' }, name),
      sides.map((side, i) => h('td', { key: i, class: 'number' }, shown(side.get(name))))))))));
}

const SCOPES = { hosts: 'hosts named', zone: 'zone', aggregate: 'host aggregate', trait: 'trait', all: 'all hosts' };

function selectorOf(values) {
  const named = (values.selected || '').trim();
  switch (values.scope) {
    case 'all': return { all: true };
    case 'hosts': return { hosts: named.split(/[\s,]+/).filter(Boolean) };
    default: return { [values.scope]: named };
  }
}

const textOf = selector => Object.entries(selector).map(([by, value]) =>
  (by === 'all' ? 'all hosts' : by === 'hosts' ? value.join(', ') : `${by} ${value}`)).join();

const valueOf = text => {
  try {
    return JSON.parse(text);
  } catch (plain) {
    return text;
  }
};

/** Kinds of changes: the form's fields, and a function that returns the change, the drain to analyze, and a description. */
const KINDS = {
  drain: { title: 'Drain hosts', fields: ['selector'],
    make: values => ({ change: { disable: selectorOf(values) }, drain: selectorOf(values), text: `drain ${textOf(selectorOf(values))}` }) },
  add: { title: 'Add hosts', fields: ['like', 'count'],
    make: values => ({ change: { add: { like: values.like.trim(), count: Number(values.count) } }, text: `add ${values.count} hosts like ${values.like}` }) },
  ratio: { title: 'Change an allocation ratio', fields: ['selector', 'resource_class', 'value'],
    make: values => inventory(values, 'allocation_ratio') },
  reserved: { title: 'Change what is reserved', fields: ['selector', 'resource_class', 'value'],
    make: values => inventory(values, 'reserved') },
  enable: { title: 'Enable hosts', fields: ['selector'],
    make: values => ({ change: { enable: selectorOf(values) }, text: `enable ${textOf(selectorOf(values))}` }) },
  option: { title: 'Change a multiplier or another option', fields: ['option', 'to'],
    make: values => ({ change: { option: { [values.option.trim()]: valueOf(values.to) } }, replay: true, text: `${values.option} = ${values.to}` }) },
};

function inventory(values, member) {
  const hosts = selectorOf(values);
  return { change: { inventory: { hosts, resource_class: values.resource_class.trim(), [member]: Number(values.value) } },
    text: `${member.replaceAll('_', ' ')} of ${values.resource_class} ${values.value} on ${textOf(hosts)}` };
}

/** The names that a field for a kind of selector suggests. */
const SUGGESTED = { hosts: 'hosts', zone: 'zones', aggregate: 'aggregates', trait: 'traits' };

function Field({ name, given, scope, setScope, names }) {
  const input = (id, label, { preset, values, ...more }) => h('label', { for: id }, label,
    h('input', { id, name: id, required: true, spellcheck: false, autocomplete: 'off', defaultValue: given[id] || preset || '', list: values && `some-${id}`, ...more }),
    values && h(Suggestions, { id: `some-${id}`, values }));
  switch (name) {
    case 'selector': return h(Fragment, null,
      h('label', { for: 'scope' }, 'Which', h('select', { id: 'scope', name: 'scope', value: scope, onChange: event => setScope(event.target.value) },
        Object.entries(SCOPES).map(([value, text]) => h('option', { key: value, value }, text)))),
      scope !== 'all' && input('selected', 'Named', { size: 26, values: names[SUGGESTED[scope]], placeholder: scope === 'hosts' ? 'az1-r1-h1, az1-r1-h2' : '' }));
    case 'like': return input('like', 'Like host', { size: 16, values: names.hosts });
    case 'count': return input('count', 'How many', { type: 'number', min: 1, max: 10000, preset: 10 });
    case 'resource_class': return input('resource_class', 'Resource class', { size: 14, preset: 'VCPU', values: names.classes });
    case 'value': return input('value', 'Then', { type: 'number', step: 'any', min: 0 });
    case 'option': return input('option', 'Option', { size: 26, preset: 'ram_weight_multiplier' });
    default: return input('to', 'Then', { size: 10, placeholder: '-1.0' });
  }
}

/** The names of the fields of all kinds of changes. */
const FIELDS = ['scope', 'selected', 'like', 'count', 'resource_class', 'value', 'option', 'to'];

/** Returns the changes of an address, each as the values of its form; leaves out what is none. */
function changesOf(parameters) {
  return parameters.getAll('change').map(valueOf).filter(values => values !== null && typeof values === 'object' && Object.hasOwn(KINDS, values.kind))
    .map(values => ({ kind: values.kind, ...Object.fromEntries(FIELDS.map(name => [name, String(values[name] ?? '')])) }));
}

/** Returns a change as the address has it: the values that are not empty. */
const changeText = values => JSON.stringify(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')));

/** Returns the body of POST /v1/what_if for changes, and the selector of the hosts that they drain; null for none or several. */
function bodyOf(made, watches, flavor) {
  const drained = made.flatMap(each => each.drain || []);
  // Several selectors can be combined only if all name hosts.
  const drain = drained.length === 0 ? null : drained.every(each => each.hosts) ? { hosts: drained.flatMap(each => each.hosts) } : drained.length === 1 ? drained[0] : null;
  const capacity = [...requestsOf(watches), ...(flavor.vcpus ? [{ name: 'asked', request_spec: requestOf(flavor) }] : [])];
  return {
    isPartial: drained.length > 0 && !drain, drain,
    changes: made.map(each => each.change),
    asked: {
      ...(capacity.length > 0 && { capacity }),
      ...(drain && { drain }),
      ...(made.some(each => each.replay) && { replay: { since: new Date(Date.now() - 24 * 3600_000).toISOString(), limit: REPLAYED } }),
    },
  };
}

/** Returns the command of the OpenStack client for a forecast of one drain; null for other changes. */
function commandOf({ changes, drain }) {
  if (!drain || changes.length !== 1) return null;
  return ['openstack placement drain', ...Object.entries(drain).map(([by, value]) => (by === 'hosts' ? value.map(quoted).join(' ') : `--${by} ${quoted(value)}`))].join(' ');
}

/** The view of changes that are evaluated and not made. The address has the changes, and the flavor beside the watched ones. */
export function WhatIf({ query }) {
  const parameters = new URLSearchParams(query);
  const changes = changesOf(parameters);
  // The address ends with an empty change while the user adds another one.
  const isAdding = parameters.getAll('change').at(-1) === '';
  const earlier = isAdding ? changes : changes.slice(0, -1);
  const given = isAdding ? {} : changes.at(-1) || {};
  const flavor = Object.fromEntries(FLAVOR_FIELDS.map(name => [name, parameters.get(name) || '']));
  const [kind, setKind] = useState(given.kind || 'drain');
  const [scope, setScope] = useState(given.scope || 'hosts');
  const question = useQuestion();
  const names = useNames();
  const watches = useContext(Watches);
  const isReady = watches.at > 0 || !!watches.problem;
  const [key, open] = useForm(query, wanted => go(addressOf('what-if', wanted)));
  const mayAsk = useAllowed('scheduler:what_if');
  const evaluate = () => question.ask(async signal => {
    const body = bodyOf(changes.map(values => KINDS[values.kind].make(values)), watches, flavor);
    const result = await ask(body.changes, body.asked, signal);
    return { outcome: body.isPartial ? { ...result, complete: false, gaps: [...result.gaps || [], 'several drains are forecast together only if all of them name hosts'] } : result, body };
  });
  useEffect(() => {
    if (mayAsk && isReady && !isAdding && changes.length > 0) evaluate();
    else question.end();
  }, [query, isReady]);
  useEffect(() => {
    setKind(given.kind || 'drain');
    setScope(given.scope || 'hosts');
  }, [key]);
  if (!mayAsk) {
    return h('section', null, h('h1', null, 'What if'), h(Empty, { title: 'Not for you' }, 'The policy does not allow scheduler:what_if.'));
  }
  const queryFor = (all, form) => queryOf({ change: all.map(changeText), ...(form ? flavorIn(form) : flavor) });
  const submit = event => {
    event.preventDefault();
    const form = event.target;
    const values = Object.fromEntries([...new FormData(form)].filter(([name]) => FIELDS.includes(name)));
    const wanted = queryFor([...earlier, { kind, ...values }], form);
    if (event.submitter && event.submitter.name === 'more') {
      form.reset();
      open(`${wanted}&change=`);
    } else if (wanted === query) {
      evaluate();
    } else {
      open(wanted);
    }
  };
  const without = i => open(queryFor([...earlier.filter((_, other) => other !== i), ...(isAdding || !given.kind ? [] : [given])]) + (isAdding ? '&change=' : ''));
  const { result } = question;
  return h('section', { class: 'whatif' }, h('h1', null, 'What if'),
    h('p', null, 'What would come of changes, on the cloud as it is now. Nothing is changed.'),
    earlier.length > 0 && h('ol', { class: 'made' }, earlier.map(values => KINDS[values.kind].make(values).text).map((text, i) => h('li', { key: i }, text, ' ',
      h('button', { type: 'button', class: 'link', 'aria-label': `Without ${text}`, onClick: () => without(i) }, 'without')))),
    h('form', { key, class: 'changes', onSubmit: submit },
      h('div', { class: 'controls' },
        h('label', { for: 'kind' }, 'Change', h('select', { id: 'kind', value: kind, onChange: event => setKind(event.target.value) },
          Object.entries(KINDS).map(([value, { title }]) => h('option', { key: value, value }, title)))),
        KINDS[kind].fields.map(name => h(Field, { key: name, name, given, scope, setScope, names })),
        h('button', { type: 'submit', name: 'more', value: '1' }, 'And another')),
      h('details', { open: !!flavor.vcpus }, h('summary', null, 'And for a flavor beside the watched ones'), h('div', { class: 'controls' }, h(FlavorFields, { required: false, given: flavor }))),
      h('div', { class: 'controls' }, h('button', { type: 'submit', class: 'primary' }, 'Show what would come of it'))),
    requestsOf(watches).length === 0 && h('p', { class: 'hint' }, watches.data
      ? 'No flavor is watched: name one here, or have some watched (Capacity), to see how many more would fit.'
      : 'Which flavors are watched is not known here: name one to see how many more would fit.'),
    h(Working, { question, label: 'Trying it' }),
    result && h(Outcome, { result: result.outcome }),
    result && h(Copies, { request: { method: 'POST', path: '/v1/what_if', body: { changes: result.body.changes, ask: result.body.asked } }, openstack: commandOf(result.body) }),
    result && result.body.drain && h(Begin, { select: result.body.drain }),
    h(Drains));
}

function Outcome({ result }) {
  const { before = {}, after = {} } = result;
  return h('section', { class: 'outcome' },
    result.complete === false && h(Trouble, { problem: { code: 'Not all was looked at:', message: (result.gaps || []).join('; '), status: 0 } }),
    countsOf(after).length > 0 && h(Fragment, null, h('h2', null, 'How many more would fit'), h(Counts, { result })),
    after.drain && h(Drained, { drain: after.drain }),
    after.replay && h(Figures, { title: 'The recorded requests again', before: before.replay, after: after.replay, difference: (result.difference || {}).replay }),
    result.as_of && h('p', { class: 'hint' }, `About the cloud of ${moment(result.as_of.time)}.`));
}
