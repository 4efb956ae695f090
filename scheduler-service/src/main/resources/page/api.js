// The routes of this service, with the credential of whoever signed in. It is kept here alone: a reload forgets it.
let credential = null;
let onSignOut = () => {};
/** Longer than the service takes to find out that it cannot answer, and than the longest question may take. */
const READ_SECONDS_MAX = 40;
const ASKED_SECONDS_MAX = 90;

/** What went wrong, in the service's own words. */
export class Problem extends Error {
  constructor(status, code, detail, requestId) {
    super(detail);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

/** One call; answers the parsed body, null for none. Throws Problem. */
export async function call(method, path, body, signal) {
  return send(method, path, body, credential, signal);
}

async function send(method, path, body, auth, signal) {
  const headers = { accept: 'application/json' };
  if (auth) headers[auth.name] = auth.value;
  if (body !== undefined) headers['content-type'] = 'application/json';
  const seconds = method === 'GET' ? READ_SECONDS_MAX : ASKED_SECONDS_MAX;
  const late = AbortSignal.timeout(seconds * 1000);
  let response;
  let text;
  try {
    response = await fetch(path, {
      method, headers,
      signal: signal ? AbortSignal.any([signal, late]) : late,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: 'omit', redirect: 'error', cache: 'no-store', referrerPolicy: 'no-referrer',
    });
    text = await response.text();
  } catch (lost) {
    if (signal && signal.aborted) throw lost;
    throw new Problem(0, '', late.aborted ? `The service has not answered for ${seconds} seconds.` : 'The service does not answer.', '');
  }
  const id = response.headers.get('x-openstack-request-id') || '';
  const read = parse(text);
  if (response.ok) return read;
  const error = read && read.errors && read.errors[0];
  const problem = new Problem(
    response.status, error ? error.code : '', error ? error.detail : `The service answered ${response.status}.`,
    error ? error.request_id : id);
  problem.explanation = error && error.explanation;
  if (response.status === 401 && auth && auth === credential) signOut(problem);
  throw problem;
}

function parse(text) {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch (notJson) {
    return null;
  }
}

/** By what callers are known here. */
export function ways() {
  return send('GET', '/v1/sign_in', undefined, null);
}

/** A token for a password, or for a provider's code. */
export function exchange(proof) {
  return send('POST', '/v1/sign_in', proof, null);
}

/** Answers who that is; the credential is kept only then. */
export async function signIn(auth) {
  const caller = await send('GET', '/v1/caller', undefined, auth);
  credential = auth;
  return caller;
}

export function signOut(why) {
  credential = null;
  onSignOut(why || null);
}

export function whenSignedOut(action) {
  onSignOut = action;
}
