/** Two jobs side by side: what differs between them is marked. */

import { html, nothing } from '../vendor/lit-html.js';
import { api, ApiProblem } from '../parts/api.js';
import { clock, heading, jobLink, visible } from '../parts/blocks.js';
import { tokens } from '../parts/json.js';
import { text } from '../texts/en.js';

const c = text.columns;
const t = text.compare;

/** @typedef {{ detail: import('../api').JobDetail, payload: string | null }} Side */

/** @param {string} id @param {AbortSignal} signal @returns {Promise<Side>} */
const read = async (id, signal) => {
	const path = `jobs/${encodeURIComponent(id)}`;
	const detail = await api.get(path, signal);
	/** @type {import('../api').Content | null} */
	const payload = detail.hasPayload ? await api.get(`${path}/payload`, signal).catch((error) => {
		if (error instanceof ApiProblem && error.problem.status === 404) {
			return null;
		}
		throw error;
	}) : null;
	return { detail, payload: payload && 'text' in payload.content ? payload.content.text : null };
};

/** @param {import('../api').Text | null} shown */
const plain = (shown) => (shown && 'text' in shown ? shown.text.split('\n', 1)[0] : '');

/** @type {[string, (job: import('../api').Job) => string | number | null][]} */
const FIELDS = [[c.type, (job) => job.type], [c.queue, (job) => job.queue], [c.state, (job) => text.states[job.state]], [c.priority, (job) => job.priority],
	[c.attempt, (job) => job.attempt], [c.worker, (job) => job.worker?.name ?? job.worker?.id ?? null], [text.job.uniqueKey, (job) => plain(job.key)],
	[text.job.limitKey, (job) => plain(job.limitKey)], [c.error, (job) => plain(job.error)]];
/** @type {[string, (job: import('../api').Job) => string | null][]} */
const TIMES = [[c.created, (job) => job.createdAt], [c.due, (job) => job.dueAt], [c.started, (job) => job.startedAt], [c.ended, (job) => job.endedAt]];

/** The payload in lines, as it is shown elsewhere. @param {string | null} payload */
const linesOf = (payload) => (payload === null ? [] : (tokens(payload)?.map((token) => token.text).join('') ?? payload).split('\n'));

/** Lines that only one of two texts has, by the longest common beginning and end. @param {string[]} one @param {string[]} other */
const differing = (one, other) => {
	let from = 0;
	while (from < one.length && from < other.length && one[from] === other[from]) {
		from++;
	}
	let until = one.length;
	for (let end = other.length; until > from && end > from && one[until - 1] === other[end - 1]; until--, end--);
	return { from, until };
};

/** @param {string[]} lines @param {string[]} others */
const code = (lines, others) => {
	const { from, until } = differing(lines, others);
	return lines.length ? html`<pre class="trace">${lines.map((line, i) => html`${i >= from && i < until ? html`<mark>${visible(line)}</mark>` : visible(line)}\n`)}</pre>` : html`<p class="quiet-line">${t.noPayload}</p>`;
};

/** @type {import('../app.js').Page} */
export const compare = {
	title: ({ params }) => t.title(params.id, params.other),
	load: ({ params, signal }) => Promise.all([read(params.id, signal), read(params.other, signal)]),
	holds: () => true,
	view: (/** @type {Side[]} */ [one, other]) => {
		const jobs = [one.detail.job, other.detail.job];
		const lines = [linesOf(one.payload), linesOf(other.payload)];
		const row = (/** @type {string} */ name, /** @type {unknown[]} */ values, /** @type {unknown[]} */ shown) => html`<tr class=${values[0] === values[1] ? '' : 'differs'}>
			<th scope="row">${name}${values[0] === values[1] ? nothing : html` <span class="note">${t.differs}</span>`}</th>${shown.map((value) => html`<td>${value}</td>`)}</tr>`;
		return html`${heading(t.title(String(jobs[0].id), String(jobs[1].id)), { above: html`<a href="jobs">${text.pages.jobs}</a>` })}
			<div class="scroll"><table class="rows"><thead><tr><th scope="col">${c.name}</th>${jobs.map(({ id }) => html`<th scope="col">${jobLink(id)}</th>`)}</tr></thead>
			<tbody>${FIELDS.map(([name, of]) => row(name, jobs.map(of), jobs.map((job) => visible(String(of(job) ?? '–')))))}
				${TIMES.map(([name, of]) => row(name, jobs.map(of), jobs.map((job) => clock(of(job)))))}</tbody></table></div>
			<div class="split">${[0, 1].map((i) => html`<section class="block"><header><h2>${text.job.payload} ${jobs[i].id}</h2></header>${code(lines[i], lines[1 - i])}</section>`)}</div>`;
	},
};
