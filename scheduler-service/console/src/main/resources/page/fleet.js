import { h, useState, useEffect, useRef, useMemo, useLive, useAllowed, Live, Trouble, Empty, Bar, State, STATES, Wide, amount, number, brief, percent } from './parts.js';
import { call } from './api.js';
import { addressOf, queryOf, useOptions } from './place.js';
import { keepNames } from './names.js';
import { HostMap, RATIOS, SHARES, stepOf } from './map.js';

const LARGEST = 'the largest share';
/** Prefix of options that color hosts by allocation ratio instead of use. */
const RATIO = 'allocation ratio of ';
/** The color ramp: a neutral one for ratios, because a high ratio is not a warning. @param highest the highest ratio; NaN for use */
const rampOf = highest => (Number.isNaN(highest) ? SHARES : RATIOS);
const SHARING = 'MISC_SHARES_VIA_AGGREGATE';
const GROUPINGS = { zone: 'zone', aggregate: 'host aggregates', cell: 'cell', state: 'state', none: 'nothing' };
const FULLEST = 8;
const ANY = [['', 'any']];

/** The options of an address that states none. */
const STANDARD = { resource: LARGEST, group: 'zone', name: '', zone: '', aggregate: '', trait: '', state: '', over: false };

const load = async signal => keepNames(await call('GET', '/v1/fleet', undefined, signal));

export function Fleet({ query }) {
  const live = useLive(load, 5000, []);
  const [wanted, choose, type] = useOptions('fleet', query, STANDARD);
  const fleet = live.data;
  const options = fleet && chosen(fleet, wanted).length === 0 ? { ...wanted, resource: LARGEST } : wanted;
  const shown = useMemo(() => fleet && arrange(fleet, options), [fleet, ...Object.values(options)]);

  if (!fleet) {
    return h('section', null, h('h1', null, 'Fleet'), h(Trouble, { problem: live.problem }),
      !live.problem && h('p', { class: 'loading', role: 'status' }, 'Loading the fleet…'));
  }
  if (fleet.uuid.length === 0) {
    return h('section', null, h(Heading, { live }),
      h(Empty, { title: 'There are no hosts yet' },
        'Register compute nodes (PUT /v1/compute_nodes/{uuid}), create resource providers in placement, or run deploy/up --demo.'));
  }
  return h('section', { class: 'fleet' },
    h(Heading, { live }),
    h(Trouble, { problem: live.problem, title: 'Not live:' }),
    h(Controls, { fleet, options, choose, type }),
    h(Totals, { fleet, shown, options }),
    h(Drainable, { fleet, shown, options }),
    h(Map_, { fleet, shown, options }),
    h(Legend, { highest: shown.highest }),
    h(options.resource.startsWith(RATIO) ? Ratios : Fullest, { fleet, shown, options }));
}

function Heading({ live }) {
  return h('div', { class: 'heading' }, h('h1', null, 'Fleet'), h(Live, { live }));
}

