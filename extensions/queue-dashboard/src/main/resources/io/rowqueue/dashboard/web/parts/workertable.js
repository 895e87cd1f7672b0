import { html, nothing } from '../vendor/lit-html.js';
import { repeat } from '../vendor/directives/repeat.js';
import { ago, names, queueLink, typeLink, visible } from './blocks.js';
import { duration, number } from './format.js';
import { icon } from './icons.js';
import { meter } from './states.js';
import { table } from './table.js';
import { text } from '../texts/en.js';

const c = text.columns;
const t = text.worker;

/** @param {import('../api').Worker} worker */
export const workerState = ({ state, deadAt }) => html`<span class="state ${state}">${icon(state === 'alive' ? 'ok' : state === 'dead' ? 'critical' : 'warning')}<span>${t.states[state]}</span>${deadAt ? html` <span class="note">${ago(deadAt)}</span>` : nothing}</span>`;

/** @param {string[]} queues */
const workerQueues = (queues) => names(queues, (name) => (name === '*' ? html`<span class="note">${t.everything}</span>` : queueLink(name)));

/**
 * The slots of each queue, with a button to change them.
 * @param {import('../api').Worker} worker @param {((queue: string, slots: number) => void) | null} change
 */
export const workerSlots = ({ queueSlots }, change) => html`<ul class="slots">${Object.entries(queueSlots).map(([queue, slots]) => html`<li>${workerQueues([queue])} <b>${number(slots)}</b> ${change
	? html`<button type="button" class="small quiet" aria-label="${t.change} ${c.slots} ${queue === '*' ? t.everything : queue}" @click=${() => change(queue, slots)}>${t.change}</button>` : nothing}</li>`)}</ul>`;

/** Workers as rows. @param {import('../api').Worker[]} workers */
export const workerTable = (workers) => table([c.name, c.state, [c.slots, 'barred'], [t.held, 'number', true], [c.rate], c.heartbeat, c.started, c.queues, c.types, c.version],
	repeat(workers, ({ id }) => id, (worker) => html`<tr>
		<th scope="row"><a href="workers/${worker.id}">${visible(worker.name)}</a></th><td class="tight">${workerState(worker)}</td>
		<td class="barred">${meter(Math.min(worker.held, worker.slots), worker.slots, `${number(worker.held)} / ${number(worker.slots)}`)}</td>
			<td class="number">${number(worker.held)} <span class="note">/ ${number(worker.slots)}</span></td>
		<td class="number" data-label=${c.rate}>${worker.rates ? number(worker.rates.succeededPerMinute) : '–'}${worker.rates?.failedPerMinute ? html` <span class="state failed">${number(worker.rates.failedPerMinute)}</span>` : nothing}</td>
		<td class="tight" data-label=${c.heartbeat}>${duration(worker.heartbeatAgeMs)}${worker.listening || worker.state === 'dead' ? nothing : html` <span class="state warning" title=${t.notListening}>${icon('warning')}<span class="sr">${t.notListening}</span></span>`}</td>
		<td class="tight" data-label=${c.started}>${ago(worker.startedAt)}</td><td>${workerQueues(worker.queues)}</td><td class="wide">${names(worker.types, typeLink, 3)}</td>
			<td>${worker.version ? visible(worker.version) : '–'}</td></tr>`), 'fold walk');
