/** Flows with their graphs, and batches with their progress. */

import { html, nothing } from '../vendor/lit-html.js';
import { onBatch, onFlow } from '../parts/actions.js';
import { api, query } from '../parts/api.js';
import { ago, clock, empty, heading, jobLink, mayBeHidden, section, typeLink, visible } from '../parts/blocks.js';
import { copies } from '../parts/copy.js';
import { duration, number, percent } from '../parts/format.js';
import { stateBar, stateWord } from '../parts/states.js';
import { text } from '../texts/en.js';

const c = text.columns;
const t = text.flow;

/** @param {{ open: number, succeeded: number, failed: number, cancelled: number }} counts */
const progressBar = ({ open, succeeded, failed, cancelled }) => {
	const exact = (/** @type {number} */ value) => ({ value, kind: /** @type {const} */ ('exact') });
	return stateBar({ failed: exact(failed), queued: exact(open), succeeded: exact(succeeded), cancelled: exact(cancelled) });
};

/** @param {import('../api').Flow} flow */
const flowState = ({ state }) => stateWord(state);

/** @param {import('../app.js').Context} context @param {string} path */
const more = async (context, path, /** @type {any} */ data) => {
	const last = context.local.more?.at(-1) ?? data;
	const next = await api.get(`${path}${query({ state: context.query.get('state'), cursor: last.page.next })}`);
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
			${items.length ? html`<div class="scroll"><table class="rows fold walk"><thead><tr><th scope="col">${c.name}</th>
				<th scope="col">${c.id}</th><th scope="col">${c.state}</th><th scope="col" class="barred">${c.progress}</th>
				<th scope="col" class="number">${c.jobs}</th><th scope="col" class="number">${c.open}</th>
				<th scope="col" class="number">${c.failed}</th><th scope="col">${c.created}</th><th scope="col">${c.ended}</th></tr></thead>
				<tbody>${items.map((flow) => html`<tr><th scope="row"><a href="flows/${flow.id}">${visible(flow.name)}</a></th>
					<td class="id tight">${flow.id}</td><td class="tight">${flowState(flow)}</td>
					<td class="barred">${progressBar(flow)}</td><td class="number" data-label=${c.jobs}>${number(flow.jobs)}</td>
					<td class="number" data-label=${t.open}>${number(flow.open)}</td>
						<td class="number" data-label=${text.states.failed}>${number(flow.failed)}</td>
						<td class="tight">${ago(flow.createdAt)}</td>
						<td class="tight">${flow.endedAt ? html`${clock(flow.endedAt)} <span class="note">${text.job.ran} ${duration(Date.parse(flow.endedAt) - Date.parse(flow.createdAt))}</span>` : nothing}</td></tr>`)}</tbody></table></div>
				${next ? html`<p class="under-list"><button type="button" @click=${() => more(context, 'flows', data)}>${text.page.more}</button></p>` : nothing}` : empty(text.empty.flows, text.empty.flowsHint)}`;
	},
};

/** @param {import('../api').FlowJob[]} jobs */
const jobTable = (jobs) => html`<div class="scroll"><table class="rows fold walk"><thead><tr><th scope="col">${c.name}</th>
	<th scope="col">${c.state}</th><th scope="col">${c.id}</th><th scope="col">${c.type}</th><th scope="col">${c.after}</th>
	<th scope="col">${c.ended}</th></tr></thead>
	<tbody>${jobs.map((job) => html`<tr><th scope="row">${visible(job.name)}${job.addedBy ? html` <span class="note">${t.addedBy} ${jobLink(job.addedBy)}</span>` : nothing}${job.shared ? html` <span class="note">${t.shared}</span>` : nothing}</th><td class="tight">${stateWord(job.state)}</td>
		<td class="tight">${jobLink(job.job)}</td><td>${job.type ? typeLink(job.type) : '–'}</td>
		<td class="note" data-label=${job.after.length ? c.after : nothing}>${job.after.map(visible).join(', ')}</td>
		<td class="tight" data-label=${c.ended}>${clock(job.endedAt)}</td></tr>`)}</tbody></table></div>`;

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
			<dl class="facts"><div><dt>${c.progress}</dt><dd>${percent(flow.jobs - flow.open, flow.jobs)} ${progressBar(flow)}</dd></div>
				<div><dt>${c.jobs}</dt><dd>${number(flow.jobs)}</dd></div><div><dt>${t.open}</dt><dd>${number(flow.open)}</dd></div>
				<div><dt>${text.states.failed}</dt><dd>${number(flow.failed)}</dd></div>
				<div><dt>${c.created}</dt><dd>${clock(flow.createdAt)} <span class="note">${ago(flow.createdAt)}</span></dd></div>
					${flow.key ? html`<div><dt>${text.job.uniqueKey}</dt><dd>${mayBeHidden(flow.key, visible)}</dd></div>` : nothing}
					${flow.endedAt ? html`<div><dt>${c.ended}</dt><dd>${clock(flow.endedAt)}</dd></div>` : nothing}</dl>
			${section(t.graph, html`<q-graph .jobs=${jobs} label="${t.graph}: ${flow.name}"></q-graph>`)}
			${section(c.jobs, jobTable(jobs))}`;
	},
};

