import { h, useState, useEffect } from './parts.js';
import { Problem, call } from './api.js';

/** Maximum names in a list of suggestions, so that large fleets do not slow the page down. */
const SUGGESTED_MAX = 2000;
const NONE = { hosts: [], zones: [], aggregates: [], traits: [], classes: [] };

/** The names of the last fleet that was loaded in this tab; null before. */
let known = null;
/** Names of flavors that this tab has seen in decisions. */
const flavors = new Set();

const distinct = texts => [...new Set(texts)].filter(Boolean).sort();

/** Keeps the names of a response of GET /v1/fleet for suggestions, and returns the response. */
export function keepNames(fleet) {
  if (!Array.isArray(fleet.host)) return fleet;
  known = {
    uuid: fleet.uuid, host: fleet.host,
    names: {
      hosts: fleet.host.length > SUGGESTED_MAX ? [] : distinct(fleet.host), zones: distinct(fleet.zones), aggregates: distinct(fleet.host_aggregate_sets.flat()),
      traits: distinct(fleet.trait_sets.flat()), classes: Object.keys(fleet.resource_classes).sort(),
    },
  };
  return fleet;
}

/** Returns uuid and name of the hosts for which keep(name, uuid) is true, read from the service unless this tab has them. */
export async function hostsLike(keep, signal, isFresh) {
  if (!known || isFresh) keepNames(await call('GET', '/v1/fleet', undefined, signal));
  const { uuid, host } = known || { uuid: [], host: [] };
  return host.map((name, i) => ({ name, uuid: uuid[i] })).filter(({ name, uuid: id }) => keep(name, id));
}

export function keepFlavors(decisions) {
  for (const { flavor } of decisions) if (flavor && flavors.size < SUGGESTED_MAX) flavors.add(flavor);
}

/** A hook for the names of the fleet; empty until they are known, and if the service does not return them. */
export function useNames() {
  const [names, setNames] = useState(known ? known.names : NONE);
  useEffect(() => {
    if (known) return undefined;
    const stop = new AbortController();
    call('GET', '/v1/fleet', undefined, stop.signal).then(fleet => keepNames(fleet) && known && setNames(known.names), failure => {
      if (!stop.signal.aborted && !(failure instanceof Problem)) throw failure;
    });
    return () => stop.abort();
  }, []);
  return { ...names, flavors: [...flavors].sort() };
}

/** A list of suggestions for the field whose attribute list is id. */
export function Suggestions({ id, values }) {
  return h('datalist', { id }, values.map(value => h('option', { key: value, value })));
}
