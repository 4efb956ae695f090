import { h, Fragment, useEffect, useAllowed, Empty, HostLink, number } from './parts.js';
import { Problem, call } from './api.js';
import { TEXT_MAX, addressOf, queryOf } from './place.js';
import { hostsLike } from './names.js';
import { Found } from './decisions.js';
import { Working, useQuestion } from './explanation.js';

const HOSTS_MAX = 20;
const DECISIONS_MAX = 5;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns what a read of a part yields, or null if the service has no such record (404) or the policy does not allow it (403). */
const unlessAbsent = promise => promise.catch(failure => {
  if (failure instanceof Problem && [400, 403, 404].includes(failure.status)) return null;
  throw failure;
});

/** Returns the instances of a uuid or name: none, one, or several of one name. */
async function instancesOf(text, signal) {
  try {
    return [await call('GET', `/v1/instances/${encodeURIComponent(text)}`, undefined, signal)];
  } catch (failure) {
    if (!(failure instanceof Problem)) throw failure;
    if (failure.status === 409) return failure.candidates;
    if ([400, 403, 404].includes(failure.status)) return [];
    throw failure;
  }
}

/** Returns decisions by a filter of GET /v1/decisions, with a link to all of them. */
async function decisionsBy(filter, text, signal) {
  const result = await unlessAbsent(call('GET', `/v1/decisions?${new URLSearchParams({ [filter]: text, limit: DECISIONS_MAX })}`, undefined, signal));
  return result && result.decisions.length > 0 ? { filter, found: result.decisions, more: !!result.decisions_links } : null;
}

async function find(text, signal, maySee) {
  const name = text.toLowerCase();
  const isMatch = (host, uuid) => host.toLowerCase().includes(name) || uuid === name;
  const like = fresh => unlessAbsent(hostsLike(isMatch, signal, fresh)).then(found => found || []);
  const [hosts, instances, record, ...lists] = await Promise.all([
    like(false).then(found => (found.length > 0 ? found : like(true))),
    maySee.instances ? instancesOf(text, signal) : [],
    maySee.decisions && UUID.test(text) ? unlessAbsent(call('GET', `/v1/decisions/${text}`, undefined, signal)) : null,
    ...(maySee.decisions ? ['instance', 'flavor', 'project'].map(filter => decisionsBy(filter, text, signal)) : []),
  ]);
  const decisions = lists.filter(Boolean);
  const isListed = record && decisions.some(({ found }) => found.some(each => each.decision_id === record.decision_id));
  return { text, hosts, instances, record: isListed ? null : record, decisions };
}

/** The results of a search by name, uuid, flavor or project. */
export function Search({ query }) {
  const text = (new URLSearchParams(query).get('q') || '').trim().slice(0, TEXT_MAX);
  const question = useQuestion();
  const maySee = { instances: useAllowed('scheduler:registry:show'), decisions: useAllowed('scheduler:decisions:show') };
  useEffect(() => {
    if (text) question.ask(signal => find(text, signal, maySee));
    return question.end;
  }, [text]);
  return h('section', { class: 'results' }, h('h1', null, text ? `Search: ${text}` : 'Search'),
    h(Working, { question, label: 'Searching' }), question.result && h(Results, { result: question.result }));
}

const BY = { instance: 'about this instance', flavor: 'for this flavor', project: 'for this project' };

function Results({ result }) {
  const { text, hosts, instances, record, decisions } = result;
  if (hosts.length + instances.length + decisions.length === 0 && !record) {
    return h(Empty, { title: 'Nothing has this name' },
      'Hosts are found by a part of their name; instances, flavors and projects by the whole name or uuid; decisions by their id.');
  }
  return h(Fragment, null,
    hosts.length > 0 && h('section', null, h('h2', null, `Hosts (${number(hosts.length)})`),
      h('ul', { class: 'names' }, hosts.slice(0, HOSTS_MAX).map(({ name, uuid }) => h('li', { key: uuid }, h('a', { href: `#/hosts/${uuid}` }, name)))),
      hosts.length > HOSTS_MAX && h('p', null, h('a', { href: addressOf('fleet', queryOf({ name: text })) }, `All ${number(hosts.length)} on the map`))),
    instances.length > 0 && h('section', null, h('h2', null, `Instances (${number(instances.length)})`),
      h('ul', { class: 'names' }, instances.map(({ uuid, name, host }) => h('li', { key: uuid }, h('a', { href: `#/instances/${uuid}` }, name || uuid),
        host && h(Fragment, null, ' on ', h(HostLink, { host })))))),
    record && h('section', null, h('h2', null, 'Decision'), h(Found, { found: [record] })),
    decisions.map(({ filter, found, more }) => h('section', { key: filter }, h('h2', null, `Decisions ${BY[filter]}`), h(Found, { found }),
      more && h('p', null, h('a', { href: addressOf('decisions', queryOf({ [filter]: text })) }, 'All of them')))));
}
