import { h, useContext, useAction, useAllowed, Caller, Trouble, Wide, moment, useLive, quoted } from './parts.js';
import { Problem, call } from './api.js';

const textOf = value => (value === undefined || value === null ? 'none' : JSON.stringify(value));

/** Returns the members of an object that a change gave other values, as a text. */
export const differenceOf = (old, now) => Object.keys({ ...old, ...now }).filter(name => textOf(old[name]) !== textOf(now[name]))
  .map(name => `${name.replaceAll('_', ' ')} ${textOf(old[name])} → ${textOf(now[name])}`).join(', ');

/** Throws Problem if a member has another value than the page showed when the user began the change. */
function refuseOverwrite(expected, present) {
  const meanwhile = present ? Object.keys(expected).filter(name => textOf(expected[name]) !== textOf(present[name])) : ['it'];
  if (meanwhile.length === 0) return;
  const text = present ? differenceOf(Object.fromEntries(meanwhile.map(name => [name, expected[name]])),
    Object.fromEntries(meanwhile.map(name => [name, present[name]]))) : 'it is there no more';
  throw new Problem(0, 'Changed meanwhile:', `${text}. Nothing was saved: close this form and open it again.`, '');
}

const pick = (record, names) => Object.fromEntries(names.map(name => [name, record[name]]));

/**
 * Changes members of an inventory, and returns the host. Every claim increments the provider's generation, so the present
 * one is used if the members still have the expected values. Throws Problem.
 */
export async function writeInventory({ host, provider, name }, expected, change) {
  const { providers } = await call('GET', `/v1/fleet/${host}`);
  const { generation, inventories } = providers.find(({ uuid }) => uuid === provider) || { inventories: {} };
  refuseOverwrite(expected, inventories[name]);
  return call('PUT', `/v1/fleet/${provider}/inventories/${encodeURIComponent(name)}`, { resource_provider_generation: generation, ...change });
}

const SERVICE = ['disabled', 'disabled_reason'];
const stateOf = record => ({ disabled: !!record.disabled, disabled_reason: record.disabled_reason || null });

/** Disables or enables the compute service of a host, which is created if there is none. Throws Problem. */
async function writeService(host, uuid, expected, change) {
  if (!uuid) return call('POST', '/v1/services', { host, ...change });
  const { uuid: same, ...record } = await call('GET', `/v1/services/${uuid}`);
  refuseOverwrite(expected, stateOf(record));
  // The version in the record lets the service refuse the write if another one came in between.
  return call('PUT', `/v1/services/${same}`, { ...record, ...change });
}

/** Shows that a change was saved, and by whom, and undoes it on request. @param saved text, and undo, which returns after the undo */
export function Saved({ saved, onUndone }) {
  const caller = useContext(Caller);
  const { problem, busy, run } = useAction();
  if (!saved) return null;
  const undo = () => run(async () => {
    await saved.undo();
    onUndone();
  });
  return h('div', { class: 'saved' },
    h('span', { role: 'status' }, `Saved by ${caller.user_id}: ${saved.text}. `),
    saved.undo && h('button', { type: 'button', disabled: busy, onClick: undo }, busy ? 'Undoing…' : 'Undo'), h(Trouble, { problem }));
}

/** The form that disables the compute service of a host with a reason, or enables it. */
export function ServiceSwitch({ host, onSaved }) {
  const { problem, busy, run } = useAction();
  const { service } = host;
  const old = stateOf(service || {});
  const save = event => {
    event.preventDefault();
    const reason = new FormData(event.target).get('reason');
    const wanted = { disabled: !old.disabled, disabled_reason: old.disabled ? null : reason.trim() || null };
    run(async () => {
      const { uuid } = await writeService(host.host, service && service.uuid, old, wanted);
      const undo = () => (service ? writeService(host.host, uuid, wanted, old) : call('DELETE', `/v1/services/${uuid}`));
      onSaved({ text: differenceOf(old, wanted), undo });
    });
  };
  const command = `openstack compute service set ${old.disabled ? '--enable' : '--disable --disable-reason REASON'} ${quoted(host.host)} nova-compute`;
  return h('form', { class: 'controls switch', onSubmit: save },
    !old.disabled && h('label', { for: 'reason' }, 'Reason', h('input', { id: 'reason', name: 'reason', required: true, maxLength: 255, size: 30, autocomplete: 'off' })),
    h('button', { type: 'submit', disabled: busy }, busy ? 'Saving…' : old.disabled ? 'Enable this host' : 'Disable this host'),
    h('span', { class: 'hint' }, 'Where nova keeps the services: ', h('code', null, command)),
    h(Trouble, { problem }));
}

