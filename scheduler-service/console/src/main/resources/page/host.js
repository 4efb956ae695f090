import { h, Fragment, useState, useEffect, useContext, useAction, useLive, useAllowed, InstanceLinks, Live, Trouble, Bar, State, Wide, amount, number, percent, moment } from './parts.js';
import { call } from './api.js';
import { Changed, Saved, ServiceSwitch, differenceOf, writeInventory } from './changes.js';
import { hostsLike } from './names.js';
import { addressOf, queryOf } from './place.js';
import { Watches, requestsOf } from './watches.js';
import { Working, useQuestion } from './explanation.js';
import { Counts, ask } from './whatif.js';

const SET_BY = { placement: 'placement', option: 'an option of the scheduler', compute_node: 'the compute node' };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A host. @param id uuid of a provider of its tree, or the host's name, which decisions and instances have */
export function Host({ id }) {
  return UUID.test(id) ? h(HostByUuid, { uuid: id }) : h(HostByName, { name: id });
}

/** Finds a host by its name; of several nodes with the name, lists all. */
function HostByName({ name }) {
  const question = useQuestion();
  useEffect(() => {
    const isMeant = host => host === name;
    question.ask(async signal => {
      const found = await hostsLike(isMeant, signal);
      return found.length > 0 ? found : hostsLike(isMeant, signal, true);
    });
    return question.end;
  }, [name]);
  const { result } = question;
  if (result && result.length === 1) return h(HostByUuid, { uuid: result[0].uuid });
  return h('section', null, h('h1', null, name), h(Working, { question, label: 'Looking for the host' }),
    result && result.length === 0 && h('p', { class: 'trouble', role: 'alert' }, `Placement has no host of the name ${name} now.`),
    result && h('ul', { class: 'names' }, result.map(({ uuid }) => h('li', { key: uuid }, h('a', { href: `#/hosts/${uuid}` }, uuid)))),
    result && h('p', null, h('a', { href: addressOf('fleet') }, 'Back to the fleet')));
}

function HostByUuid({ uuid }) {
  const live = useLive(signal => call('GET', `/v1/fleet/${encodeURIComponent(uuid)}`, undefined, signal), 4000, [uuid]);
  const [changed, setChanged] = useState(null);
  const [saved, setSaved] = useState(null);
  const host = changed && (!live.data || changed.as_of.time > live.data.as_of.time) ? changed : live.data;
  const mayChange = useAllowed('scheduler:fleet:update');
  const mayDisable = useAllowed('scheduler:registry:update');
  const mayRead = useAllowed('scheduler:decisions:show');
  const maySeeChanges = useAllowed('scheduler:changes:show');
  const mayAsk = useAllowed('scheduler:what_if');
  if (!host) {
    return h('section', null, h('h1', null, 'Host'), h(Trouble, { problem: live.problem }),
      live.problem ? h('p', null, h('a', { href: addressOf('fleet') }, 'Back to the fleet')) : h('p', { class: 'loading', role: 'status' }, 'Loading the host…'));
  }
  const onSaved = (next, isNow) => {
    setSaved(next);
    if (isNow) setChanged(isNow);
    live.again();
  };
  const drain = addressOf('what-if', queryOf({ change: JSON.stringify({ kind: 'drain', scope: 'hosts', selected: host.host }) }));
  return h('section', { class: 'host' },
    h('div', { class: 'heading' }, h('h1', null, host.host, ' ', h(State, { state: host.state })), h(Live, { live })),
    h(Trouble, { problem: live.problem, title: 'Not live:' }),
    h(Saved, { key: saved && saved.text, saved, onUndone: () => onSaved({ text: `undone: ${saved.text}`, undo: null }) }),
    h(Facts, { host }),
    mayDisable && h(ServiceSwitch, { key: host.state, host, onSaved }),
    mayAsk && h('p', null, h('a', { href: drain }, `What if ${host.host} were drained?`)),
    h('h2', null, host.providers.length > 1 ? `Resource providers (${host.providers.length})` : 'Resource provider'),
    host.providers.map(provider => h(Provider, {
      key: provider.uuid, provider, host, depth: depthOf(host.providers, provider), alone: host.providers.length === 1, mayChange, onSaved })),
    maySeeChanges && h(Changed, { host, onSaved }),
    h(Instances, { host }),
    mayRead && h(Decided, { host: host.host }));
}