/** @param {import('../api').Batch} batch */
const batchCounts = ({ pending, succeeded, failed, cancelled }) => ({ open: pending, succeeded, failed, cancelled });

/** @type {import('../app.js').Page} */
export const batches = {
	title: () => text.pages.batches,
	load: ({ signal }) => api.get('batches', signal),
	view: (/** @type {import('../api').Batches} */ { items }) => html`${heading(text.pages.batches, { note: t.unfinished })}
		${items.length ? html`<div class="scroll"><table class="rows fold walk"><thead><tr><th scope="col">${c.name}</th>
			<th scope="col">${c.id}</th><th scope="col" class="barred">${c.progress}</th><th scope="col" class="number">${c.jobs}</th>
			<th scope="col" class="number">${c.open}</th><th scope="col" class="number">${c.succeeded}</th>
			<th scope="col" class="number">${c.failed}</th><th scope="col">${c.created}</th><th scope="col">${c.status}</th></tr></thead>
			<tbody>${items.map((batch) => html`<tr><th scope="row"><a href="batches/${batch.id}">${visible(batch.name)}</a></th>
				<td class="id tight">${batch.id}</td><td class="barred">${progressBar(batchCounts(batch))}</td>
				<td class="number" data-label=${c.jobs}>${number(batch.total)}</td>
				<td class="number" data-label=${t.open}>${number(batch.pending)}</td>
				<td class="number" data-label=${text.states.succeeded}>${number(batch.succeeded)}</td>
					<td class="number" data-label=${text.states.failed}>${number(batch.failed)}</td>
					<td class="tight">${ago(batch.createdAt)}</td>
					<td class="note">${batch.closedAt ? nothing : t.notClosed}</td></tr>`)}</tbody></table></div>` : empty(text.empty.batches, text.empty.batchesHint)}`,
};

/** @type {import('../app.js').Page} */
export const batch = {
	title: ({ params }, data) => visible(data?.batch.name ?? params.id),
	load: ({ params, signal }) => api.get(`batches/${encodeURIComponent(params.id)}`, signal),
	view: (/** @type {import('../api').BatchDetail} */ data, context) => {
		const { batch } = data;
		return html`${heading(`${visible(batch.name)} ${batch.id}`, { above: html`<a href="batches">${text.pages.batches}</a>`, note: batch.finishedAt ? '' : batch.closedAt ? t.unfinished : t.notClosed, actions: html`${context.may('operate') && batch.pending ? html`<button type="button" class="danger" @click=${onBatch(context, batch).cancel}>${text.actions.cancelManyButton(text.actions.jobs(number(batch.pending), batch.pending))}</button>` : nothing}${copies({ id: String(batch.id), api: `batches/${batch.id}`, data })}` })}
			<dl class="facts">
				<div><dt>${c.progress}</dt><dd>${percent(batch.total - batch.pending, batch.total)} ${progressBar(batchCounts(batch))}</dd></div>
				<div><dt>${c.jobs}</dt><dd>${number(batch.total)}</dd></div>
				<div><dt>${stateWord('queued', '')}</dt><dd>${number(batch.pending)} ${t.open}</dd></div>
					<div><dt>${stateWord('succeeded')}</dt><dd>${number(batch.succeeded)}</dd></div>
					<div><dt>${stateWord('failed')}</dt><dd>${number(batch.failed)}</dd></div>
					<div><dt>${stateWord('cancelled')}</dt><dd>${number(batch.cancelled)}</dd></div>
				<div><dt>${c.created}</dt><dd>${clock(batch.createdAt)} <span class="note">${ago(batch.createdAt)}</span></dd></div>
					${batch.finishedAt ? html`<div><dt>${c.ended}</dt><dd>${clock(batch.finishedAt)}</dd></div>` : nothing}</dl>
			${context.session.features.filters.includes('batch') ? html`<p class="under-list"><a href="jobs?batch=${batch.id}">${text.pages.jobs}</a></p>` : nothing}`;
	},
};
