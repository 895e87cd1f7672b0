/** Two jobs side by side: what differs between them is marked. */

import { html, nothing } from '../vendor/lit-html.js';
import { api, orNothing } from '../parts/api.js';
import { card, clock, heading, jobLink, mayBeHidden, section, visible } from '../parts/blocks.js';
import { diff, fold } from '../parts/diff.js';
import { tokens } from '../parts/json.js';
import { text } from '../texts/en.js';

const c = text.columns;
const t = text.compare;

/** @typedef {{ detail: import('../api').JobDetail, payload: import('../api').Text | null }} Side */
/** @typedef {import('../parts/diff.js').Row} Row */

/** @param {string} id @param {AbortSignal} signal @returns {Promise<Side>} */
const read = async (id, signal) => {
	const path = `jobs/${encodeURIComponent(id)}`;
	const detail = await api.get(path, signal);
	/** @type {import('../api').Content | null} */
	const payload = detail.hasPayload ? await orNothing(api.get(`${path}/payload`, signal)) : null;
	return { detail, payload: payload && payload.content };
};

/** @param {import('../api').Text | null} shown */
const plain = (shown) => (shown && 'text' in shown ? shown.text.split('\n', 1)[0] : '');

/** @type {[string, (job: import('../api').Job) => string | number | null][]} */
const FIELDS = [[c.type, (job) => job.type], [c.queue, (job) => job.queue], [c.state, (job) => text.states[job.state]], [c.priority, (job) => job.priority],
	[c.attempt, (job) => job.attempt], [c.worker, (job) => job.worker?.name ?? job.worker?.id ?? null], [text.job.uniqueKey, (job) => plain(job.key)],
	[text.job.limitKey, (job) => plain(job.limitKey)], [c.error, (job) => plain(job.error)]];
/** @type {[string, (job: import('../api').Job) => string | null][]} */
const TIMES = [[c.created, (job) => job.createdAt], [c.due, (job) => job.dueAt], [c.started, (job) => job.startedAt], [c.ended, (job) => job.endedAt]];

/** The payload in lines, as it is shown elsewhere. @param {Side} side */
const linesOf = ({ payload }) => (payload && 'text' in payload ? (tokens(payload.text)?.map((token) => token.text).join('') ?? payload.text).split('\n') : []);

/** @param {Row} row @param {import('../api').Job[]} jobs */
const lineRow = ({ one, other }, jobs) => html`<tr>${[one, other].map((line, i) => html`<td class=${one === other ? nothing : line === null ? 'none' : ['gone', 'come'][i]}>${
	line === null || one === other ? nothing : html`<span class="sr">${t.only(jobs[i].id)} </span>`}${visible(line ?? '')}</td>`)}</tr>`;

/** The payloads beside each other. @param {Side[]} sides @param {Row[]} rows @param {import('../app.js').Context} context */
const payloads = (sides, rows, { local, set }) => {
	const hidden = sides.find(({ payload }) => payload && 'hidden' in payload);
	const parts = fold(rows);
	const jobs = sides.map(({ detail }) => detail.job);
	/** @type {Set<number>} */
	const opened = local.opened ?? new Set();
	return section(text.job.payload, hidden ? mayBeHidden(hidden.payload)
		: !rows.length ? html`<p class="quiet-line">${t.noPayload}</p>`
			: html`<div class="scroll"><table class="diff"><thead><tr>${jobs.map(({ id }) => html`<th scope="col">${jobLink(id)}</th>`)}</tr></thead>
				${parts.map((part, i) => html`<tbody class=${part.kind}>${part.kind === 'folded' && !opened.has(i)
					? html`<tr><td colspan="2"><button type="button" class="small quiet" @click=${() => set({ opened: new Set(opened).add(i) })}>${t.equal(part.rows.length)}</button></td></tr>`
					: part.rows.map((row) => lineRow(row, jobs))}</tbody>`)}</table></div>`,
	{ note: sides.some(({ payload }) => payload && 'truncated' in payload && payload.truncated) ? text.job.truncated : undefined });
};

/** @type {import('../app.js').Page} */
export const compare = {
	title: ({ params }) => t.title(params.id, params.other),
	load: async ({ params, signal }) => {
		const sides = await Promise.all([read(params.id, signal), read(params.other, signal)]);
		return { sides, rows: diff(linesOf(sides[0]), linesOf(sides[1])) };
	},
	holds: () => true,
	view: (/** @type {{ sides: Side[], rows: Row[] }} */ { sides, rows }, context) => {
		const jobs = sides.map(({ detail }) => detail.job);
		const row = (/** @type {string} */ name, /** @type {unknown[]} */ shown, differs = false) => html`<tr><th scope="row">${name}${differs ? html` <span class="note">${t.differs}</span>` : nothing}</th>${shown.map((value) => html`<td>${value}</td>`)}</tr>`;
		// times nearly always differ, if only by milliseconds
		const facts = FIELDS.map(([name, of]) => ({ name, values: jobs.map((job) => of(job) ?? '') })).filter(({ values }) => values.some((value) => value !== ''));
		return html`${heading(t.title(String(jobs[0].id), String(jobs[1].id)), { above: html`<a href="jobs">${text.pages.jobs}</a>` })}
			${card(html`<div class="scroll"><table class="rows compared"><thead><tr><th scope="col">${c.name}</th>${jobs.map(({ id }) => html`<th scope="col">${jobLink(id)}</th>`)}</tr></thead>
			<tbody>${facts.map(({ name, values }) => row(name, values.map((value) => visible(String(value === '' ? '–' : value))), values[0] !== values[1]))}
				${TIMES.map(([name, of]) => row(name, jobs.map((job) => clock(of(job)))))}</tbody></table></div>`)}
			${payloads(sides, rows, context)}`;
	},
};
