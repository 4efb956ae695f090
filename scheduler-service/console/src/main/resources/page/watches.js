import { createContext } from './parts.js';
import { remember } from './history.js';

/** Context with the last response of GET /v1/capacity/watches, for all views. */
export const Watches = createContext(null);

/** Returns the name of a watched flavor's history. */
export const seriesOf = name => `watch ${name}`;

/** Adds the counts of a response to the history of this tab, and returns the response. */
export function recordWatches(result) {
  for (const { name, last } of result.watches) {
    if (last && last.complete && !last.refused) remember(seriesOf(name), last.count, Date.parse(last.as_of.time));
  }
  return result;
}

/** Returns the watched flavors as requests of an analysis. */
export function requestsOf(watches) {
  return ((watches.data && watches.data.watches) || []).filter(watch => watch.request_spec).map(({ name, request_spec, max }) => ({ name, request_spec, ...(max && { max }) }));
}