/** Computes color steps, marks and groups of the hosts for the selected options. */
function arrange(fleet, options) {
  const count = fleet.uuid.length;
  const byRatio = options.resource.startsWith(RATIO);
  const classes = chosen(fleet, options).map(([, columns]) => columns);
  const highest = byRatio ? classes.reduce((most, { capacity, allocation_ratio }) =>
    allocation_ratio.reduce((top, ratio, i) => (capacity[i] > 0 && ratio > top ? ratio : top), most), 0) : NaN;
  const shares = new Float64Array(count);
  const steps = new Uint8Array(count);
  const marks = new Uint8Array(count);
  const offered = fleet.states.map(state => state === 'up' || state === 'unknown');
  const disabled = fleet.trait_sets.map(set => set.includes('COMPUTE_STATUS_DISABLED'));
  for (let i = 0; i < count; i++) {
    let share = NaN;
    for (const columns of classes) {
      const capacity = columns.capacity[i];
      const used = columns.used[i];
      if (capacity > 0 || used > 0) {
        const here = capacity > 0 ? used / capacity : Infinity;
        if (!(share >= here)) share = here;
      }
    }
    shares[i] = share;
    steps[i] = stepOf(!byRatio ? share : classes[0].capacity[i] > 0 ? classes[0].allocation_ratio[i] / highest : NaN);
    marks[i] = !offered[fleet.state[i]] || disabled[fleet.traits[i]] ? 2 : share > 1 ? 1 : 0;
  }

  const name = options.name.trim().toLowerCase();
  const withTrait = options.trait === '' ? null : fleet.trait_sets.map(set => set.includes(options.trait));
  const inZone = options.zone === '' ? -1 : fleet.zones.indexOf(options.zone);
  const inAggregate = options.aggregate === '' ? null : fleet.host_aggregate_sets.map(set => set.includes(options.aggregate));
  const inState = options.state === '' ? -1 : fleet.states.indexOf(options.state);
  const sharing = fleet.trait_sets.map(set => set.includes(SHARING));
  const titles = titlesOf(fleet, options.group);
  const groups = new Map();
  const hosts = [];
  for (let i = 0; i < count; i++) {
    if (name !== '' && !fleet.host[i].toLowerCase().includes(name) && !fleet.uuid[i].startsWith(name)) continue;
    if (withTrait && !withTrait[fleet.traits[i]]) continue;
    if (options.zone !== '' && fleet.zone[i] !== inZone) continue;
    if (inAggregate && !inAggregate[fleet.host_aggregates[i]]) continue;
    if (options.state !== '' && fleet.state[i] !== inState) continue;
    if (options.over && !(shares[i] > 1)) continue;
    const title = sharing[fleet.traits[i]] ? 'shared storage and the like' : titles(i);
    let group = groups.get(title);
    if (!group) groups.set(title, group = []);
    group.push(i);
    hosts.push(i);
  }
  const order = (a, b) => fleet.host[a] < fleet.host[b] ? -1 : fleet.host[a] > fleet.host[b] ? 1 : 0;
  const sorted = [...groups].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([title, members]) => ({ title, hosts: Int32Array.from(members.sort(order)) }));
  return { shares, steps, marks, hosts, groups: sorted, highest };
}

/** Returns the selected resource classes; empty if no inventory of the class exists any more. */
function chosen(fleet, { resource }) {
  const name = resource.startsWith(RATIO) ? resource.slice(RATIO.length) : resource;
  return Object.entries(fleet.resource_classes).filter(([each]) => resource === LARGEST || each === name);
}

function titlesOf(fleet, grouping) {
  switch (grouping) {
    case 'zone': return i => fleet.zones[fleet.zone[i]] || 'no zone';
    case 'cell': return i => fleet.cells[fleet.cell[i]] || 'no cell';
    case 'state': return i => STATES[fleet.states[fleet.state[i]]];
    case 'aggregate': {
      const names = fleet.host_aggregate_sets.map(set => set.join(', ') || 'no host aggregate');
      return i => names[fleet.host_aggregates[i]];
    }
    default: return () => 'all hosts';
  }
}

function Controls({ fleet, options, choose, type }) {
  const classes = Object.keys(fleet.resource_classes).sort();
  const traits = useMemo(() => [...new Set(fleet.trait_sets.flat())].sort(), [fleet]);
  const aggregates = useMemo(() => [...new Set(fleet.host_aggregate_sets.flat())].sort(), [fleet]);
  const choice = (id, label, key, values) => h('label', { for: id }, label,
    h('select', { id, value: options[key], onChange: event => choose({ [key]: event.target.value }) },
      values.map(([value, text]) => h('option', { key: value, value }, text))));
  return h('form', { class: 'controls', onSubmit: event => event.preventDefault() },
    choice('resource', 'Colour by', 'resource', [LARGEST, ...classes, ...classes.map(name => RATIO + name)].map(name => [name, name])),
    choice('group', 'Group by', 'group', Object.entries(GROUPINGS)),
    h('label', { for: 'name' }, 'Name', h('input', {
      id: 'name', type: 'search', value: options.name, placeholder: 'any', autocomplete: 'off', spellcheck: false,
      onInput: event => type({ name: event.target.value }) })),
    choice('zone', 'Zone', 'zone', ANY.concat(fleet.zones.filter(Boolean).sort().map(zone => [zone, zone]))),
    choice('aggregate', 'Host aggregate', 'aggregate', ANY.concat(aggregates.map(name => [name, name]))),
    choice('trait', 'Trait', 'trait', ANY.concat(traits.map(trait => [trait, trait]))),
    choice('state', 'State', 'state', ANY.concat(fleet.states.map(state => [state, STATES[state]]))),
    h('label', { class: 'check' }, h('input', {
      type: 'checkbox', checked: options.over, onChange: event => choose({ over: event.target.checked }) }), 'over-committed only'));
}

