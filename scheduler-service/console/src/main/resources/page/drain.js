import { h, Fragment, useState, useEffect, useLive, useAllowed, HostLink, InstanceLinks, Live, Trouble, Wide, number, moment } from './parts.js';
import { call } from './api.js';
import { Working, useQuestion } from './explanation.js';

const EVERY_MS = 10_000;
const DRAINS_MAX = 100;
/** The name of the event of this tab when a drain began or ended. */
const CHANGED = 'drains-changed';

/** Returns a name for a drain of the hosts of a selector. */
const nameFor = select => Object.values(select).flat().slice(0, 3).join(' ').slice(0, 200);

/** The form that begins a drain of the hosts of a selector, after its forecast. */
export function Begin({ select }) {
  const question = useQuestion();
  if (!useAllowed('scheduler:drains:update') || select.all) return null;
  const begin = event => {
    event.preventDefault();
    const { name, reason } = Object.fromEntries([...new FormData(event.target)].map(([key, value]) => [key, value.trim()]));
    question.ask(async signal => {
      const result = await call('PUT', `/v1/drains/${encodeURIComponent(name)}`, { select, ...(reason && { reason }) }, signal);
      dispatchEvent(new Event(CHANGED));
      return result;
    });
  };
  const { result } = question;
  return h('section', { class: 'begin' }, h('h2', null, 'Begin this drain'),
    h('p', null, 'Disables the compute services of these hosts, so that they take nothing new, and lists the moves that may be made next. Moves no instance.'),
    h('form', { class: 'controls', onSubmit: begin },
      h('label', { for: 'drain-name' }, 'Name of the drain', h('input', { id: 'drain-name', name: 'name', required: true, maxLength: 255, size: 26, defaultValue: nameFor(select), spellcheck: false, autocomplete: 'off' })),
      h('label', { for: 'drain-reason' }, 'Reason', h('input', { id: 'drain-reason', name: 'reason', maxLength: 255, size: 30, autocomplete: 'off', placeholder: 'drain NAME' })),
      h('button', { type: 'submit', class: 'primary' }, 'Begin the drain')),
    h(Working, { question, label: 'Beginning' }),
    result && h('p', { role: 'status' }, `The drain ${result.name} of ${number(result.hosts.length)} hosts has begun, by ${result.user_id || 'an unknown user'}. It is listed below.`),
    result && h(Commands, { commands: result.commands }));
}

/** Commands for nova, if nova owns the services. */
function Commands({ commands }) {
  return commands && commands.length > 0 && h(Fragment, null, h('p', null, 'Nova keeps the services. Run:'), h('pre', { tabIndex: 0 }, commands.join('\n')));
}

/** The drains that were begun and not ended, each with its progress on request. */
export function Drains() {
  const isAllowed = useAllowed('scheduler:drains:show');
  const live = useLive(async signal => (isAllowed ? call('GET', `/v1/drains?limit=${DRAINS_MAX}`, undefined, signal) : { drains: [] }), EVERY_MS, []);
  useEffect(() => {
    addEventListener(CHANGED, live.again);
    return () => removeEventListener(CHANGED, live.again);
  }, []);
  if (!live.data || live.data.drains.length === 0) return h(Trouble, { problem: live.problem });
  return h('section', { class: 'drains' }, h('div', { class: 'heading' }, h('h2', null, 'Drains'), h(Live, { live })),
    h(Trouble, { problem: live.problem, title: 'Not live:' }),
    live.data.drains.map(drain => h(Drain, { key: drain.name, drain })),
    live.data.drains_links && h('p', { class: 'hint' }, `The first ${DRAINS_MAX} are shown; GET /v1/drains lists all.`));
}

function Drain({ drain }) {
  const [isOpen, setOpen] = useState(false);
  const question = useQuestion();
  const mayEnd = useAllowed('scheduler:drains:update');
  const { start, remaining } = drain.instances;
  const end = enable => question.ask(async signal => {
    const result = await call('DELETE', `/v1/drains/${encodeURIComponent(drain.name)}${enable ? '?enable=true' : ''}`, undefined, signal);
    dispatchEvent(new Event(CHANGED));
    return result;
  });
  return h('section', { class: 'finding' }, h('h3', null, drain.name),
    h('p', null, `${number(drain.hosts)} hosts, begun ${moment(drain.begun_at)} by ${drain.user_id || 'an unknown user'}: ${drain.reason}. `,
      remaining === undefined ? '' : `${number(remaining)} of ${number(start)} instances are left.`),
    h('p', { class: 'controls' },
      h('button', { type: 'button', 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) }, isOpen ? 'Hide progress' : 'Show progress'),
      mayEnd && h('button', { type: 'button', onClick: () => end(true) }, 'Undo: end it and enable its hosts'),
      mayEnd && h('button', { type: 'button', onClick: () => end(false) }, 'End it, hosts stay disabled')),
    h(Working, { question, label: 'Ending' }),
    question.result && h('p', { role: 'status' }, question.result.detail), question.result && h(Commands, { commands: question.result.commands }),
    isOpen && h(Progress, { name: drain.name }));
}

function Progress({ name }) {
  const live = useLive(signal => call('GET', `/v1/drains/${encodeURIComponent(name)}`, undefined, signal), EVERY_MS, [name]);
  const result = live.data;
  if (!result) return h(Fragment, null, h(Trouble, { problem: live.problem }), !live.problem && h('p', { class: 'loading', role: 'status' }, 'Loading…'));
  const counts = Object.entries(result.instances).map(([state, count]) => `${state.replaceAll('_', ' ')} ${number(count)}`).join(', ');
  return h(Fragment, null, h('p', null, h('strong', null, result.state), `. Instances: ${counts}. `, h(Live, { live })),
    h(Wide, { label: `Hosts of ${name}` }, h('table', { class: 'list' },
      h('thead', null, h('tr', null, ['Host', 'Service', 'Instances left'].map(text => h('th', { key: text, scope: 'col' }, text)))),
      h('tbody', null, result.hosts.map(host => h('tr', { key: host.host }, h('th', { scope: 'row' }, h(HostLink, { host: host.host })),
        h('td', null, host.disabled ? 'disabled' : 'enabled'), h('td', { class: 'number' }, number(host.remaining))))))),
    result.stuck.length > 0 && h('ul', { class: 'obstacles' }, result.stuck.map(each => h('li', { key: each.instance },
      h(InstanceLinks, { uuids: [each.instance], names: [each.name] }), ' on ', h(HostLink, { host: each.from }), `: ${each.reason}`))),
    result.gaps.length > 0 && h('p', { class: 'hint' }, `Not looked at: ${result.gaps.join('; ')}.`));
}
