import { h, Fragment, useState, useRef, HostLink, Trouble, number } from './parts.js';
import { Problem, call } from './api.js';

/** A hook for requests that the user can stop. Its member result is the response, problem the error, busy is true meanwhile. */
export function useQuestion() {
  const [state, setState] = useState({ result: null, problem: null, busy: false });
  const stop = useRef(null);
  const ask = async question => {
    if (stop.current) stop.current.abort();
    const mine = stop.current = new AbortController();
    setState({ result: null, problem: null, busy: true });
    try {
      const result = await question(mine.signal);
      if (!mine.signal.aborted) setState({ result, problem: null, busy: false });
    } catch (problem) {
      if (mine.signal.aborted) return;
      setState({ result: null, problem, busy: false });
      if (!(problem instanceof Problem)) throw problem;
    }
  };
  const end = () => {
    if (stop.current) stop.current.abort();
    setState({ result: null, problem: null, busy: false });
  };
  return { ...state, ask, end };
}

export function Working({ question, label }) {
  return h(Fragment, null,
    question.busy && h('p', { class: 'working' }, h('progress', { 'aria-label': label }), ' ', h('span', { role: 'status' }, `${label}…`), ' ',
      h('button', { type: 'button', onClick: question.end }, 'Stop')),
    h(Trouble, { problem: question.problem }));
}

/** Requests the explanation of hosts for the current cloud. @param spec the recorded request_spec @param hosts names; empty for all */
export function explain(spec, hosts, signal) {
  return call('POST', '/v1/explanations', { request_spec: spec, ...(hosts.length > 0 && { hosts }), timeout_s: 30 }, signal);
}

const VERDICTS = {
  chosen: 'would be taken', admissible: 'may be taken, others come before it', rejected: 'would not be taken',
};

/** The response's warnings about members without effect, such as a misspelled extra spec. @param texts may be absent */
export function Warnings({ texts = [] }) {
  return texts.map(text => h('p', { key: text, class: 'hint warning' }, text));
}

/** Renders the response of POST /v1/explanations. */
export function Explained({ result }) {
  return h('div', { class: 'explained' },
    h(Warnings, { texts: result.warnings }),
    result.placed && h('p', { class: 'placed' }, result.placed.map(each => h(Fragment, { key: each.instance },
      h('a', { href: `#/instances/${each.instance}` }, each.instance), ' has been placed since, on ', h(HostLink, { host: each.host }), '. '))),
    result.hosts.map(host => h(Explanation, { key: host.compute_node_uuid || host.host, host })),
    !result.complete && h('p', { class: 'hint' }, `Not looked at: ${result.gaps.join('; ')}.`));
}

function Explanation({ host }) {
  const sets = host.admitted_by || [];
  return h('section', { class: 'verdict' },
    h('p', null, h('strong', null, h(HostLink, { host: host.host })), ' ', VERDICTS[host.verdict] || host.verdict,
      host.rank && `: rank ${number(host.rank)} of ${number(host.ranked)}`, '.'),
    host.behind && host.behind.length > 0 && h('p', null, 'The best host is before it by ',
      host.behind.map(each => `${each.by} (${Number(each.best_score).toFixed(3)} to ${Number(each.score).toFixed(3)})`).join(', '), '.'),
    host.obstacles.length > 0 && h('ul', { class: 'obstacles' }, host.obstacles.map((obstacle, i) =>
      h('li', { key: i }, h('span', { class: 'stage' }, obstacle.stage), ' ', obstacle.text))),
    host.verdict === 'rejected' && (sets.length === 0
      ? h('p', { class: 'hint' }, 'No change that Berth knows of would admit it.')
      : h(Fragment, null, h('h3', null, sets.length > 1 ? 'Any of these would admit it, as was tried' : 'This would admit it, as was tried'),
        h('ol', { class: 'sets' }, sets.map((set, i) => h('li', { key: i },
          h('ul', null, set.map((change, j) => h(Change, { key: j, change })))))))));
}

/** Members of a change that are not listed, because its call shows them. */
const UNTOLD = new Set(['change', 'call', 'provider', 'from', 'to', 'set_by', 'warning', 'beyond']);
/** Where an operator makes a change for which the service has no route, by set_by. */
const SET_BY = {
  compute_node: 'the compute node reports it: change it there',
  option: 'an option of the scheduler states it: change it there',
  nova: 'nova keeps it: change it there',
};

function Change({ change }) {
  const { call: done } = change;
  const body = done && (done.body || done.patch);
  const result = Object.entries(change).filter(([name]) => !UNTOLD.has(name) && !(name === 'aggregate' && change.name))
    .map(([, value]) => (typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value)));
  return h('li', null, h('strong', null, change.change.replaceAll('_', ' ')), ' ', result.join(' '),
    change.from !== undefined && change.to !== undefined && ` ${JSON.stringify(change.from)} → ${JSON.stringify(change.to)}`,
    change.set_by && h('span', { class: 'hint' }, ` ${SET_BY[change.set_by] || change.set_by}`),
    [change.warning, change.beyond && `Beyond hardware: ${change.beyond}`].filter(Boolean).map(text =>
      h('div', { key: text, class: 'hint warning' }, text)),
    done && h('details', null, h('summary', null, `${done.method} ${done.path}`, h('span', { class: 'hint' }, ` of ${done.service}`)),
      body && h('pre', { tabIndex: 0 }, JSON.stringify(body, null, 2))));
}