/** Returns the JSON object of a text; null if the text is another JSON value or was cut. */
function objectOf(text) {
  try {
    const read = JSON.parse(text);
    return read !== null && typeof read === 'object' ? read : null;
  } catch (cut) {
    return null;
  }
}

/** Returns the difference of two recorded values as a text; for JSON objects, the members that differ. */
function difference({ old, new: now }) {
  const [before, after] = [objectOf(old), objectOf(now)];
  return before || after ? differenceOf(before || {}, after || {}) : `${old || 'none'} → ${now || 'none'}`;
}

/** Members of an inventory that operators change here. */
const EDITABLE = ['allocation_ratio', 'reserved'];
const INVENTORY = /^inventory (\S+) of .*\(([0-9a-f-]{36})\)$/;
const SERVICE_OF = /^service .* \(([0-9a-f-]{36})\)$/;

/** Returns a function that undoes a recorded change; null if the changed members have other values since. */
function undoOf({ what, old, new: now }, host) {
  const [before, after] = [objectOf(old), objectOf(now)];
  if (!before || !after) return null;
  const [, name, provider] = INVENTORY.exec(what) || [];
  if (name) {
    const { inventories } = host.providers.find(({ uuid }) => uuid === provider) || { inventories: {} };
    const changed = EDITABLE.filter(member => textOf(before[member]) !== textOf(after[member]));
    const isPresent = inventories[name] && changed.length > 0 && changed.every(member => textOf(inventories[name][member]) === textOf(after[member]));
    return isPresent ? () => writeInventory({ host: host.uuid, provider, name }, pick(after, changed), pick(before, changed)) : null;
  }
  const [, uuid] = SERVICE_OF.exec(what) || [];
  const [was, became] = [stateOf(before), stateOf(after)];
  const isPresent = host.service && host.service.uuid === uuid && differenceOf(was, became) && !differenceOf(became, pick(host.service, SERVICE));
  return isPresent ? () => writeService(host.host, uuid, became, was) : null;
}

/** Operators' changes of this host's inventories and service; those that are still in effect can be undone. */
export function Changed({ host, onSaved }) {
  const may = { inventory: useAllowed('scheduler:fleet:update'), service: useAllowed('scheduler:registry:update') };
  const { problem, run } = useAction();
  const known = host.service ? [host.uuid, host.service.uuid] : [host.uuid];
  const live = useLive(async signal => {
    const result = await Promise.all(known.filter(Boolean).map(uuid => call('GET', `/v1/changes?limit=10&about=${encodeURIComponent(uuid)}`, undefined, signal)));
    return result.flatMap(({ changes }) => changes).sort((a, b) => b.id - a.id).slice(0, 10);
  }, 10000, [host.uuid, JSON.stringify(host.service && pick(host.service, ['uuid', ...SERVICE])), host.providers.map(({ generation }) => generation).join()]);
  const undo = (change, action) => run(async () => {
    await action();
    onSaved({ text: `undid the change of ${moment(change.time)}`, undo: null });
  });
  const row = change => {
    const isInventory = change.what.startsWith('inventory ');
    const action = (isInventory ? may.inventory : may.service) && undoOf(change, host);
    return h('tr', { key: change.id },
      h('th', { scope: 'row' }, moment(change.time)), h('td', null, change.user_id || '–'),
      h('td', null, change.what.replace(/ \([0-9a-f-]{36}\)$/, '')), h('td', { class: 'said' }, difference(change)),
      h('td', null, action && h('button', { type: 'button', 'aria-label': `Undo the change of ${moment(change.time)}`, onClick: () => undo(change, action) }, 'Undo')));
  };
  return h('section', { class: 'changed' }, h('h2', null, 'Who changed it'),
    h(Trouble, { problem: problem || live.problem }),
    live.data && live.data.length === 0 && h('p', { class: 'hint' }, 'No change is on record (GET /v1/changes; placement has its own).'),
    live.data && live.data.length > 0 && h(Wide, { label: 'Changes' }, h('table', { class: 'list' },
      h('thead', null, h('tr', null, ['When', 'Who', 'What', 'Change', 'Undo'].map(text => h('th', { key: text, scope: 'col' }, text === 'Undo' ? h('span', { class: 'unseen' }, text) : text)))),
      h('tbody', null, live.data.map(row)))));
}