function Totals({ fleet, shown, options }) {
  const classes = chosen(fleet, options)
    .map(([name, columns]) => {
      let capacity = 0;
      let used = 0;
      for (const i of shown.hosts) {
        capacity += columns.capacity[i];
        used += columns.used[i];
      }
      return { name, capacity, used };
    }).filter(each => each.capacity > 0 || each.used > 0).sort((a, b) => b.used / b.capacity - a.used / a.capacity).slice(0, 6);
  return h('div', { class: 'totals' },
    h('span', { class: 'count' }, h('strong', null, number(shown.hosts.length)),
      shown.hosts.length === fleet.uuid.length ? ' hosts' : ` of ${number(fleet.uuid.length)} hosts`),
    classes.map(({ name, capacity, used }) => h('span', { class: 'total', key: name },
      h('span', null, name), h(Bar, { share: capacity > 0 ? used / capacity : 2, label: `${name}: ${percent(used / capacity)} used` }),
      h('span', { class: 'figures' }, `${amount(name, used, brief)} of ${amount(name, capacity, brief)}`))));
}

/** The number of hosts up to which the address of a drain names each of them. */
const NAMED_MAX = 100;

/** A link to the forecast of a drain of the hosts that the filters select. */
function Drainable({ fleet, shown, options }) {
  const isFiltered = [options.name, options.zone, options.aggregate, options.trait, options.state].some(Boolean) || options.over;
  const hosts = shown.hosts.map(i => fleet.host[i]);
  if (!useAllowed('scheduler:what_if') || !isFiltered || hosts.length === 0 || hosts.length > NAMED_MAX) return null;
  const change = { kind: 'drain', scope: 'hosts', selected: hosts.join(' ') };
  return h('p', { class: 'drainable' }, h('a', { href: addressOf('what-if', queryOf({ change: JSON.stringify(change) })) },
    `What if ${hosts.length === 1 ? hosts[0] : `these ${number(hosts.length)} hosts`} were drained?`));
}

function Map_({ fleet, shown, options }) {
  const canvas = useRef();
  const map = useRef();
  const [over, setOver] = useState({ host: -1, x: 0, y: 0 });
  const held = useRef();
  held.current = fleet;
  // After a refresh the host may have another index, or be missing.
  const host = fleet.host[over.host] === over.name ? over.host : fleet.host.indexOf(over.name);
  useEffect(() => {
    map.current = new HostMap(canvas.current, (host, x, y) => setOver({ host, name: held.current.host[host], x, y }),
      host => { location.hash = `#/hosts/${held.current.uuid[host]}`; });
    return () => map.current.close();
  }, []);
  useEffect(() => map.current.show(
    shown.groups, shown.steps, shown.marks, fleet.host, rampOf(shown.highest)), [shown]);
  return h('div', { class: 'map' },
    h('canvas', {
      ref: canvas, tabIndex: 0, role: 'application', 'aria-label': 'Map of hosts. Arrow keys choose a host, Enter opens it, '
        + 'plus and minus zoom, 0 shows all. The fullest hosts are listed below as links.' }),
    shown.hosts.length === 0 && h('p', { class: 'nothing' }, 'No host is like that. Take a filter back.'),
    h('div', { class: 'unseen', 'aria-live': 'polite' }, host >= 0 ? `${over.name} ${shareText(shown.shares[host])}` : ''),
    host >= 0 && h(Tip, { fleet, over: { ...over, host }, shown }));
}

const shareText = share => (Number.isNaN(share) ? 'has none of it' : share === Infinity ? 'no capacity' : percent(share));

function Tip({ fleet, over, shown }) {
  const tip = useRef();
  const { host, x, y } = over;
  useEffect(() => {
    const room = tip.current.parentElement;
    tip.current.style.left = `${Math.max(0, Math.min(x + 14, room.clientWidth - tip.current.offsetWidth - 4))}px`;
    tip.current.style.top = `${Math.max(0, y + 18 + tip.current.offsetHeight > room.clientHeight ? y - tip.current.offsetHeight - 8 : y + 18)}px`;
  }, [host, x, y]);
  const rows = Object.entries(fleet.resource_classes).filter(([, columns]) => columns.capacity[host] > 0 || columns.used[host] > 0);
  return h('div', { class: 'tip', ref: tip },
    h('div', { class: 'title' }, h('strong', null, fleet.host[host]), ' ', h(State, { state: fleet.states[fleet.state[host]] })),
    h('div', { class: 'hint' }, [fleet.zones[fleet.zone[host]], `${number(fleet.instances[host])} instances`,
      fleet.providers[host] > 1 && `${fleet.providers[host]} providers`].filter(Boolean).join(', ')),
    h('table', null, h('tbody', null, rows.map(([name, columns]) => h('tr', { key: name },
      h('th', { scope: 'row' }, name),
      h('td', null, `${amount(name, columns.used[host])} of ${amount(name, columns.capacity[host])}`),
      h('td', null, columns.capacity[host] > 0 ? percent(columns.used[host] / columns.capacity[host]) : '–'),
      h('td', null, `× ${columns.allocation_ratio[host]}`))))));
}

