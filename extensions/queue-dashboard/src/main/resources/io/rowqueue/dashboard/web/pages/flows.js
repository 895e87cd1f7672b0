/** Flows with their graphs, and batches with their progress. */

import { html, nothing } from '../vendor/lit-html.js';
import { onBatch, onFlow } from '../parts/actions.js';
import { api, query } from '../parts/api.js';
import { ago, card, clock, empty, fact, heading, jobLink, section, typeLink, visible } from '../parts/blocks.js';
import { now } from '../parts/clock.js';
import { copies } from '../parts/copy.js';
import { duration, number, percent } from '../parts/format.js';
import { icon } from '../parts/icons.js';
import { onAllMatching } from '../parts/jobactions.js';
import { doneOf, progressBar, shares, stateWord } from '../parts/states.js';
import { jobTable } from '../parts/jobtable.js';
import { holdsPages, list, numbers, paged } from '../parts/table.js';
import { text } from '../texts/en.js';

const c = text.columns;
const t = text.flow;

/** All of them, or the unfinished ones. @param {'flows' | 'batches'} path @param {(item: any) => Group} as @returns {import('../app.js').Page} */
const listOf = (path, as) => {
	/** @type {(context: import('../app.js').Context, cursor?: string) => Promise<any>} */
	const read = ({ query: asked, signal }, cursor) => api.get(`${path}${query({ state: asked.get('state'), cursor })}`, signal);
	return {
		title: () => text.pages[path],
		load: read,
		holds: holdsPages,
		view: (/** @type {import('../api').Flows | import('../api').Batches} */ first, context) => {
			const { items, whole, more } = paged(context, first, (cursor) => read(context, cursor));
			const unfinished = context.query.get('state') === 'unfinished';
			return html`${heading(text.pages[path])}
				<nav class="tabs" aria-label=${c.state}><a href=${path} aria-current=${unfinished ? nothing : 'page'}>${text.page.all}</a><a href="${path}?state=unfinished" aria-current=${unfinished ? 'page' : nothing}>${t.unfinished}</a></nav>
				${first.truncated ? html`<p class="note">${t.most(items.length)}</p>` : nothing}
				${items.length ? html`${card(list(context, columns(path), items.map(as), { name: ({ id, name, state }) => `${name} ${id} ${state}`, key: ({ id }) => id, whole }))}${more}`
					: empty(path, unfinished ? t.allEnded : text.empty[path], text.empty[/** @type {'flowsHint'} */ (`${path}Hint`)])}`;
		},
	};
};

/** When it ended, and how long it took; or how much longer it takes if it goes on as it did since it was created. @param {Group} group */
const ended = ({ createdAt, endedAt, left }) => (endedAt ? html`${clock(endedAt)} <span class="note">${text.job.ran} ${duration(Date.parse(endedAt) - Date.parse(createdAt))}</span>` : left ? html`<span class="note">${t.left(duration(left))}</span>` : nothing);

/** How much has ended, in a bar and in words. @param {import('../parts/states.js').Progress} progress */
const progress = (progress) => html`${progressBar(progress)}<span class="note">${percent(doneOf(progress), progress.jobs)}</span>`;

/** What a flow and a batch have alike. @typedef {import('../parts/states.js').Progress & { id: number, name: string, createdAt: string, endedAt: string | null, state: import('../api').State, note?: string, open: number, left?: number }} Group */

/** @param {Group} group */
const stateOf = ({ state, note }) => stateWord(state, note && html`<span class="note">· ${note}</span>`);

/** Those that have failed, which can be looked at together. @param {'flows' | 'batches'} path @param {Group} group */
const failedOf = (path, { id, failed }) => (failed ? html`<a class="state failed" href="jobs${query({ state: 'failed', [path === 'flows' ? 'flow' : 'batch']: id })}">${number(failed)}</a>` : '0');

/** @param {'flows' | 'batches'} path @returns {import('../parts/table.js').Column<Group>[]} */
const columns = (path) => [
	{ name: c.name, row: true, cell: ({ id, name }) => html`<a href="${path}/${id}">${visible(name)}</a> <span class="note">#${id}</span>`, by: ({ name }) => name },
	{ name: c.state, kind: 'tight', cell: stateOf, by: ({ state }) => state },
	{ name: c.progress, kind: 'barred', cell: progress, by: (group) => doneOf(group) / group.jobs },
	numbers(c.jobs, ({ jobs }) => number(jobs), ({ jobs }) => jobs),
	numbers(c.open, ({ open }) => number(open), ({ open }) => open),
	numbers(c.failed, (group) => failedOf(path, group), ({ failed }) => failed),
	{ name: c.created, kind: 'tight extra', labelled: true, cell: ({ createdAt }) => ago(createdAt), by: ({ createdAt }) => createdAt },
	{ name: c.ended, cell: ended, by: ({ endedAt }) => endedAt },
];

