/** Jobs as rows: in the explorer, and wherever a page lists some. */

import { html, nothing } from '../vendor/lit-html.js';
import { repeat } from '../vendor/directives/repeat.js';
import { onJob } from './jobactions.js';
import { ago, clock, errorLine, jobLink, mayBeHidden, queueLink, typeLink, visible, workerLink } from './blocks.js';
import { percent } from './format.js';
import { icon } from './icons.js';
import { stateWord } from './states.js';
import { text } from '../texts/en.js';

const c = text.columns;

/** @typedef {import('../api').Job} Job */

/** The time that matters most in a list of this kind. @type {Record<string, [string, (job: Job) => unknown]>} */
const TIMES = {
	running: [c.started, (job) => ago(job.startedAt)],
	ended: [c.ended, (job) => clock(job.endedAt)],
	failed: [c.failedAt, (job) => ago(job.endedAt ?? job.startedAt ?? job.dueAt)],
	blocked: [c.created, (job) => ago(job.createdAt)],
	other: [c.due, (job) => ago(job.dueAt)],
};

/** Why it is where it is: the error, its verdict, or who runs it. A job that waits for its next attempt has no verdict. @param {Job} job */
const why = (job) => {
	if (job.error && (['failed', 'retrying', 'cancelled'].includes(job.state))) {
		return errorLine(job.error);
	}
	if (job.state === 'running' && job.worker) {
		return html`${workerLink(job.worker)}${job.progress?.total ? html` <span class="note">${percent(job.progress.done, job.progress.total)}</span>` : nothing}`;
	}
	return job.verdict ? visible(job.verdict.text) : nothing;
};

/** The beginning of a payload, without the quotes of JSON: they would take a quarter of the room. @param {string} plain */
const preview = (plain) => html`<code class="clip" title=${visible(plain)}>${visible(plain.replace(/^\{|"|\}$/g, '').replace(/([:,])(?=\S)/g, '$1 '))}</code>`;

/** @param {Job[]} jobs @param {import('../app.js').Context} context @param {{ selectable?: boolean, tab?: string }} [how] */
export const jobTable = (jobs, context, { selectable = false, tab = 'other' } = {}) => {
	/** @type {Set<number>} */
	const chosen = context.local.selected ?? new Set();
	const [timeName, time] = TIMES[tab] ?? TIMES.other;
	const choose = (/** @type {number[]} */ ids, /** @type {boolean} */ on) => {
		const selected = new Set(context.local.selected);
		ids.forEach((id) => (on ? selected.add(id) : selected.delete(id)));
		context.set({ selected });
	};
	const check = (/** @type {string} */ label, /** @type {number[]} */ ids) => html`<input type="checkbox" aria-label=${label} .checked=${ids.every((id) => chosen.has(id))}
		.indeterminate=${ids.some((id) => chosen.has(id)) && !ids.every((id) => chosen.has(id))} @change=${(/** @type {any} */ event) => choose(ids, event.target.checked)}>`;
	const button = (/** @type {Job} */ job) => {
		if (!context.may('operate') || ['succeeded', 'cancelled'].includes(job.state)) {
			return nothing;
		}
		return job.state === 'failed'
			? html`<button type="button" class="small quiet" title=${text.actions.retry} aria-label="${text.actions.retry} ${job.id}" @click=${() => onJob(context, job, 'retry')}>${icon('retry')}</button>`
			: html`<button type="button" class="small quiet" title=${text.actions.cancel} aria-label="${text.actions.cancel} ${job.id}" @click=${() => onJob(context, job, 'cancel')}>${icon('close')}</button>`;
	};
	const withPayloads = jobs.some(({ payload }) => payload && 'text' in payload);
	return html`<div class="scroll"><table class="rows fold walk">
		<thead><tr>
			${selectable ? html`<th scope="col" class="check">${check(text.jobs.selectAll, jobs.map(({ id }) => id))}</th>` : nothing}
			<th scope="col">${c.id}</th><th scope="col">${c.state}</th><th scope="col">${c.type}</th><th scope="col">${c.queue}</th>${withPayloads ? html`<th scope="col" class="payload">${text.job.payload}</th>` : nothing}
				<th scope="col" class="number">${c.attempt}</th><th scope="col" class="number">${c.priority}</th>
			<th scope="col">${timeName}</th><th scope="col">${tab === 'running' ? c.worker : c.why}</th><th scope="col"><span class="sr">${c.actions}</span></th></tr>
				</thead>
		<tbody>${repeat(jobs, ({ id }) => id, (job) => html`<tr>
			${selectable ? html`<td class="check">${check(text.jobs.select(job.id), [job.id])}</td>` : nothing}
			<th scope="row" class="tight">${jobLink(job.id)}</th><td class="tight">${stateWord(job.state)}</td>
				<td>${typeLink(job.type)}</td><td>${queueLink(job.queue)}</td>${withPayloads ? html`<td class="payload">${mayBeHidden(job.payload, preview)}</td>` : nothing}
			<td class="number" data-label=${c.attempt}>${job.attempt}${job.maxAttempts ? html`<span class="note">/${job.maxAttempts}</span>` : nothing}</td>
				<td class="number" data-label=${c.priority}>${job.priority}</td>
			<td class="tight">${time(job)}</td><td class="wide whole">${why(job)}</td>
				<td class="actions">${button(job)}</td></tr>`)}</tbody></table></div>`;
};
