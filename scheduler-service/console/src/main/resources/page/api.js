// Calls the service's routes with the credential of the signed-in user. The credential is only in this module's memory: a
// reload of the page signs the user out.
let credential = null;
let onSignOut = () => {};
/** Timeouts of reads, and of analyses (POST): longer than the service's own timeouts. */
const READ_SECONDS_MAX = 40;
const ASKED_SECONDS_MAX = 90;

/** An error of the service: status, code, detail and request id; status 0 if there was no response. */
export class Problem extends Error {
  constructor(status, code, detail, requestId) {
    super(detail);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

/** Calls a route and returns the parsed body; null for 204. Throws Problem. */
export async function call(method, path, body, signal) {
  return send(method, path, body, credential, signal);
}

async function send(method, path, body, auth, signal) {
  const { response, read } = await ask(method, path, body, auth, signal);
  if (response.status === 204) return null;
  if (response.ok && read) return read;
  const problem = problemOf(response, read);
  if (response.status === 401 && auth && auth === credential) signOut(problem);
  throw problem;
}

/** Calls a route and returns the text that the command berth prints for the response. Throws Problem. */
export async function callText(method, path, body, signal) {
  const { response, text, read } = await ask(method, path, body, credential, signal, 'text/plain');
  if (!response.ok) throw problemOf(response, read);
  return text;
}

/** Returns the options of curl for the credential of the signed-in user, with variables of the shell for its secrets. */
export function curlCredential() {
  const { name, value } = credential || { name: 'x-auth-token', value: '' };
  if (name !== 'authorization') return '-H "X-Auth-Token: $TOKEN"';
  return value.startsWith('Basic ') ? '-u "$USER_NAME:$PASSWORD"' : '-H "Authorization: Bearer $TOKEN"';
}

/** Returns a response of any status, its text, and the text parsed as JSON if possible. Throws Problem without a response. */
export async function ask(method, path, body, auth, signal, accept = 'application/json, text/plain') {
  // Metrics are text/plain.
  const headers = { accept };
  if (auth) headers[auth.name] = auth.value;
  if (body !== undefined) headers['content-type'] = 'application/json';
  const seconds = method === 'GET' ? READ_SECONDS_MAX : ASKED_SECONDS_MAX;
  const late = AbortSignal.timeout(seconds * 1000);
  try {
    const response = await fetch(path, {
      method, headers,
      signal: signal ? AbortSignal.any([signal, late]) : late,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: 'omit', redirect: 'error', cache: 'no-store', referrerPolicy: 'no-referrer',
    });
    const text = await response.text();
    return { response, text, read: parse(text) };
  } catch (lost) {
    if (signal && signal.aborted) throw lost;
    throw new Problem(0, '', late.aborted ? `The service has not answered for ${seconds} seconds.` : 'The service does not answer.', '');
  }
}

/** Returns the Problem of an error response: the service's error, or that the response is not the service's. */
export function problemOf(response, read) {
  const error = read && read.errors && read.errors[0];
  const id = response.headers.get('x-openstack-request-id') || '';
  const problem = error ? new Problem(response.status, error.code, error.detail, error.request_id || id)
    : new Problem(response.status, '', response.ok ? `The answer is not ${read ? 'what was asked for' : 'JSON'}: something between answered.`
      : `The service answered ${response.status}.`, id);
  // The instances that have an ambiguous name.
  problem.candidates = (error && error.candidates) || [];
  problem.retryAfterMs = 1000 * (Number(response.headers.get('retry-after')) || 0);
  return problem;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch (notJson) {
    return null;
  }
}

/** Reads how the service identifies callers (GET /v1/sign_in). */
export function ways() {
  return send('GET', '/v1/sign_in', undefined, null);
}

/** Exchanges a password or an authorization code for a token. */
export function exchange(proof) {
  return send('POST', '/v1/sign_in', proof, null);
}

/** Returns the caller of a credential, and keeps the credential for later calls if the service accepts it. */
export async function signIn(auth) {
  if (/[^\t\x20-\xff]/.test(auth.value)) {
    throw new Problem(0, 'Not sent:', 'A token cannot have such a character in it: look for a typographic quote or a line break.', '');
  }
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