function depthOf(providers, provider) {
  let depth = 0;
  for (let at = provider; at && at.parent; at = providers.find(other => other.uuid === at.parent)) depth++;
  return depth;
}

function Facts({ host }) {
  const service = host.service;
  const facts = [
    ['Availability zone', host.zone || 'none'],
    ['Service', service
      ? [service.forced_down && 'forced down', service.disabled && `disabled${service.disabled_reason ? `: ${service.disabled_reason}` : ''}`,
        `last heartbeat ${moment(service.last_heartbeat)}`].filter(Boolean).join('; ')
      : 'none registered, counts as up'],
    ['Host aggregates', host.host_aggregates.map(aggregate => aggregate.name).sort().join(', ') || 'none'],
    ['Compute node', host.registered ? host.hypervisor_type || 'registered' : 'not registered: placement alone knows the host'],
    host.cell_uuid && ['Cell', host.cell_uuid],
    host.failed_builds > 0 && ['Failed builds', number(host.failed_builds)],
    ['Root provider', host.uuid],
  ].filter(Boolean);
  return h('dl', { class: 'facts' }, facts.map(([term, text]) => h('div', { key: term }, h('dt', null, term), h('dd', null, text))));
}

function Provider({ provider, host, depth, alone, mayChange, onSaved }) {
  const inventories = Object.entries(provider.inventories).sort(([a], [b]) => a.localeCompare(b));
  return h('section', { class: `provider depth-${Math.min(depth, 4)}` },
    alone ? null : h('h3', null, provider.name, h('span', { class: 'hint' }, ` ${provider.uuid}`)),
    inventories.length === 0 ? h('p', { class: 'hint' }, 'No inventory.') : h(Wide, { label: `Inventories of ${provider.name}` },
      h('table', { class: 'list inventories' },
        h('thead', null, h('tr', null, ['Class', 'In use', 'Used', 'Capacity', 'Free', 'Total', 'Reserved', 'Ratio', 'Ratio set by', '']
          .map((text, i) => h('th', { key: i, scope: 'col', class: i > 1 && i < 8 ? 'number' : '' }, text || h('span', { class: 'unseen' }, 'Change'))))),
        h('tbody', null, inventories.map(([name, inventory]) =>
          h(Inventory, { key: name, provider, host, name, inventory, mayChange, onSaved }))))),
    provider.traits.length > 0 && h('p', { class: 'traits' }, h('span', { class: 'hint' }, 'Traits '),
      provider.traits.map(trait => h('code', { key: trait }, trait))),
    provider.aggregates.length > 0 && h('p', { class: 'hint' }, `Placement aggregates: ${provider.aggregates.length}`));
}

function Inventory({ provider, host, name, inventory, mayChange, onSaved }) {
  const [open, setOpen] = useState(false);
  const share = inventory.capacity > 0 ? inventory.used / inventory.capacity : inventory.used > 0 ? 2 : 0;
  const number_ = value => h('td', { class: 'number' }, amount(name, value));
  return h(Fragment, null,
    h('tr', null,
      h('th', { scope: 'row' }, name),
      h('td', null, h(Bar, { share, label: `${percent(share)} of ${name} in use` })),
      number_(inventory.used), number_(inventory.capacity), number_(inventory.capacity - inventory.used), number_(inventory.total),
      number_(inventory.reserved), h('td', { class: 'number ratio' }, inventory.allocation_ratio), h('td', null, SET_BY[inventory.set_by]),
      h('td', null, mayChange && h('button', { type: 'button', 'aria-expanded': open, 'aria-label': `Change ${name} of ${provider.name}`,
        onClick: () => setOpen(!open) }, open ? 'Close' : 'Change'))),
    open && h('tr', null, h('td', { colSpan: 10 }, h(Change, {
      provider, host, name, inventory, onSaved: (saved, now) => {
        setOpen(false);
        onSaved(saved, now);
      } }))));
}

