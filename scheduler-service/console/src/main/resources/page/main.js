import { h, render, useState, useEffect, useRef, useLive, Caller, Guard } from './parts.js';
import { call, signOut, whenSignedOut } from './api.js';
import { SignIn, takeReturn } from './signin.js';
import { Fleet } from './fleet.js';
import { Host } from './host.js';
import { Decisions } from './decisions.js';
import { Capacity, Watches, recordWatches } from './capacity.js';
import { WhatIf } from './whatif.js';
import { Health } from './health.js';

const PAGES = [
  ['fleet', 'Fleet', Fleet],
  ['decisions', 'Decisions', Decisions],
  ['capacity', 'Capacity', Capacity],
  ['what-if', 'What if', WhatIf],
  ['health', 'Health', Health],
];

/** The parameters with which a provider's sign-in page redirected to this page; only the first sign-in form uses them. */
let returned = takeReturn();

/** Returns the segments of the URL's fragment, which names the view. */
function place() {
  return location.hash.replace(/^#\/?/, '').split('/').map(part => {
    try {
      return decodeURIComponent(part);
    } catch (malformed) {
      return '';
    }
  });
}

function usePlace() {
  const [at, setAt] = useState(place());
  useEffect(() => {
    const moved = () => setAt(place());
    addEventListener('hashchange', moved);
    return () => removeEventListener('hashchange', moved);
  }, []);
  return at;
}

function Page() {
  const [caller, setCaller] = useState(null);
  const [why, setWhy] = useState(null);
  const [name, id] = usePlace();
  useEffect(() => whenSignedOut(problem => {
    setWhy(problem);
    setCaller(null);
  }), []);
  const enter = known => {
    returned = null;
    setCaller(known);
  };
  if (!caller) return h(SignIn, { onCaller: enter, why, returned });
  return h(Caller.Provider, { value: caller }, h(SignedIn, { key: caller, caller, name, id }));
}

/** The views of a signed-in user. Loads the watched flavors in every view, so that their history has no gaps. */
function SignedIn({ caller, name, id }) {
  const watches = useLive(async signal => (caller.allowed.includes('scheduler:capacity')
    ? recordWatches(await call('GET', '/v1/capacity/watches', undefined, signal)) : null), 10000, [caller]);
  const entered = useRef(false);
  useEffect(() => {
    if (entered.current) document.getElementById('main').focus();
    entered.current = true;
  }, [name, id]);
  const [, title, Shown] = PAGES.find(([path]) => path === name) || PAGES[0];
  const host = name === 'hosts' && id;
  document.title = `Berth: ${host ? 'host' : title.toLowerCase()}`;
  return h(Watches.Provider, { value: watches },
    h('a', { class: 'skip', href: '#main', onClick: event => {
      event.preventDefault();
      document.getElementById('main').focus();
    } }, 'Skip to the content'),
    h('header', null,
      h('a', { class: 'brand', href: '#/fleet' }, 'Berth'),
      h('nav', { 'aria-label': 'Pages' }, PAGES.map(([path, text]) =>
        h('a', { key: path, href: `#/${path}`, 'aria-current': text === title && !host ? 'page' : undefined }, text))),
      h('span', { class: 'who' }, `${caller.user_id} (${caller.roles.join(', ') || 'no role'})`),
      h('button', { type: 'button', onClick: () => signOut() }, 'Sign out')),
    h('main', { id: 'main', tabIndex: -1 }, h(Guard, { key: `${name}/${id}` }, host ? h(Host, { uuid: id }) : h(Shown, { id }))));
}

render(h(Guard, null, h(Page)), document.getElementById('page'));
