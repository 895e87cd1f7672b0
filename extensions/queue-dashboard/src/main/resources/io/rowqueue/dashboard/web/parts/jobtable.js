/** Jobs as rows: in the explorer, and wherever a page lists some. */

import { html, nothing } from '../vendor/lit-html.js';
import { onJob } from './jobactions.js';
import { ago, clock, errorLine, jobLink, mayBeHidden, queueLink, typeLink, visible, workerLink } from './blocks.js';
import { now } from './clock.js';
import { duration, percent } from './format.js';
import { icon } from './icons.js';
import { stateWord } from './states.js';
import { buttons, numbers, sortable } from './table.js';
import { text } from '../texts/en.js';

const c = text.columns;

/** @typedef {import('../api').Job} Job */

/** @param {Job} job */
const failedAt = (job) => job.endedAt ?? job.startedAt ?? job.dueAt;

/** The time that matters most in a list of this kind. @type {Record<string, [string, (job: Job) => unknown, (job: Job) => string | null]>} */
const TIMES = {
	running: [c.started, (job) => ago(job.startedAt), (job) => job.startedAt],
	ended: [c.ended, (job) => clock(job.endedAt), (job) => job.endedAt],
	failed: [c.failedAt, (job) => ago(failedAt(job)), (job) => failedAt(job)],
	blocked: [c.created, (job) => ago(job.createdAt), (job) => job.createdAt],
	other: [c.due, (job) => ago(job.dueAt), (job) => job.dueAt],
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

/** @param {Job} job @param {import('../app.js').Context} context */
const button = (job, context) => {
	if (!context.may('operate') || ['succeeded', 'cancelled'].includes(job.state)) {
		return nothing;
	}
	const action = job.state === 'failed' ? 'retry' : 'cancel';
	const [mark, word] = action === 'retry' ? [icon('retry'), text.actions.retry] : [icon('close'), text.actions.cancelShort];
	return html`<button type="button" class="small quiet verb" title=${text.actions[action]} aria-label="${text.actions[action]} ${job.id}" @click=${() => onJob(context, job, action)}>${mark}<span>${word}</span></button>`;
};

/** How long it has run, or ran in its last attempt. @param {Job} job */
const ran = ({ startedAt, endedAt }) => (startedAt ? (endedAt ? Date.parse(endedAt) : now()) - Date.parse(startedAt) : null);

/** Jobs whose reason is that of the job above have a sign in its place. @param {Job[]} jobs */
const reasons = (jobs) => {
	const said = jobs.map((job) => (job.error ? null : job.verdict?.text ?? null));
	return new Map(jobs.map((job, i) => [job, said[i] !== null && said[i] === said[i - 1] ? html`<span class="note" title=${visible(job.verdict?.text ?? '')} aria-label=${text.jobs.asAbove}>″</span>` : why(job)]));
};

/** The box that selects a job, or all of them. @param {import('../app.js').Context} context @param {string} label @param {number[]} ids */
const check = (context, label, ids) => {
	/** @type {Set<number>} */
	const chosen = context.local.selected ?? new Set();
	const choose = (/** @type {boolean} */ on) => {
		const selected = new Set(chosen);
		ids.forEach((id) => (on ? selected.add(id) : selected.delete(id)));
		context.set({ selected });
	};
	return html`<input type="checkbox" aria-label=${label} .checked=${ids.every((id) => chosen.has(id))}
		.indeterminate=${ids.some((id) => chosen.has(id)) && !ids.every((id) => chosen.has(id))} @change=${(/** @type {any} */ event) => choose(event.target.checked)}>`;
};

/**
 * Jobs as rows; those of a list that is not whole have the order of the server.
 * @param {Job[]} jobs @param {import('../app.js').Context} context @param {{ selectable?: boolean, tab?: string, whole?: boolean }} [how]
 */
export const jobTable = (jobs, context, { selectable = false, tab = 'other', whole = false } = {}) => {
	const [timeName, time, at] = TIMES[tab] ?? TIMES.other;
	const why = reasons(jobs);
	const times = tab === 'running' || tab === 'ended';
	/** @type {(import('./table.js').Column<Job> | false)[]} */
	const columns = [
		selectable && { name: check(context, text.jobs.selectAll, jobs.map(({ id }) => id)), kind: 'check', cell: ({ id }) => check(context, text.jobs.select(id), [id]) },
		{ name: c.id, row: true, kind: 'tight', cell: ({ id }) => jobLink(id), by: ({ id }) => id },
		{ name: c.state, kind: 'tight', cell: ({ state }) => stateWord(state), by: ({ state }) => state },
		{ name: c.type, cell: ({ type }) => typeLink(type), by: ({ type }) => type },
		{ name: c.queue, cell: ({ queue }) => queueLink(queue), by: ({ queue }) => queue },
		jobs.some(({ payload }) => payload && 'text' in payload) && { name: text.job.payload, kind: 'payload', cell: ({ payload }) => mayBeHidden(payload, preview) },
		numbers(c.attempt, ({ attempt, maxAttempts }) => html`${attempt}${maxAttempts ? html`<span class="note">/${maxAttempts}</span>` : nothing}`, ({ attempt }) => attempt),
		!times && jobs.some(({ priority }) => priority) && numbers(c.priority, ({ priority }) => priority, ({ priority }) => priority),
		{ name: timeName, kind: 'tight', cell: time, by: at },
		times && numbers(tab === 'running' ? c.runs : c.ran, (job) => duration(ran(job)), ran),
		tab === 'ended' ? { name: c.worker, cell: ({ worker }) => workerLink(worker), by: ({ worker }) => worker?.name }
			: (tab !== 'running' || jobs.some(({ worker }) => worker)) && { name: tab === 'running' ? c.worker : c.why, kind: 'wide whole', cell: (job) => why.get(job) },
		buttons((job) => button(job, context)),
	];
	return sortable(context, /** @type {import('./table.js').Column<Job>[]} */ (columns.filter(Boolean)), jobs, { key: ({ id }) => id, whole });
};
