/** Flows with their graphs, and batches with their progress. */

import { html, nothing } from '../vendor/lit-html.js';
import { complain, onBatch, onFlow } from '../parts/actions.js';
import { api, query } from '../parts/api.js';
import { ago, card, clock, empty, fact, heading, jobLink, section, typeLink, visible } from '../parts/blocks.js';
import { copies } from '../parts/copy.js';
import { duration, number, percent } from '../parts/format.js';
import { icon } from '../parts/icons.js';
import { doneOf, progressBar, stateWord } from '../parts/states.js';
import { jobTable } from '../parts/jobtable.js';
import { list, numbers } from '../parts/table.js';
import { text } from '../texts/en.js';

const c = text.columns;
const t = text.flow;

/** @param {import('../api').Flow} flow */
const flowState = ({ state }) => stateWord(state);

/** Lists of which the server gives a page at a time: all of them, or the unfinished ones. @param {'flows' | 'batches'} path @param {(items: any[], context: import('../app.js').Context, whole: boolean) => unknown} rows @returns {import('../app.js').Page} */
const paged = (path, rows) => ({
	title: () => text.pages[path],
	load: ({ query: asked, signal }) => api.get(`${path}${query({ state: asked.get('state') })}`, signal),
	holds: ({ local }) => Boolean(local.more?.length),
	view: (/** @type {import('../api').Flows | import('../api').Batches} */ first, context) => {
		/** @type {(typeof first)[]} */
		const pages = [first, ...(context.local.more ?? [])];
		const items = pages.flatMap((page) => /** @type {any[]} */ (page.items));
		const { next } = pages[pages.length - 1].page;
		const unfinished = context.query.get('state') === 'unfinished';
		const more = async () => {
			const page = await api.get(`${path}${query({ state: context.query.get('state'), cursor: next })}`, context.signal);
			context.set({ more: [...(context.local.more ?? []), page] });
		};
		return html`${heading(text.pages[path])}
			<nav class="tabs" aria-label=${c.state}><a href=${path} aria-current=${unfinished ? nothing : 'page'}>${t.all}</a><a href="${path}?state=unfinished" aria-current=${unfinished ? 'page' : nothing}>${t.unfinished}</a></nav>
			${first.truncated ? html`<p class="note">${t.most(items.length)}</p>` : nothing}
			${items.length ? html`${card(rows(items, context, !next))}
				${next ? html`<p class="under-list"><button type="button" @click=${() => more().catch(complain)}>${text.page.more}</button></p>` : nothing}` : empty(path, text.empty[path], text.empty[/** @type {'flowsHint'} */ (`${path}Hint`)])}`;
	},
});

/** When something ended, and how long it took. @param {{ createdAt: string }} from @param {string | null} endedAt */
const ended = ({ createdAt }, endedAt) => (endedAt ? html`${clock(endedAt)} <span class="note">${text.job.ran} ${duration(Date.parse(endedAt) - Date.parse(createdAt))}</span>` : nothing);

/** How much has ended, in a bar and in words. @param {import('../parts/states.js').Progress} progress */
const progress = (progress) => html`${progressBar(progress)}<span class="note">${percent(doneOf(progress), progress.jobs)}</span>`;

/** @type {import('../parts/table.js').Column<import('../api').Flow>[]} */
const flowColumns = [
	{ name: c.name, row: true, cell: ({ id, name }) => html`<a href="flows/${id}">${visible(name)}</a>`, by: ({ name }) => name },
	{ name: c.id, kind: 'id tight', cell: ({ id }) => id, by: ({ id }) => id },
	{ name: c.state, kind: 'tight', cell: flowState, by: ({ state }) => state },
	{ name: c.progress, kind: 'barred', cell: progress, by: (flow) => doneOf(flow) / flow.jobs },
	numbers(c.jobs, ({ jobs }) => number(jobs), ({ jobs }) => jobs),
	numbers(c.open, ({ open }) => number(open), ({ open }) => open),
	numbers(c.failed, ({ failed }) => (failed ? html`<span class="state failed">${number(failed)}</span>` : '0'), ({ failed }) => failed),
	{ name: c.created, kind: 'tight', labelled: true, cell: ({ createdAt }) => ago(createdAt), by: ({ createdAt }) => createdAt },
	{ name: c.ended, kind: 'tight', cell: (flow) => ended(flow, flow.endedAt), by: ({ endedAt }) => endedAt },
];

