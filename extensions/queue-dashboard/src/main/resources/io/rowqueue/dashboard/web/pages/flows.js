/** Flows with their graphs, and batches with their progress. */

import { html, nothing } from '../vendor/lit-html.js';
import { complain, onBatch, onFlow } from '../parts/actions.js';
import { api, query } from '../parts/api.js';
import { ago, clock, empty, fact, heading, jobLink, section, typeLink, visible } from '../parts/blocks.js';
import { copies } from '../parts/copy.js';
import { duration, number, percent } from '../parts/format.js';
import { progressBar, stateWord } from '../parts/states.js';
import { table } from '../parts/table.js';
import { text } from '../texts/en.js';

const c = text.columns;
const t = text.flow;

/** @param {import('../api').Flow} flow */
const flowState = ({ state }) => stateWord(state);

/** @param {import('../app.js').Context} context @param {string} path */
const more = async (context, path, /** @type {any} */ data) => {
	const last = context.local.more?.at(-1) ?? data;
	const next = await api.get(`${path}${query({ state: context.query.get('state'), cursor: last.page.next })}`, context.signal);
	context.set({ more: [...(context.local.more ?? []), next] });
};

/** @type {import('../app.js').Page} */
export const flows = {
	title: () => text.pages.flows,
	load: ({ query: asked, signal }) => api.get(`flows${query({ state: asked.get('state') })}`, signal),
	holds: ({ local }) => Boolean(local.more?.length),
	view: (/** @type {import('../api').Flows} */ data, context) => {
		const items = [data, ...(context.local.more ?? [])].flatMap((page) => page.items);
		const next = (context.local.more?.at(-1) ?? data).page.next;
		const unfinished = context.query.get('state') === 'unfinished';
		return html`${heading(text.pages.flows)}
			<nav class="tabs" aria-label=${c.state}><a href="flows" aria-current=${unfinished ? nothing : 'page'}>${t.all}</a><a href="flows?state=unfinished" aria-current=${unfinished ? 'page' : nothing}>${t.unfinished}</a></nav>
			${data.truncated ? html`<p class="note">${t.most(items.length)}</p>` : nothing}
			${items.length ? html`${table([c.name, c.id, c.state, [c.progress, 'barred'], [c.jobs], [c.open], [c.failed], c.created, c.ended],
				items.map((flow) => html`<tr><th scope="row"><a href="flows/${flow.id}">${visible(flow.name)}</a></th>
					<td class="id tight">${flow.id}</td><td class="tight">${flowState(flow)}</td>
					<td class="barred">${progressBar(flow)}</td><td class="number" data-label=${c.jobs}>${number(flow.jobs)}</td>
					<td class="number" data-label=${t.open}>${number(flow.open)}</td>
						<td class="number" data-label=${text.states.failed}>${number(flow.failed)}</td>
						<td class="tight">${ago(flow.createdAt)}</td>
						<td class="tight">${flow.endedAt ? html`${clock(flow.endedAt)} <span class="note">${text.job.ran} ${duration(Date.parse(flow.endedAt) - Date.parse(flow.createdAt))}</span>` : nothing}</td></tr>`), 'fold walk')}
				${next ? html`<p class="under-list"><button type="button" @click=${() => more(context, 'flows', data).catch(complain)}>${text.page.more}</button></p>` : nothing}` : empty(text.empty.flows, text.empty.flowsHint)}`;
	},
};

/** The jobs that a job runs after: by their names, unless these are hidden. @param {import('../api').FlowJob} job @param {import('../api').FlowJob[]} jobs */
const after = (job, jobs) => (job.after.some((name) => name.endsWith('******')) ? job.predecessors.map((i) => html`${jobLink(jobs[i].job)} `) : job.after.map(visible).join(', '));

