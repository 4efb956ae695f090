import { h, useState, useEffect, quoted } from './parts.js';
import { Problem, callText, curlCredential } from './api.js';

/** Returns the command curl that sends a request; secrets are variables of the shell. */
function curlOf({ method = 'GET', path, body, hasText = true }) {
  return [`curl -sS ${curlCredential()}`, hasText && "-H 'Accept: text/plain'",
    body && `-H 'Content-Type: application/json' ${method === 'POST' ? '' : `-X ${method} `}-d ${quoted(JSON.stringify(body))}`,
    quoted(location.origin + path)].filter(Boolean).join(' ');
}

/** Returns a command of the OpenStack client that reads a request_spec from its input. */
export const withRequest = (command, spec) => `${command} --request - <<'END'\n${JSON.stringify(spec)}\nEND`;

/**
 * Buttons that copy an answer as the scheduler's own text, as a command curl, and as a command of the OpenStack client. Shows
 * the text where the browser does not allow the page to write to the clipboard, as without TLS.
 * @param request the request of the answer: method, path, body, and hasText if the route returns text
 * @param openstack the command; absent if the client has none for the answer
 */
export function Copies({ request, openstack }) {
  const [done, setDone] = useState(null);
  const { hasText = true } = request;
  const forms = [hasText && ['text', () => callText(request.method || 'GET', request.path, request.body)],
    ['curl', () => curlOf(request)], openstack && ['openstack', () => openstack]].filter(Boolean);
  useEffect(() => setDone(null), [request.path, JSON.stringify(request.body)]);
  const copy = async (form, textOf) => {
    setDone({ form, state: 'busy' });
    try {
      const text = await textOf();
      // Without TLS there is no clipboard.
      const isCopied = !!navigator.clipboard && await navigator.clipboard.writeText(text).then(() => true, () => false);
      setDone({ form, state: isCopied ? 'copied' : 'shown', text });
    } catch (failure) {
      setDone({ form, state: 'failed', text: failure.message });
      if (!(failure instanceof Problem)) throw failure;
    }
  };
  return h('div', { class: 'copies' },
    h('span', { role: 'group', 'aria-label': 'Copy this answer' }, forms.map(([form, textOf]) =>
      h('button', { key: form, type: 'button', 'aria-label': `Copy as ${form}`, onClick: () => copy(form, textOf) }, `Copy ${form}`))),
    h('span', { class: 'hint', role: 'status' }, done && { copied: `Copied as ${done.form}.`, shown: 'The browser does not allow the page to copy; copy it here:' }[done.state]),
    done && done.state === 'failed' && h('span', { class: 'trouble', role: 'alert' }, done.text),
    done && done.state === 'shown' && h('pre', { tabIndex: 0 }, done.text));
}
