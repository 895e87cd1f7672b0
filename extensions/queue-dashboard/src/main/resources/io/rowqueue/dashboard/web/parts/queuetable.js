/** Queues as rows: on the overview and on their own page. */

import { html, nothing } from '../vendor/lit-html.js';
import { repeat } from '../vendor/directives/repeat.js';
import { onClaims } from './actions.js';
import { query } from './api.js';
import { ago, queueLink, visible } from './blocks.js';
import { spark } from './figures.js';
import { count, duration, number } from './format.js';
import { icon } from './icons.js';
import { stateBar, stateWord } from './states.js';
import { table } from './table.js';
import { text } from '../texts/en.js';

const c = text.columns;

/** @param {import('../api').Pause | null} pause */
export const pauseWord = (pause) => {
	if (!pause) {
		return nothing;
	}
	const why = pause.window ? text.queue.window(visible(pause.window)) : pause.reason ? visible(pause.reason) : '';
	return html`<span title=${why}>${stateWord('paused')} <span class="note">${pause.opensAt ? html`· ${text.queue.opens} ${ago(pause.opensAt)}` : why ? `· ${why}` : nothing}</span></span>`;
};

/** Pause or resume, if the reader may and it was not a window. @param {import('../app.js').Context} context @param {'queue' | 'type'} kind @param {{ name: string, pause: import('../api').Pause | null }} what */
export const pauseButton = (context, kind, { name, pause }) => {
	if (!context.may('operate') || pause?.window) {
		return nothing;
	}
	const actions = onClaims(context, kind, name);
	return pause
		? html`<button type="button" class="small" @click=${() => actions.resume(pause)}>${icon('play')}${text.actions.resume}</button>`
		: html`<button type="button" class="small quiet pause" aria-label="${text.actions.pause} ${name}" title=${text.actions.pause} @click=${actions.pause}>${icon('pause')}<span>${text.actions.pause}</span></button>`;
};

/** What is to be said of a queue. @param {import('../api').Queue} queue */
const verdict = (queue) => {
	if (queue.pause) {
		return pauseWord(queue.pause);
	}
	return queue.workers === 0 && queue.waiting.value > 0 ? html`<span class="state failed">${icon('warning')}${text.queue.noWorkers}</span>` : nothing;
};

/** All queues that are not measured on their own: there is nothing to open, or to pause. @param {import('../api').OtherQueues} others */
const othersRow = (others) => html`<tr class="others">
		<th scope="row">${text.queue.others}</th>
		<td class="barred">${stateBar(others.jobs)}</td>
		<td class="number" data-label=${c.waiting}>${count(others.waiting)}</td><td></td><td></td>
		<td class="number" data-label=${c.running}>${count(others.jobs.running)}</td>
		<td class="number" data-label=${c.failed}>${count(others.jobs.failed)}</td>
		<td class="number" data-label=${c.oldest}>${duration(others.oldestMs)}</td><td></td><td></td>
		<td class="note wide">${text.queue.othersNote}</td><td></td></tr>`;

/**
 * @param {import('../api').Queue[]} queues @param {import('../app.js').Context} context @param {import('../api').OtherQueues | null} [others]
 */
export const queueTable = (queues, context, others = null) => table([c.queue, [c.jobs, 'barred'], [c.waiting], [c.rate], [text.figures.ended, '', true], [c.running], [c.failed], [c.oldest], [c.workers], c.limit, c.status, [c.actions, '', true]],
	html`${repeat(queues, (queue) => queue.name, (queue) => html`<tr>
		<th scope="row">${queueLink(queue.name)}</th>
		<td class="barred">${stateBar(queue.jobs)}</td>
		<td class="number" data-label=${c.waiting}>${count(queue.waiting)}</td>
		<td class="number" data-label=${c.rate}>${queue.rates ? number(queue.rates.endedPerMinute) : '–'}</td><td class="tight">${spark(queue.name, queue.rates)}</td>
		<td class="number" data-label=${c.running}>${count(queue.jobs.running)}</td>
		<td class="number" data-label=${c.failed}>${queue.jobs.failed ? html`<a href="jobs${query({ state: 'failed', queue: queue.name })}" class="state failed">${count(queue.jobs.failed)}</a>` : '0'}</td>
		<td class="number" data-label=${c.oldest}>${duration(queue.oldestMs)}</td>
		<td class="number" data-label=${c.workers}>${number(queue.workers)}</td>
		<td class="limit" data-label=${queue.limit ? c.limit : nothing}>${visible(queue.limit?.text ?? '')}</td>
		<td class="wide">${verdict(queue)}</td>
		<td class="actions">${pauseButton(context, 'queue', queue)}</td></tr>`)}${others ? othersRow(others) : nothing}`, 'fold walk');