function Legend({ highest }) {
  const [dark, setDark] = useState(matchMedia('(prefers-color-scheme: dark)').matches);
  const strip = useRef();
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const changed = () => setDark(query.matches);
    query.addEventListener('change', changed);
    return () => query.removeEventListener('change', changed);
  }, []);
  const ramp = rampOf(highest);
  // The last color means a share above 1, which ratios never reach.
  const colours = (dark ? ramp.dark : ramp.light).slice(0, ramp === SHARES ? 12 : 11);
  useEffect(() => {
    colours.forEach((colour, i) => { strip.current.children[i].style.background = colour; });
  }, [ramp, dark]);
  return h('div', { class: 'legend' }, h('span', null, Number.isNaN(highest) ? '0 %' : '0'),
    h('span', { class: 'strip', ref: strip }, colours.map((_, i) => h('i', { key: i, class: i === 11 ? 'beyond' : '' }))),
    h('span', null, Number.isNaN(highest) ? '100 %, beyond' : `a ratio of ${highest}`),
    h('span', { class: 'key' }, h('i', { class: 'out' }), 'disabled or down: takes nothing new'),
    h('span', { class: 'hint' }, 'Drag to move, turn the wheel to zoom, 0 for all.'));
}

function Fullest({ fleet, shown, options }) {
  const fullest = useMemo(() => {
    const { hosts, shares } = shown;
    const top = [];
    for (const host of hosts) {
      if (Number.isNaN(shares[host]) || top.length === FULLEST && shares[host] <= shares[top.at(-1)]) continue;
      const at = top.findIndex(other => shares[host] > shares[other]);
      top.splice(at < 0 ? top.length : at, 0, host);
      if (top.length > FULLEST) top.pop();
    }
    return top;
  }, [shown]);
  if (fullest.length === 0) return null;
  return h('section', { 'aria-label': 'The fullest hosts' }, h('h2', null, `Fullest by ${options.resource}`),
    h(Wide, { label: 'Fullest' }, h('table', { class: 'list' },
      h('thead', null, h('tr', null, ['Host', 'Share', 'Zone', 'State', 'Instances'].map(text => h('th', { key: text, scope: 'col' }, text)))),
      h('tbody', null, fullest.map(i => h('tr', { key: fleet.uuid[i] },
        h('th', { scope: 'row' }, h('a', { href: `#/hosts/${fleet.uuid[i]}` }, fleet.host[i])),
        h('td', null, h(Bar, { share: shown.shares[i] }), ' ', shareText(shown.shares[i])),
        h('td', null, fleet.zones[fleet.zone[i]] || '–'),
        h('td', null, h(State, { state: fleet.states[fleet.state[i]] })),
        h('td', { class: 'number' }, number(fleet.instances[i]))))))));
}

/** The table of distinct ratios, the highest first, with the number of hosts for each. */
function Ratios({ fleet, shown, options }) {
  const name = options.resource.slice(RATIO.length);
  const rows = useMemo(() => {
    const { capacity, allocation_ratio } = fleet.resource_classes[name];
    const hosts = Map.groupBy(shown.hosts.filter(i => capacity[i] > 0), i => allocation_ratio[i]);
    return [...hosts].sort(([a], [b]) => b - a);
  }, [shown]);
  return h('section', { 'aria-label': 'Ratios' }, h('h2', null, `Allocation ratios of ${name}`),
    h(Wide, { label: 'Allocation ratios' }, h('table', { class: 'list ratios' },
      h('thead', null, h('tr', null, ['Ratio', 'Hosts', 'For example'].map(text => h('th', { key: text, scope: 'col' }, text)))),
      h('tbody', null, rows.map(([ratio, hosts]) => h('tr', { key: ratio },
        h('th', { scope: 'row' }, ratio),
        h('td', { class: 'number' }, number(hosts.length)),
        h('td', null, h('a', { href: `#/hosts/${fleet.uuid[hosts[0]]}` }, fleet.host[hosts[0]]))))))));
}