/** @param {import('../api').FlowJob[]} jobs */
const jobTable = (jobs) => table([c.name, c.state, c.id, c.type, c.after, c.ended],
	jobs.map((job) => html`<tr><th scope="row">${visible(job.name)}${job.addedBy ? html` <span class="note">${t.addedBy} ${jobLink(job.addedBy)}</span>` : nothing}</th><td class="tight">${stateWord(job.state)}</td>
		<td class="tight">${jobLink(job.job)}</td><td>${job.type ? typeLink(job.type) : '–'}</td>
		<td class="note" data-label=${job.after.length ? c.after : nothing}>${after(job, jobs)}</td>
		<td class="tight" data-label=${c.ended}>${clock(job.endedAt)}</td></tr>`), 'fold walk');

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
			${heading(`${visible(flow.name)} ${flow.id}`, {
				above: html`<a href="flows">${text.pages.flows}</a>`,
				note: flowState(flow),
				actions: html`${button(flow.failed, 'primary', actions.retry, text.actions.retryManyButton(text.actions.jobs(number(flow.failed), flow.failed)))}
					${button(flow.open, 'danger', actions.cancel, text.actions.cancelManyButton(text.actions.jobs(number(flow.open), flow.open)))}
					${copies({ id: String(flow.id), api: `flows/${flow.id}`, data })}`,
			})}
			<dl class="facts">${fact(c.progress, html`${percent(flow.succeeded, flow.jobs)} ${progressBar(flow)}`)}
				${fact(c.jobs, number(flow.jobs))}${fact(t.open, number(flow.open))}
				${fact(text.states.failed, number(flow.failed))}
				${fact(c.created, html`${clock(flow.createdAt)} <span class="note">${ago(flow.createdAt)}</span>`)}
					${flow.endedAt ? fact(c.ended, clock(flow.endedAt)) : nothing}</dl>
			${jobs.length < flow.jobs ? html`<p class="sentence">${t.cut(jobs.length, flow.jobs)}</p>` : nothing}
			${section(t.graph, html`<q-graph .jobs=${jobs} label="${t.graph}: ${flow.name}"></q-graph>`)}
			${section(c.jobs, jobTable(jobs))}`;
	},
};

/** @param {import('../api').Batch} batch */
const batchCounts = ({ total, succeeded, failed, cancelled }) => ({ jobs: total, succeeded, failed, cancelled });

/** @type {import('../app.js').Page} */
export const batches = {
	title: () => text.pages.batches,
	load: ({ signal }) => api.get('batches', signal),
	view: (/** @type {import('../api').Batches} */ { items, truncated }) => html`${heading(text.pages.batches, { note: truncated ? `${t.unfinished}. ${t.most(items.length)}` : t.unfinished })}
		${items.length ? table([c.name, c.id, [c.progress, 'barred'], [c.jobs], [c.open], [c.succeeded], [c.failed], c.created, c.status],
			items.map((batch) => html`<tr><th scope="row"><a href="batches/${batch.id}">${visible(batch.name)}</a></th>
				<td class="id tight">${batch.id}</td><td class="barred">${progressBar(batchCounts(batch))}</td>
				<td class="number" data-label=${c.jobs}>${number(batch.total)}</td>
				<td class="number" data-label=${t.open}>${number(batch.pending)}</td>
				<td class="number" data-label=${text.states.succeeded}>${number(batch.succeeded)}</td>
					<td class="number" data-label=${text.states.failed}>${number(batch.failed)}</td>
					<td class="tight">${ago(batch.createdAt)}</td>
					<td class="note">${batch.closedAt ? nothing : t.notClosed}</td></tr>`), 'fold walk') : empty(text.empty.batches, text.empty.batchesHint)}`,
};

/** @type {import('../app.js').Page} */
export const batch = {
	title: ({ params }, data) => visible(data?.batch.name ?? params.id),
	load: ({ params, signal }) => api.get(`batches/${encodeURIComponent(params.id)}`, signal),
	view: (/** @type {import('../api').BatchDetail} */ data, context) => {
		const { batch } = data;
		return html`${heading(`${visible(batch.name)} ${batch.id}`, { above: html`<a href="batches">${text.pages.batches}</a>`, note: batch.finishedAt ? '' : batch.closedAt ? t.unfinished : t.notClosed, actions: html`${context.may('operate') && !batch.closedAt ? html`<button type="button" @click=${onBatch(context, batch).close}>${t.close}</button>` : nothing}${context.may('operate') && batch.pending ? html`<button type="button" class="danger" @click=${onBatch(context, batch).cancel}>${text.actions.cancelManyButton(text.actions.jobs(number(batch.pending), batch.pending))}</button>` : nothing}${copies({ id: String(batch.id), api: `batches/${batch.id}`, data })}` })}
			<dl class="facts">
				${fact(c.progress, html`${percent(batch.succeeded, batch.total)} ${progressBar(batchCounts(batch))}`)}
				${fact(c.jobs, number(batch.total))}
				${fact(stateWord('queued', ''), html`${number(batch.pending)} ${t.open}`)}
					${fact(stateWord('succeeded'), number(batch.succeeded))}
					${fact(stateWord('failed'), number(batch.failed))}
					${fact(stateWord('cancelled'), number(batch.cancelled))}
				${fact(c.created, html`${clock(batch.createdAt)} <span class="note">${ago(batch.createdAt)}</span>`)}
					${batch.finishedAt ? fact(c.ended, clock(batch.finishedAt)) : nothing}</dl>
			${context.session.features.filters.includes('batch') ? html`<p class="under-list"><a href="jobs?batch=${batch.id}">${text.pages.jobs}</a></p>` : nothing}`;
	},
};
