import { h, render, useState, useEffect, useRef, useLive, Caller, Guard, Trouble } from './parts.js';
import { TEXT_MAX, addressOf, go, queryOf, usePlace } from './place.js';
import { call, signOut, whenSignedOut } from './api.js';
import { SignIn, takeReturn } from './signin.js';
import { Fleet } from './fleet.js';
import { Watches, recordWatches } from './watches.js';

/** Returns a component whose module is loaded when it is first shown, or earlier by its function load. */
function later(load, name) {
  function Later(props) {
    const [module, setModule] = useState(null);
    const [problem, setProblem] = useState(null);
    const attempt = () => load().then(setModule, failure => {
      console.warn(failure);
      setProblem({ message: 'This part of the page could not be loaded.', code: 'No answer', status: 0 });
    });
    useEffect(() => {
      attempt();
    }, []);
    if (module) return h(module[name], props);
    return problem ? h('section', null, h('h1', null, 'This cannot be shown'), h(Trouble, { problem }),
      h('button', { type: 'button', class: 'primary', onClick: attempt }, 'Try again')) : h('p', { class: 'loading', role: 'status' }, 'Loading…');
  }
  Later.load = load;
  return Later;
}

const PAGES = [
  ['fleet', 'Fleet', Fleet],
  ['decisions', 'Decisions', later(() => import('./decisions.js'), 'Decisions')],
  ['capacity', 'Capacity', later(() => import('./capacity.js'), 'Capacity')],
  ['what-if', 'What if', later(() => import('./whatif.js'), 'WhatIf')],
  ['health', 'Health', later(() => import('./health.js'), 'Health')],
];
/** The views that the navigation does not list, by the first segment of the address. */
const RECORDS = {
  hosts: ['host', later(() => import('./host.js'), 'Host')],
  instances: ['instance', later(() => import('./instance.js'), 'Instance')],
  search: ['search', later(() => import('./search.js'), 'Search')],
};

/** The parameters with which a provider's sign-in page redirected to this page; only the first sign-in form uses them. */
let returned = takeReturn();

function Page() {
  const [caller, setCaller] = useState(null);
  const [why, setWhy] = useState(null);
  const place = usePlace();
  useEffect(() => whenSignedOut(problem => {
    setWhy(problem);
    setCaller(null);
  }), []);
  const enter = known => {
    returned = null;
    setCaller(known);
  };
  if (!caller) return h(SignIn, { onCaller: enter, why, returned });
  return h(Caller.Provider, { value: caller }, h(SignedIn, { key: caller, caller, ...place }));
}

/** The search field of every view. @param query parameters of the address of the present search */
export function SearchBox({ query }) {
  const text = new URLSearchParams(query).get('q') || '';
  const search = event => {
    event.preventDefault();
    const wanted = new FormData(event.target).get('q').trim();
    if (wanted) go(addressOf('search', queryOf({ q: wanted })));
  };
  return h('form', { key: text, class: 'search', role: 'search', onSubmit: search },
    h('label', { class: 'unseen', for: 'search' }, 'Search hosts, instances and decisions'),
    h('input', { id: 'search', name: 'q', type: 'search', maxLength: TEXT_MAX, defaultValue: text, autocomplete: 'off', spellcheck: false,
      placeholder: 'Host, instance, uuid, flavor, project' }));
}

/** The views of a signed-in user. Loads the watched flavors in every view, so that their history has no gaps. */
function SignedIn({ caller, name, id, query }) {
  const watches = useLive(async signal => (caller.allowed.includes('scheduler:capacity')
    ? recordWatches(await call('GET', '/v1/capacity/watches', undefined, signal)) : null), 10000, [caller]);
  const entered = useRef(false);
  // The other views load after the first one, so that they work while the service is away.
  useEffect(() => {
    for (const [, , shown] of [...PAGES, ...Object.values(RECORDS).map(record => [null, ...record])]) if (shown.load) shown.load().catch(() => {});
  }, []);
  useEffect(() => {
    if (entered.current) document.getElementById('main').focus();
    entered.current = true;
  }, [name, id, name === 'search' && query]);
  const record = RECORDS[name];
  const [, title, Shown] = record ? [name, ...record] : PAGES.find(([path]) => path === name) || PAGES[0];
  document.title = `Berth: ${title.toLowerCase()}`;
  return h(Watches.Provider, { value: watches },
    h('a', { class: 'skip', href: '#main', onClick: event => {
      event.preventDefault();
      document.getElementById('main').focus();
    } }, 'Skip to the content'),
    h('header', null,
      h('a', { class: 'brand', href: '#/fleet' }, 'Berth'),
      h('nav', { 'aria-label': 'Pages' }, PAGES.map(([path, text]) =>
        h('a', { key: path, href: addressOf(path), 'aria-current': text === title ? 'page' : undefined,
          // What was typed last may not be in the address yet.
          onClick: event => { event.currentTarget.href = addressOf(path); } }, text))),
      h(SearchBox, { query: name === 'search' ? query : '' }),
      h('span', { class: 'who' }, `${caller.user_id} (${caller.roles.join(', ') || 'no role'})`),
      h('button', { type: 'button', onClick: () => signOut() }, 'Sign out')),
    h('main', { id: 'main', tabIndex: -1 }, h(Guard, { key: `${name}/${id}` }, h(Shown, { id, query }))));
}

render(h(Guard, null, h(Page)), document.getElementById('page'));
