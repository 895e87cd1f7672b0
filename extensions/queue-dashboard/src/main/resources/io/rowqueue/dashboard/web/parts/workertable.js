import { html, nothing } from '../vendor/lit-html.js';
import { ago, names, queueLink, typeLink, visible } from './blocks.js';
import { bytes, duration, number, percent } from './format.js';
import { icon } from './icons.js';
import { meter } from './states.js';
import { list, numbers } from './table.js';
import { text } from '../texts/en.js';

const c = text.columns;
const t = text.worker;

/** @param {import('../api').Worker} worker */
export const workerState = ({ state, deadAt }) => html`<span class="state ${state}">${icon(state === 'alive' ? 'ok' : state === 'dead' ? 'critical' : 'warning')}<span>${t.states[state]}</span>${deadAt ? html` <span class="note">${ago(deadAt)}</span>` : nothing}</span>`;

/** @param {string[]} queues */
const workerQueues = (queues) => names(queues, (name) => (name === '*' ? html`<span class="note">${t.everything}</span>` : queueLink(name)), 3);

/**
 * The slots of each queue, with a button to change them.
 * @param {import('../api').Worker} worker @param {((queue: string, slots: number) => void) | null} change
 */
export const workerSlots = ({ queueSlots }, change) => html`<ul class="slots">${Object.entries(queueSlots).map(([queue, slots]) => html`<li>${workerQueues([queue])} <b>${number(slots)}</b> ${change
	? html`<button type="button" class="small quiet" aria-label="${t.change} ${c.slots} ${queue === '*' ? t.everything : queue}" @click=${() => change(queue, slots)}>${t.change}</button>` : nothing}</li>`)}</ul>`;

/** @type {import('./table.js').Column<import('../api').Worker>[]} */
const columns = [
	{ name: c.name, row: true, cell: (worker) => html`<a href="workers/${worker.id}">${visible(worker.name)}</a>`, by: ({ name }) => name },
	{ name: c.state, kind: 'tight', cell: workerState, by: ({ state }) => t.states[state] },
	{ name: c.slots, kind: 'barred', cell: ({ held, slots }) => meter(Math.min(held, slots), slots, `${number(held)} / ${number(slots)}`), by: ({ held, slots }) => (slots ? held / slots : 0) },
	numbers(t.held, ({ held, slots }) => html`${number(held)} <span class="note">/ ${number(slots)}</span>`, undefined, { unseen: true, labelled: false }),
	numbers(c.rate, ({ rates }) => (rates ? number(rates.succeededPerMinute) : '–'), ({ rates }) => rates?.succeededPerMinute),
	numbers(t.failedRate, ({ rates }) => (rates?.failedPerMinute ? html`<span class="state failed">${number(rates.failedPerMinute)}</span>` : rates ? '0' : '–'), ({ rates }) => rates?.failedPerMinute),
	numbers(t.cpu, ({ rates }) => (rates?.cpu == null ? '–' : percent(rates.cpu, 1)), ({ rates }) => rates?.cpu, { kind: 'number extra' }),
	numbers(t.heap, ({ rates }) => (rates?.heapUsed == null ? '–' : bytes(rates.heapUsed)), ({ rates }) => rates?.heapUsed, { kind: 'number extra' }),
	{ name: c.heartbeat, kind: 'tight', labelled: true, cell: ({ heartbeatAgeMs, listening, state }) => html`${duration(heartbeatAgeMs)}${listening || state === 'dead' ? nothing : html` <span class="state warning" title=${t.notListening}>${icon('warning')}<span class="sr">${t.notListening}</span></span>`}`,
		by: ({ heartbeatAgeMs }) => heartbeatAgeMs },
	{ name: c.started, kind: 'tight extra', labelled: true, cell: ({ startedAt }) => ago(startedAt), by: ({ startedAt }) => startedAt },
	{ name: c.queues, kind: 'wide widest', cell: ({ queues }) => workerQueues(queues) },
	{ name: c.types, kind: 'wide widest', cell: ({ types }) => names(types, typeLink, 3) },
];

/** Only where applications have versions. @type {import('./table.js').Column<import('../api').Worker>} */
const version = { name: c.version, cell: ({ version }) => (version ? visible(version) : '–'), by: ({ version }) => version };

/** Workers as rows. @param {import('../api').Worker[]} workers @param {import('../app.js').Context} context @param {boolean} [named] whether with the names of their queues and types */
export const workerTable = (workers, context, named = true) => list(context, [...(named ? columns : columns.slice(0, -2)), ...(workers.some(({ version }) => version) ? [version] : [])], workers, { id: 'workers', name: ({ name, state, queues, version }) => `${name} ${t.states[state]} ${queues.join(' ')} ${version ?? ''}`, key: ({ id }) => id });
