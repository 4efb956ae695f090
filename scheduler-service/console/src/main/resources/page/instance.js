import { h, useLive, useAllowed, HostLink, Live, Trouble, Wide, moment } from './parts.js';
import { Problem, call } from './api.js';
import { addressOf, queryOf } from './place.js';
import { Found } from './decisions.js';

const EVERY_MS = 5000;
const DECISIONS_MAX = 10;

/** Returns the response, or the error if the service has no such record or the policy does not allow it. */
const attempt = promise => promise.catch(failure => {
  if (failure instanceof Problem && failure.status >= 400 && failure.status < 500) return { problem: failure };
  throw failure;
});

/** An instance: its host, and the decisions and moves about it. @param id uuid or name */
export function Instance({ id }) {
  const maySeeDecisions = useAllowed('scheduler:decisions:show');
  const maySeeMoves = useAllowed('scheduler:moves:show');
  const live = useLive(async signal => {
    const list = (route, isAllowed) => (isAllowed
      ? attempt(call('GET', `/v1/${route}?${new URLSearchParams({ instance: id, limit: DECISIONS_MAX })}`, undefined, signal)) : {});
    const [instance, decided, moved] = await Promise.all([
      attempt(call('GET', `/v1/instances/${encodeURIComponent(id)}`, undefined, signal)),
      list('decisions', maySeeDecisions), list('moves', maySeeMoves)]);
    return { instance, decisions: decided.decisions || [], moves: moved.moves || [] };
  }, EVERY_MS, [id]);
  const { instance, decisions, moves } = live.data || { decisions: [], moves: [] };
  const candidates = (instance && instance.problem && instance.problem.candidates) || [];
  return h('section', { class: 'instance' },
    h('div', { class: 'heading' }, h('h1', null, (instance && instance.name) || nameIn(decisions, id) || id), h(Live, { live })),
    h(Trouble, { problem: live.problem }),
    !live.data && !live.problem && h('p', { class: 'loading', role: 'status' }, 'Loading the instance…'),
    instance && (instance.problem ? h(Trouble, { problem: instance.problem, title: 'Not registered:' }) : h(Facts, { instance })),
    candidates.length > 0 && h('ul', { class: 'names' }, candidates.map(({ uuid, host }) => h('li', { key: uuid }, h('a', { href: `#/instances/${uuid}` }, uuid), host && ` on ${host}`))),
    decisions.length > 0 && h('section', null, h('h2', null, 'Decisions about it'), h(Found, { found: decisions }),
      h('p', null, h('a', { href: addressOf('decisions', queryOf({ instance: id })) }, 'All decisions about it'))),
    moves.length > 0 && h(Moves, { moves }));
}

/** The name that recorded decisions have for an instance that is not registered. */
function nameIn(decisions, id) {
  const named = decisions.find(({ instance_names: names, instance_uuids: uuids }) => names && uuids.includes(id));
  return named && named.instance_names[named.instance_uuids.indexOf(id)];
}

function Facts({ instance }) {
  const named = (name, id) => (name && id ? `${name} (${id})` : name || id);
  const facts = [
    ['Host', h(HostLink, { host: instance.host })],
    ['Uuid', h('code', null, instance.uuid)],
    ['Flavor', instance.flavor_name],
    ['Project', named(instance.project_name, instance.project_id)],
    ['User', named(instance.user_name, instance.user_id)],
  ].filter(([, value]) => value);
  return h('dl', { class: 'facts' }, facts.map(([term, value]) => h('div', { key: term }, h('dt', null, term), h('dd', null, value))));
}

function Moves({ moves }) {
  const host = node => (node && node.host ? h(HostLink, { host: node.host }) : '–');
  return h('section', null, h('h2', null, 'Moves'), h(Wide, { label: 'Moves' }, h('table', { class: 'list' },
    h('thead', null, h('tr', null, ['Began', 'Kind', 'State', 'From', 'To', 'By'].map(text => h('th', { key: text, scope: 'col' }, text)))),
    h('tbody', null, moves.map(move => h('tr', { key: move.migration_uuid },
      h('th', { scope: 'row' }, moment(move.begun_at)), h('td', null, move.kind), h('td', null, move.state),
      h('td', null, host(move.source)), h('td', null, host(move.destination)), h('td', null, move.user_id || '–')))))));
}