/** The page of one. @param {'flows' | 'batches'} path @param {Group} group @param {unknown} data @param {unknown} actions @param {unknown} body */
const page = (path, group, data, actions, body) => html`
	${heading(visible(group.name), { above: html`<a href=${path}>${text.pages[path]}</a>`, note: html`<span class="id">#${group.id}</span> ${stateOf(group)}`,
		actions: html`${actions}${copies({ id: String(group.id), api: `${path}/${group.id}`, data })}` })}
	${card(html`<dl class="facts">
		${fact(c.progress, progress(group))}${fact(c.jobs, number(group.jobs))}${fact(c.open, number(group.open))}
		${shares(group).map(({ state }) => fact(stateWord(state), state === 'failed' ? failedOf(path, group) : number(group[state])))}
		${fact(c.created, html`${clock(group.createdAt)} <span class="note">${ago(group.createdAt)}</span>`)}
		${group.endedAt || group.left ? fact(c.ended, ended(group)) : nothing}</dl>`)}
	${body}`;

/** What is done with some of its jobs. @param {import('../app.js').Context} context @param {number} n @param {'primary' | 'danger'} tone @param {() => unknown} does */
const button = ({ may }, n, tone, does) => (may('operate') && n ? html`<button type="button" class=${tone} @click=${does}>${(tone === 'primary' ? text.actions.retryManyButton : text.actions.cancelManyButton)(text.actions.jobs(number(n), n))}</button>` : nothing);

export const flows = listOf('flows', (flow) => flow);

/** The jobs that a job runs after: by their names, unless these are hidden. @param {import('../api').FlowJob} job @param {import('../api').FlowJob[]} jobs */
const after = (job, jobs) => (job.after.some((name) => name.endsWith('******')) ? job.predecessors.map((i) => html`${jobLink(jobs[i].job)} `) : job.after.map(visible).join(', '));

/** @param {import('../api').FlowJob[]} jobs @returns {import('../parts/table.js').Column<import('../api').FlowJob>[]} */
const jobColumns = (jobs) => [
	{ name: c.name, row: true, cell: ({ name, addedBy }) => html`${visible(name)}${addedBy ? html` <span class="note">${t.addedBy} ${jobLink(addedBy)}</span>` : nothing}`, by: ({ name }) => name },
	{ name: c.state, kind: 'tight', cell: ({ state }) => stateWord(state), by: ({ state }) => state },
	{ name: c.id, kind: 'tight', cell: ({ job }) => jobLink(job), by: ({ job }) => job },
	{ name: c.type, cell: ({ type }) => (type ? typeLink(type) : '–'), by: ({ type }) => type },
	{ name: c.after, kind: 'note', labelled: true, cell: (job) => (job.after.length ? after(job, jobs) : nothing) },
	{ name: c.ended, kind: 'tight', labelled: true, cell: ({ endedAt }) => clock(endedAt), by: ({ endedAt }) => endedAt },
];

/** @type {import('../app.js').Page} */
export const flow = {
	title: ({ params }, data) => visible(data?.flow.name ?? params.id),
	load: ({ params, signal }) => api.get(`flows/${encodeURIComponent(params.id)}`, signal),
	view: (/** @type {import('../api').FlowDetail} */ data, context) => {
		const { flow, jobs } = data;
		const { retry, cancel } = onFlow(context, flow);
		return page('flows', flow, data, html`${button(context, flow.failed, 'primary', retry)}${button(context, flow.open, 'danger', cancel)}`, html`
			${jobs.length < flow.jobs ? html`<p class="sentence">${t.cut(jobs.length, flow.jobs)}</p>` : nothing}
			${section(t.graph, html`<q-graph .jobs=${jobs} label="${t.graph}: ${flow.name}"></q-graph>`)}
			${section(c.jobs, list(context, jobColumns(jobs), jobs, { name: ({ name, type, state, job }) => `${name} ${type ?? ''} ${state} ${job}`, key: ({ job }) => job }))}`);
	},
};

/** @param {import('../api').Batch} batch @returns {Group} */
const groupOf = ({ total, pending, closedAt, finishedAt, ...batch }) => {
	const done = total - pending;
	return { ...batch, jobs: total, open: pending, endedAt: finishedAt, state: !finishedAt ? 'running' : batch.failed ? 'failed' : 'succeeded', note: closedAt || finishedAt ? undefined : t.notClosed,
		left: closedAt && !finishedAt && done ? (now() - Date.parse(batch.createdAt)) * pending / done : undefined };
};

export const batches = listOf('batches', groupOf);

/** @type {import('../app.js').Page} */
export const batch = {
	title: ({ params }, data) => visible(data?.batch.name ?? params.id),
	load: async ({ params, signal }) => {
		const id = encodeURIComponent(params.id);
		const [{ batch }, left] = await Promise.all([api.get(`batches/${id}`, signal), api.get(`jobs?batch=${id}`, signal)]);
		return { batch, left };
	},
	view: (/** @type {import('../api').BatchDetail & { left: import('../api').JobPage }} */ { batch, left }, context) => {
		const { id, failed, pending, closedAt } = batch;
		const { close, cancel } = onBatch(context, batch);
		return page('batches', groupOf(batch), { batch }, html`${button(context, failed, 'primary', () => onAllMatching(context, `state=failed&batch=${id}`, 'retry'))}
			${closedAt || !context.may('operate') ? nothing : html`<button type="button" @click=${close}>${t.close}</button>`}${button(context, pending, 'danger', cancel)}`,
			left.items.length ? section(t.jobsOfBatch, jobTable(left.items, context, { whole: !left.page.next }), { side: html`<a class="more" href="jobs?batch=${id}">${text.pages.jobs}${icon('next')}</a>` }) : nothing);
	},
};
