import { useState, useEffect, useRef } from './parts.js';

/** Milliseconds without input after which a typed filter is in the address. */
const TYPED_MS = 400;

/** Maximum characters of a search; longer texts are no names. */
export const TEXT_MAX = 255;

const decoded = part => {
  try {
    return decodeURIComponent(part);
  } catch (malformed) {
    return '';
  }
};

/** Reads the fragment of the address: #/NAME/ID?PARAMETERS names the view, a record and its filters. */
function read() {
  const [path, ...rest] = location.hash.replace(/^#\/?/, '').split('?');
  const [name, id] = path.split('/').map(decoded);
  return { name: name || 'fleet', id, query: rest.join('?') };
}

/** The last parameters of each list in this tab, so that the navigation leads back to the same view. */
const last = new Map();

export function addressOf(name, query = last.get(name)) {
  return `#/${name}${query ? `?${query}` : ''}`;
}

/** Returns the parameters of an address without the empty ones. @param values text or list of texts by name */
export function queryOf(values) {
  return new URLSearchParams(Object.entries(values).flatMap(([name, value]) =>
    [value].flat().filter(each => each !== '' && each !== undefined && each !== null).map(each => [name, each]))).toString();
}

/** A hook for the present address, which browsers change with links, back and forward. */
export function usePlace() {
  const [at, setAt] = useState(read);
  useEffect(() => {
    const moved = () => setAt(read());
    addEventListener('hashchange', moved);
    return () => removeEventListener('hashchange', moved);
  }, []);
  if (!at.id) last.set(at.name, at.query);
  return at;
}

/** Opens a view as a new entry of the browser's history; with isSame it replaces the present entry. */
export function go(address, isSame = false) {
  if (address === location.hash) return;
  if (isSame) location.replace(address);
  else location.hash = address;
}

/**
 * A hook that keeps the options of a view in the address. A choice is a new entry of the browser's history; what is typed
 * replaces the present one after a pause.
 * @param query the parameters of the present address
 * @param standard the options of an address without parameters; a boolean stands for a parameter that is 1 or absent
 */
export function useOptions(name, query, standard) {
  const [typed, setTyped] = useState(null);
  const given = new URLSearchParams(query);
  const stated = Object.fromEntries(Object.entries(standard).map(([key, value]) =>
    [key, !given.has(key) ? value : typeof value === 'boolean' ? given.get(key) === '1' : given.get(key)]));
  const options = { ...stated, ...typed };
  const address = wanted => addressOf(name, queryOf(Object.fromEntries(Object.entries(wanted)
    .map(([key, value]) => [key, value === standard[key] ? '' : value === true ? '1' : value]))));
  useEffect(() => setTyped(before => (before && Object.keys(before).some(key => before[key] !== stated[key]) ? before : null)), [query]);
  useEffect(() => {
    if (!typed) return undefined;
    const timer = setTimeout(() => go(address(options), true), TYPED_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const choose = change => {
    setTyped(null);
    go(address({ ...options, ...change }));
  };
  const type = change => {
    setTyped({ ...typed, ...change });
    last.set(name, address({ ...options, ...change }).split('?')[1] || '');
  };
  return [options, choose, type];
}

/**
 * A hook for a form whose values the address has. Returns a key with which the form gets the values of another address, and
 * keeps its focus when it opened the address itself by open(query).
 */
export function useForm(query, openAddress) {
  const seen = useRef({ key: 0, query, own: null });
  const { current } = seen;
  if (current.query !== query) {
    if (query !== current.own) current.key++;
    current.query = query;
  }
  return [current.key, wanted => {
    current.own = wanted;
    openAddress(wanted);
  }];
}
