import { h, Fragment, useState, useEffect, Trouble } from './parts.js';
import { Problem, exchange, signIn, ways } from './api.js';

const KEPT = 'berth.sign-in';
const FORMS = {
  basic: { by: 'a user name and password', fields: [['user', 'User name', 'username'], ['secret', 'Password', 'current-password']] },
  token: { by: 'a token', fields: [['secret', 'Token', 'off']],
    hint: 'A service that deploy/up started takes the token admin.' },
  password: { by: 'your Keystone password', fields: [
    ['user', 'User name', 'username'], ['secret', 'Password', 'current-password'], ['project', 'Project', 'off'],
    ['user_domain', 'Domain of the user', 'off', 'Default'], ['project_domain', 'Domain of the project', 'off', 'Default']],
    hint: 'The password goes to Keystone by way of this service, which keeps nothing of it.' },
  keystone: { by: 'a Keystone token', fields: [['secret', 'Token', 'off']],
    hint: 'openstack token issue -c id -f value prints one.' },
  code: { by: 'your organisation', fields: [], button: 'Go to the sign-in page',
    hint: 'You sign in there and come back.' },
  bearer: { by: 'an access token', fields: [['secret', 'Access token', 'off']] },
};

/** Returns the sign-in forms for the service's strategy, the preferred one first. */
function formsOf({ strategy, password, authorization }) {
  switch (strategy) {
    case 'basic': return ['basic'];
    case 'keystone': return password ? ['password', 'keystone'] : ['keystone'];
    case 'oidc': return authorization ? ['code', 'bearer'] : ['bearer'];
    default: return ['token'];
  }
}

const bearer = token => ({ name: 'authorization', value: `Bearer ${token}` });
const openstack = token => ({ name: 'x-auth-token', value: token });

async function credentialOf(form, values) {
  switch (form) {
    case 'basic': {
      const bytes = new TextEncoder().encode(`${values.user}:${values.secret}`);
      return { name: 'authorization', value: `Basic ${btoa(String.fromCharCode(...bytes))}` };
    }
    case 'password': {
      const { secret, ...rest } = values;
      return openstack((await exchange({ ...rest, password: secret })).token);
    }
    case 'bearer':
      return bearer(values.secret);
    default:
      return openstack(values.secret);
  }
}

const text = bytes => btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const random = () => text(crypto.getRandomValues(new Uint8Array(32)));
const redirectUri = () => `${location.origin}/ui`;

/**
 * Redirects to the provider's sign-in page (RFC 6749, 4.1, with PKCE, RFC 7636). State and verifier stay in this tab's
 * session storage until the browser returns. The code is requested in the URL's fragment, which browsers do not send to
 * servers.
 */
async function leave({ url, client_id, scope }) {
  if (!crypto.subtle) throw new Problem(0, 'Not here', 'Browsers allow this over HTTPS alone.', '');
  const [state, verifier] = [random(), random()];
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)));
  sessionStorage.setItem(KEPT, JSON.stringify({ state, verifier, place: location.hash }));
  const to = new URL(url);
  Object.entries({
    response_type: 'code', response_mode: 'fragment', client_id, scope, state, redirect_uri: redirectUri(),
    code_challenge: text(hash), code_challenge_method: 'S256',
  }).forEach(([name, value]) => to.searchParams.set(name, value));
  location.assign(to);
}

/** Returns the parameters of the provider's redirect, and removes them from the address; null without a redirect. Runs first. */
export function takeReturn() {
  const parameters = new URLSearchParams(/^#(?!\/)/.test(location.hash) ? location.hash.slice(1) : location.search.slice(1));
  if (!parameters.has('state')) return null;
  const kept = JSON.parse(sessionStorage.getItem(KEPT) || 'null');
  sessionStorage.removeItem(KEPT);
  history.replaceState(null, '', `/ui${kept && kept.place.startsWith('#/') ? kept.place : ''}`);
  const problem = detail => ({ problem: new Problem(0, 'Not signed in:', detail, '') });
  if (!kept || kept.state !== parameters.get('state')) return problem('this was not begun in this tab. Try again.');
  if (!parameters.has('code')) return problem(parameters.get('error_description') || parameters.get('error') || 'the provider gave no code.');
  return { code: parameters.get('code'), code_verifier: kept.verifier, redirect_uri: redirectUri() };
}

export function SignIn({ onCaller, why, returned }) {
  const [known, setKnown] = useState(null);
  const [chosen, setChosen] = useState(null);
  const [problem, setProblem] = useState(why || (returned && returned.problem));
  const [busy, setBusy] = useState(false);
  const attempt = async credential => {
    setBusy(true);
    setProblem(null);
    try {
      onCaller(await signIn(await credential()));
    } catch (failure) {
      setProblem(failure);
      setBusy(false);
    }
  };
  // Sets the focus to the first field.
  useEffect(() => {
    const [first] = chosen ? FORMS[chosen].fields : [];
    if (first) document.getElementById(first[0]).focus();
  }, [chosen]);
  useEffect(() => {
    let timer = 0;
    let lost = null;
    const ask = () => ways().then(found => {
      setKnown(found);
      setChosen(formsOf(found)[0]);
      setProblem(before => (before === lost ? null : before));
    }, failure => {
      setProblem(lost = failure);
      timer = setTimeout(ask, 2000);
    });
    ask();
    if (returned && returned.code) attempt(async () => bearer((await exchange(returned)).token));
    // The browser may restore the page from its cache after the user returns from the provider's page.
    const shown = event => { if (event.persisted) setBusy(false); };
    addEventListener('pageshow', shown);
    return () => {
      clearTimeout(timer);
      removeEventListener('pageshow', shown);
    };
  }, []);

  const submit = event => {
    event.preventDefault();
    const values = Object.fromEntries(new FormData(event.target));
    if (chosen === 'code') {
      setBusy(true);
      leave(known.authorization).catch(failure => {
        setProblem(failure);
        setBusy(false);
      });
    } else {
      attempt(() => credentialOf(chosen, values));
    }
  };

  const form = chosen && FORMS[chosen];
  return h('main', { class: 'signin' },
    h('h1', null, 'Berth'),
    h('p', null, 'Where instances go, and why.'),
    h(Trouble, { problem, title: problem && problem.status === 403 && 'This token may not use the page:' }),
    form && h('form', { onSubmit: submit, autocomplete: 'on' },
      h('h2', null, `Sign in with ${form.by}`),
      form.fields.map(([name, label, complete, preset]) => h(Fragment, { key: chosen + name },
        h('label', { for: name }, label),
        h('input', {
          id: name, name, required: true, autocomplete: complete, spellcheck: false, autocapitalize: 'off', defaultValue: preset || '',
          type: name === 'secret' ? 'password' : 'text',
        }))),
      h('button', { type: 'submit', class: 'primary', disabled: busy }, busy ? 'Signing in…' : form.button || 'Sign in'),
      form.hint && h('p', { class: 'hint' }, form.hint),
      formsOf(known).filter(other => other !== chosen).map(other =>
        h('button', { key: other, type: 'button', class: 'link', onClick: () => setChosen(other) }, `With ${FORMS[other].by} instead`))),
    h('p', { class: 'hint' }, 'Nothing is stored: closing or reloading this tab signs you out.'));
}
