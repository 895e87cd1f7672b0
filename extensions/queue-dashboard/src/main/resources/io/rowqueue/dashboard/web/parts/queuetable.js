/** Queues as rows, and what they and types have alike: jobs by state, a pause, a limit, and buttons. */

import { html, nothing } from '../vendor/lit-html.js';
import { onClaims, onLimit } from './actions.js';
import { query } from './api.js';
import { ago, fact, queueLink, visible } from './blocks.js';
import { spark } from './figures.js';
import { count, duration, number, sum } from './format.js';
import { icon } from './icons.js';
import { ORDER, stateBar, stateLegend, stateWord } from './states.js';
import { buttons, list, numbers } from './table.js';
import { text } from '../texts/en.js';

const c = text.columns;

/** Names the class of a queue that is paused as a class. @param {import('../api').Pause | null} pause @param {string} name of the queue or type */
export const pauseWord = (pause, name) => {
	if (!pause) {
		return nothing;
	}
	const why = pause.window ? text.queue.window(visible(pause.window)) : pause.reason ? visible(pause.reason) : '';
	return html`<span title=${why}>${stateWord('paused')} <span class="note">${pause.name === name ? nothing : `· ${visible(pause.name)} `}${pause.opensAt ? html`· ${text.queue.opens} ${ago(pause.opensAt)}` : why ? `· ${why}` : nothing}</span></span>`;
};

/** Pause or resume, if the reader may and it was not a window or the class of the queue. @param {import('../app.js').Context} context @param {'queue' | 'type'} kind @param {{ name: string, pause: import('../api').Pause | null }} what */
export const pauseButton = (context, kind, { name, pause }) => {
	if (!context.may('operate') || pause?.window || (pause && pause.name !== name)) {
		return nothing;
	}
	const actions = onClaims(context, kind, name);
	return pause
		? html`<button type="button" class="small" @click=${() => actions.resume(pause)}>${icon('play')}${text.actions.resume}</button>`
		: html`<button type="button" class="small quiet pause" aria-label="${text.actions.pause} ${name}" title=${text.actions.pause} @click=${actions.pause}>${icon('pause')}<span>${text.actions.pause}</span></button>`;
};

/** The buttons of a page of one. @param {import('../app.js').Context} context @param {'queue' | 'type'} kind @param {{ name: string, jobs: import('../api').StateCounts, pause: import('../api').Pause | null, limit: import('../api').LimitValue | null }} what */
export const claimButtons = (context, kind, what) => {
	const { name, limit, jobs: { failed } } = what;
	const { set, remove } = onLimit(context, kind, name, limit?.text);
	return html`${pauseButton(context, kind, what)}
		${context.may('admin') ? html`<button type="button" @click=${set}>${text.actions.limit}</button>${limit ? html`<button type="button" @click=${remove}>${text.actions.unlimit}</button>` : nothing}` : nothing}
		${failed && context.may('operate') ? html`<button type="button" @click=${() => onClaims(context, kind, name).retry(failed)}>${text.queue.retryAll}</button>` : nothing}`;
};

/** How many jobs one has in each state. @param {'queue' | 'type'} kind @param {{ name: string, jobs: import('../api').StateCounts }} what */
export const jobFacts = (kind, { name, jobs }) => ORDER.filter((state) => jobs[state]).map((state) => fact(stateWord(state), html`<a class="strong" href="jobs${query({ state, [kind]: name })}">${count(jobs[state])}</a>`));

/** @param {import('../api').LimitValue | null} limit */
export const limitNote = (limit) => (limit ? html` <span class="note">${c.limit} ${visible(limit.text)}</span>` : nothing);

/** What is to be said of a queue. @param {import('../api').Queue} queue */
const verdict = ({ pause, name, workers, waiting, limit }) => {
	const word = pause ? pauseWord(pause, name) : workers === 0 && waiting.value > 0 ? html`<span class="state failed">${icon('warning')}${text.queue.noWorkers}</span>` : nothing;
	return html`${word}${limitNote(limit)}`;
};

/** All queues that are not measured on their own: there is nothing to open, or to pause. @param {import('../api').OtherQueues} others @param {number} most */
const othersRow = (others, most) => html`<tr class="others">
		<th scope="row">${text.queue.others}</th>
		<td class="barred">${stateBar(others.jobs, most)}</td>
		<td class="number" data-label=${c.waiting}>${count(others.waiting)}</td><td></td><td class="widest"></td>
		<td class="number" data-label=${c.running}>${count(others.jobs.running)}</td>
		<td class="number" data-label=${c.failed}>${count(others.jobs.failed)}</td>
		<td class="number" data-label=${c.oldest}>${duration(others.oldestMs)}</td><td class="extra"></td>
		<td class="note wide">${text.queue.othersNote}</td><td></td></tr>`;

/** How many jobs a queue or type has. @param {{ jobs: import('../api').StateCounts }} what */
const size = ({ jobs }) => sum(Object.values(jobs))?.value ?? 0;

/** Jobs that wait, run, ended lately and have failed. @param {'queue' | 'type'} kind @param {{ jobs: import('../api').StateCounts }[]} all @returns {import('./table.js').Column<any>[]} */
export const jobColumns = (kind, all) => [
	{ name: c.jobs, kind: 'barred', cell: ({ jobs }) => stateBar(jobs, Math.max(0, ...all.map(size))), by: size },
	numbers(c.waiting, ({ jobs }) => count(jobs.queued), ({ jobs }) => jobs.queued?.value ?? 0),
	numbers(c.rate, ({ rates }) => (rates ? number(rates.endedPerMinute) : '–'), ({ rates }) => rates?.endedPerMinute),
	{ name: text.figures.ended, kind: 'tight widest', unseen: true, cell: ({ name, rates }) => spark(name, rates) },
	numbers(c.running, ({ jobs }) => count(jobs.running), ({ jobs }) => jobs.running?.value ?? 0),
	numbers(c.failed, ({ name, jobs }) => (jobs.failed ? html`<a href="jobs${query({ state: 'failed', [kind]: name })}" class="state failed">${count(jobs.failed)}</a>` : '0'), ({ jobs }) => jobs.failed?.value ?? 0),
];

/** @param {import('../app.js').Context} context @param {{ jobs: import('../api').StateCounts }[]} all @returns {import('./table.js').Column<import('../api').Queue>[]} */
const columns = (context, all) => [
	{ name: c.queue, row: true, cell: ({ name }) => queueLink(name), by: ({ name }) => name },
	...jobColumns('queue', all),
	numbers(c.oldest, ({ oldestMs }) => duration(oldestMs), ({ oldestMs }) => oldestMs),
	numbers(c.workers, ({ workers }) => number(workers), ({ workers }) => workers, { kind: 'number extra' }),
	{ name: c.status, kind: 'wide', cell: verdict, by: (queue) => (queue.pause ? 1 : queue.workers === 0 && queue.waiting.value > 0 ? 0 : null) },
	buttons((queue) => pauseButton(context, 'queue', queue)),
];

/**
 * @param {import('../api').Queue[]} queues @param {import('../app.js').Context} context @param {{ others?: import('../api').OtherQueues | null, whole?: boolean }} [more]
 */
export const queueTable = (queues, context, { others, whole = true } = {}) => {
	const all = others ? [...queues, others] : queues;
	return list(context, columns(context, all), queues, { id: 'queues', name: ({ name }) => name, key: ({ name }) => name, above: stateLegend(queues), after: others ? othersRow(others, Math.max(...all.map(size))) : nothing, whole });
};