export const flows = paged('flows', (items, context, whole) => list(context, flowColumns, items, { name: ({ id, name, state }) => `${name} ${id} ${state}`, key: ({ id }) => id, whole }));

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
		const actions = onFlow(context, flow);
		const button = (/** @type {number} */ n, /** @type {string} */ tone, /** @type {() => void} */ does, /** @type {string} */ words) => (context.may('operate') && n
			? html`<button type="button" class=${tone} @click=${does}>${words}</button>` : nothing);
		return html`
			${heading(visible(flow.name), {
				above: html`<a href="flows">${text.pages.flows}</a>`,
				note: html`<span class="id">#${flow.id}</span> ${flowState(flow)}`,
				actions: html`${button(flow.failed, 'primary', actions.retry, text.actions.retryManyButton(text.actions.jobs(number(flow.failed), flow.failed)))}
					${button(flow.open, 'danger', actions.cancel, text.actions.cancelManyButton(text.actions.jobs(number(flow.open), flow.open)))}
					${copies({ id: String(flow.id), api: `flows/${flow.id}`, data })}`,
			})}
			${card(html`<dl class="facts">${fact(c.progress, progress(flow))}
				${fact(c.jobs, number(flow.jobs))}${fact(t.open, number(flow.open))}
				${fact(text.states.failed, number(flow.failed))}
				${fact(c.created, html`${clock(flow.createdAt)} <span class="note">${ago(flow.createdAt)}</span>`)}
					${flow.endedAt ? fact(c.ended, ended(flow, flow.endedAt)) : nothing}</dl>`)}
			${jobs.length < flow.jobs ? html`<p class="sentence">${t.cut(jobs.length, flow.jobs)}</p>` : nothing}
			${section(t.graph, html`<q-graph .jobs=${jobs} label="${t.graph}: ${flow.name}"></q-graph>`)}
			${section(c.jobs, list(context, jobColumns(jobs), jobs, { name: ({ name, type, state, job }) => `${name} ${type ?? ''} ${state} ${job}`, key: ({ job }) => job }))}`;
	},
};

/** @param {import('../api').Batch} batch */
const batchCounts = ({ total, succeeded, failed, cancelled }) => ({ jobs: total, succeeded, failed, cancelled });

/** @param {import('../api').Batch} batch */
const batchState = ({ finishedAt, closedAt, failed }) => (finishedAt ? stateWord(failed ? 'failed' : 'succeeded') : html`<span class="state running">${closedAt ? t.runs : t.notClosed}</span>`);

/** @type {import('../parts/table.js').Column<import('../api').Batch>[]} */
const batchColumns = [
	{ name: c.name, row: true, cell: ({ id, name }) => html`<a href="batches/${id}">${visible(name)}</a>`, by: ({ name }) => name },
	{ name: c.id, kind: 'id tight', cell: ({ id }) => id, by: ({ id }) => id },
	{ name: c.state, kind: 'tight', cell: batchState, by: ({ finishedAt, failed }) => (finishedAt ? (failed ? 1 : 2) : 0) },
	{ name: c.progress, kind: 'barred', cell: (batch) => progress(batchCounts(batch)), by: (batch) => doneOf(batchCounts(batch)) / batch.total },
	numbers(c.jobs, ({ total }) => number(total), ({ total }) => total),
	numbers(c.open, ({ pending }) => number(pending), ({ pending }) => pending),
	numbers(c.failed, ({ failed }) => (failed ? html`<span class="state failed">${number(failed)}</span>` : '0'), ({ failed }) => failed),
	{ name: c.created, kind: 'tight', labelled: true, cell: ({ createdAt }) => ago(createdAt), by: ({ createdAt }) => createdAt },
	{ name: c.ended, kind: 'tight', cell: (batch) => ended(batch, batch.finishedAt), by: ({ finishedAt }) => finishedAt },
];

export const batches = paged('batches', (items, context, whole) => list(context, batchColumns, items, { name: ({ id, name }) => `${name} ${id}`, key: ({ id }) => id, whole }));

/** @type {import('../app.js').Page} */
export const batch = {
	title: ({ params }, data) => visible(data?.batch.name ?? params.id),
	load: async ({ params, session, signal }) => {
		const id = encodeURIComponent(params.id);
		const [{ batch }, left] = await Promise.all([api.get(`batches/${id}`, signal), session.features.filters.includes('batch') ? api.get(`jobs?batch=${id}`, signal) : null]);
		return { batch, left };
	},
	view: (/** @type {import('../api').BatchDetail & { left: import('../api').JobPage | null }} */ { batch, left }, context) => {
		const { close, cancel } = onBatch(context, batch);
		const actions = context.may('operate') ? html`${batch.closedAt ? nothing : html`<button type="button" @click=${close}>${t.close}</button>`}
			${batch.pending ? html`<button type="button" class="danger" @click=${cancel}>${text.actions.cancelManyButton(text.actions.jobs(number(batch.pending), batch.pending))}</button>` : nothing}` : nothing;
		return html`${heading(visible(batch.name), { above: html`<a href="batches">${text.pages.batches}</a>`, note: html`<span class="id">#${batch.id}</span> ${batchState(batch)}`, actions: html`${actions}${copies({ id: String(batch.id), api: `batches/${batch.id}`, data: { batch } })}` })}
			${card(html`<dl class="facts">
				${fact(c.progress, progress(batchCounts(batch)))}
				${fact(c.jobs, number(batch.total))}
				${fact(stateWord('queued', ''), html`${number(batch.pending)} ${t.open}`)}
				${/** @type {const} */ (['succeeded', 'failed', 'cancelled']).map((state) => fact(stateWord(state), number(batch[state])))}
				${fact(c.created, html`${clock(batch.createdAt)} <span class="note">${ago(batch.createdAt)}</span>`)}
				${batch.finishedAt ? fact(c.ended, ended(batch, batch.finishedAt)) : nothing}</dl>`)}
			${left?.items.length ? section(t.jobsOfBatch, jobTable(left.items, context, { whole: !left.page.next }), { side: html`<a class="more" href="jobs?batch=${batch.id}">${text.pages.jobs}${icon('next')}</a>` }) : nothing}`;
	},
};