/** Placement's units of resource classes that the page shows in other units. */
const RESERVED_IN = { MEMORY_MB: 'MiB', DISK_GB: 'GiB' };

/** Where an operator changes a ratio that the placement sync would overwrite. */
const ELSEWHERE = { option: 'An option of the scheduler sets this ratio: change the option.', compute_node: 'The compute node reports this ratio: change it in nova.conf there.' };

/** The form that changes allocation ratio and reserved amount, with the effect of the change before it is saved. */
function Change({ provider, host, name, inventory, onSaved }) {
  const [opened] = useState(inventory);
  const [ratio, setRatio] = useState(String(inventory.allocation_ratio));
  const [reserved, setReserved] = useState(String(inventory.reserved));
  const { problem, busy, run } = useAction();
  const capacity = Math.floor((inventory.total - Number(reserved)) * Number(ratio));
  const isNumber = Number(ratio) > 0 && Number.isInteger(Number(reserved)) && Number(reserved) >= 0 && reserved !== '';
  const change = {
    ...(Number(ratio) !== opened.allocation_ratio && { allocation_ratio: Number(ratio) }),
    ...(Number(reserved) !== opened.reserved && { reserved: Number(reserved) }),
  };
  const isChange = isNumber && Object.keys(change).length > 0;
  const save = event => {
    event.preventDefault();
    run(async () => {
      const place = { host: host.uuid, provider: provider.uuid, name };
      const old = Object.fromEntries(Object.keys(change).map(member => [member, opened[member]]));
      const now = await writeInventory(place, { total: opened.total, reserved: opened.reserved, allocation_ratio: opened.allocation_ratio }, change);
      onSaved({ text: `${name} of ${provider.name}: ${differenceOf(old, change)}`, undo: () => writeInventory(place, change, old) }, now);
    });
  };
  const id = `${provider.uuid}-${name}`;
  return h('form', { class: 'change', onSubmit: save },
    h('label', { for: `${id}-ratio` }, 'Allocation ratio',
      h('input', { id: `${id}-ratio`, type: 'number', step: 'any', min: 0, value: ratio, name: 'ratio', onInput: event => setRatio(event.target.value) })),
    h('label', { for: `${id}-reserved` }, name in RESERVED_IN ? `Reserved, ${RESERVED_IN[name]}` : 'Reserved',
      h('input', { id: `${id}-reserved`, type: 'number', step: 1, min: 0, value: reserved, name: 'reserved', onInput: event => setReserved(event.target.value) })),
    h('span', { class: 'effect', role: 'status' }, isNumber
      ? `Capacity ${amount(name, inventory.capacity)} → ${amount(name, capacity)}, free ${amount(name, inventory.capacity - inventory.used)} → ${amount(name, capacity - inventory.used)}`
      : 'A ratio is above 0, what is reserved a whole number.'),
    h('button', { type: 'submit', class: 'primary', disabled: busy || !isChange }, busy ? 'Saving…' : 'Save'),
    h(Trouble, { problem }),
    h('p', { class: 'hint command' }, ELSEWHERE[inventory.set_by], ' As a command: ',
      h('code', null, `openstack resource provider inventory set ${provider.uuid} --amend ${isChange ? Object.entries(change).map(([member, value]) => `--resource ${name}:${member}=${value}`).join(' ') : `--resource ${name}:allocation_ratio=RATIO`}`)),
    useAllowed('scheduler:what_if') && h(Effect, { host: host.host, name, isChange, ratio: change.allocation_ratio, reserved: change.reserved }));
}

const TYPING_MS = 500;

/** Shows the effect of a change on the capacity for the watched flavors, before it is saved. */
function Effect({ host, name, isChange, ratio, reserved }) {
  const watches = useContext(Watches);
  const question = useQuestion();
  const requests = requestsOf(watches);
  useEffect(() => {
    if (!isChange || requests.length === 0) {
      question.end();
      return undefined;
    }
    const values = { ...(ratio !== undefined && { allocation_ratio: ratio }), ...(reserved !== undefined && { reserved }) };
    const timer = setTimeout(() => question.ask(signal => ask(
      [{ inventory: { hosts: { hosts: [host] }, resource_class: name, ...values } }], { capacity: requests }, signal)), TYPING_MS);
    return () => clearTimeout(timer);
  }, [isChange, ratio, reserved, requests.length]);
  return h('div', { class: 'foreseen' },
    isChange && requests.length === 0 && h('span', { class: 'hint' }, watches.data
      ? 'Have flavors watched (Capacity) to see here how many more would fit.' : 'Which flavors are watched is not known here.'),
    h(Working, { question, label: 'Counting what would fit' }),
    question.result && h(Counts, { result: question.result }));
}

/** Maximum decisions that are checked for this host. */
const LOOKED_AT = 12;

/** The last decisions, with the result for this host in each. */
function Decided({ host }) {
  const question = useQuestion();
  useEffect(() => {
    question.ask(async signal => {
      const { decisions } = await call('GET', `/v1/decisions?limit=${LOOKED_AT}`, undefined, signal);
      const taken = await call('GET', `/v1/decisions?limit=${LOOKED_AT}&host=${encodeURIComponent(host)}`, undefined, signal);
      const rows = new Map(taken.decisions.map(decision => [decision.decision_id, { decision, verdict: 'chosen', text: '' }]));
      for (const decision of decisions) {
        if (!rows.has(decision.decision_id)) {
          const { verdict, text } = await call('GET', `/v1/decisions/${decision.decision_id}/hosts/${encodeURIComponent(host)}`, undefined, signal);
          rows.set(decision.decision_id, { decision, verdict, text });
        }
      }
      return [...rows.values()].sort((a, b) => Date.parse(b.decision.time) - Date.parse(a.decision.time));
    });
    return question.end;
  }, [host]);
  const result = question.result;
  return h('section', { class: 'decided' }, h('h2', null, 'Last decisions, and this host'),
    h(Working, { question, label: 'Reading decisions' }),
    result && result.length === 0 && h('p', { class: 'hint' }, 'There are no decisions yet.'),
    result && result.length > 0 && h(Wide, { label: 'Decisions' }, h('table', { class: 'list' },
      h('thead', null, h('tr', null, ['When', 'Flavor', 'This host', 'Why'].map(text => h('th', { key: text, scope: 'col' }, text)))),
      h('tbody', null, result.map(({ decision, verdict, text }) => h('tr', { key: decision.decision_id },
        h('th', { scope: 'row' }, h('a', { href: `#/decisions/${decision.decision_id}` }, moment(decision.time))),
        h('td', null, decision.flavor || '–'),
        h('td', null, h('span', { class: `state ${verdict === 'chosen' ? 'up' : verdict === 'rejected' || verdict === 'not_claimed' ? 'down' : 'unknown'}` }, verdict.replaceAll('_', ' '))),
        h('td', { class: 'said' }, text)))))));
}

function Instances({ host }) {
  const names = host.instance_names || {};
  return h('section', { class: 'holders' }, h('h2', null, `Instances (${number(host.instance_count)})`),
    host.instances.length === 0
      ? h('p', { class: 'hint' }, 'None is registered here.')
      : h('ul', { class: 'instances' }, host.instances.map(uuid => h('li', { key: uuid }, h(InstanceLinks, { uuids: [uuid], names: [names[uuid]] })))),
    host.instance_count > host.instances.length && h('p', { class: 'hint' }, `The first ${number(host.instances.length)} are shown.`));
}
