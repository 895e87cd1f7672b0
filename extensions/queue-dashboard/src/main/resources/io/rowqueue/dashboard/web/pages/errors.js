/** Failures with the same cause: which, since when, in which versions; and one of them with its jobs. */

import { html, nothing } from '../vendor/lit-html.js';
import { onError } from '../parts/jobactions.js';
import { api, query as queryOf } from '../parts/api.js';
import { ago, card, clock, empty, fact, heading, jobLink, mayBeHidden, queueLink, section, typeLink, unqualified, visible } from '../parts/blocks.js';
import { copies } from '../parts/copy.js';
import { count, number } from '../parts/format.js';
import { icon } from '../parts/icons.js';
import { MEASURED_MS } from '../parts/live.js';
import { stackTrace } from '../parts/trace.js';
import { stateWord } from '../parts/states.js';
import { holdsPages, list, numbers, paged } from '../parts/table.js';
import { text } from '../texts/en.js';

const c = text.columns;
const t = text.errors;
const STATUSES = /** @type {const} */ (['open', 'resolved', 'ignored']);

/** Without its package. @param {string} name */
export const short = (name) => visible(unqualified(name));

/** @param {string | null} at */
const again = (at) => (at ? html` <span class="note">${t.again} ${ago(at)}</span>` : nothing);

/** @param {import('../api').ErrorInfo} error */
const status = ({ status, reopenedAt }) => html`<span class="state ${{ open: 'failed', resolved: 'succeeded', ignored: 'cancelled' }[status]}">${t.statuses[status]}</span>${again(reopenedAt)}`;

/** @param {import('../api').ErrorInfo} error */
const perDay = (error) => html`<q-chart kind="spark" label="${t.perHour}: ${error.exception}" .series=${[{ name: '', tone: 'failed', values: error.perHour }]}></q-chart>`;

const statusOf = (/** @type {URLSearchParams} */ query) => STATUSES.find((each) => each === query.get('status')) ?? 'open';

/** @param {import('../app.js').Context} context @param {string} [cursor] @returns {Promise<import('../api').Errors>} */
const page = ({ query, signal }, cursor) => api.get(`errors${queryOf({ status: statusOf(query), type: query.get('type'), q: query.get('q'), cursor })}`, signal);

/** @param {import('../app.js').Context} context */
const search = ({ query, go }) => {
	const [status, type] = [statusOf(query), query.get('type')];
	const find = (/** @type {SubmitEvent} */ event) => {
		event.preventDefault();
		const input = /** @type {HTMLInputElement} */ (/** @type {HTMLFormElement} */ (event.target).elements.namedItem('q'));
		go(`errors${queryOf({ status, type, q: input.value.trim() })}`);
	};
	return html`<form class="filter" role="search" @submit=${find}>
		${type ? html`<span class="chip"><span>${c.type}: ${visible(type)}</span><button type="button" class="quiet" aria-label=${text.jobs.remove(type)} @click=${() => go(`errors${queryOf({ status, q: query.get('q') })}`)}>${icon('close')}</button></span>` : nothing}
		<span class="box">${icon('search')}<input name="q" id="filter" .value=${query.get('q') ?? ''} aria-label=${t.search} placeholder=${t.search} autocomplete="off" spellcheck="false"></span></form>`;
};

/** @type {import('../parts/table.js').Column<import('../api').ErrorInfo>[]} */
export const errorColumns = [
	{ name: c.error, row: true, kind: 'whole', cell: ({ id, exception, message, reopenedAt }) => html`<a href="errors/${id}">${short(exception)}</a>${again(reopenedAt)} <span class="note clip">${mayBeHidden(message, visible)}</span>`, by: ({ exception }) => short(exception) },
	{ name: c.type, cell: ({ type }) => (type ? typeLink(type) : '–'), by: ({ type }) => type },
	{ name: t.perHour, kind: 'tight', cell: perDay, by: ({ perHour }) => -perHour.reduce((sum, n) => sum + n, 0) },
	numbers(t.failures, ({ failures }) => number(failures), ({ failures }) => failures),
	{ name: t.last, kind: 'tight', labelled: true, cell: ({ lastAt }) => ago(lastAt), by: ({ lastAt }) => lastAt },
	{ name: t.first, kind: 'tight extra', labelled: true, cell: ({ firstAt }) => ago(firstAt), by: ({ firstAt }) => firstAt },
	{ name: t.versions, kind: 'tight', cell: ({ versions }) => visible(versions.slice(-2).join(', ')) || nothing },
];

/** @type {import('../parts/table.js').Column<import('../api').ErrorJob>[]} */
const jobColumns = [
	{ name: c.id, row: true, cell: ({ id }) => jobLink(id), by: ({ id }) => id },
	{ name: c.state, cell: ({ state }) => (state ? stateWord(state) : html`<span class="note">${t.finished}</span>`), by: ({ state }) => state },
	{ name: c.queue, cell: ({ queue }) => (queue ? queueLink(queue) : '–'), by: ({ queue }) => queue },
	numbers(c.attempt, ({ attempt }) => attempt, ({ attempt }) => attempt),
	{ name: c.failedAt, kind: 'tight', cell: ({ failedAt }) => ago(failedAt), by: ({ failedAt }) => failedAt },
];

/** Those that stay failed first: they are what can be retried. @param {import('../api').ErrorJob[]} jobs */
const failedFirst = (jobs) => [...jobs].sort((one, other) => Number(other.state === 'failed') - Number(one.state === 'failed'));

/** @type {import('../app.js').Page} */
export const errors = {
	title: () => text.pages.errors,
	every: MEASURED_MS,
	load: page,
	holds: holdsPages,
	keys: () => ({ '/': () => document.getElementById('filter')?.focus() }),
	view: (/** @type {import('../api').Errors} */ first, context) => {
		const { query } = context;
		const { items, whole, more } = paged(context, first, (cursor) => page(context, cursor));
		return html`${heading(text.pages.errors, { note: t.note })}
		<nav class="tabs" aria-label=${c.status}>${STATUSES.map((each) => html`<a href="errors${queryOf({ status: each, type: query.get('type'), q: query.get('q') })}" aria-current=${each === statusOf(query) ? 'page' : nothing}>${t.statuses[each]}</a>`)}</nav>
		${search(context)}
		${items.length ? card(list(context, errorColumns, items, { name: ({ type, exception }) => `${type} ${exception}`, key: ({ id }) => id, whole }))
			: query.get('q') || query.get('type') ? empty('errors', t.noneFound, '', html`<p><a href="errors?status=${statusOf(query)}">${text.jobs.clear}</a></p>`) : empty('errors', t.none[statusOf(query)], t.hint)}
		${more}`;
	},
};

/** @type {import('../app.js').Page} */
export const error = {
	every: MEASURED_MS,
	title: ({ params }, data) => (data ? short(data.error.exception) : params.id),
	load: ({ params, signal }) => api.get(`errors/${encodeURIComponent(params.id)}`, signal),
	view: (/** @type {import('../api').ErrorDetail} */ data, context) => {
		const { error, failed, sample, jobs } = data;
		const does = onError(context, error);
		const buttons = context.may('operate') ? html`
			${failed.value ? html`<button type="button" class="primary" @click=${() => does.retry(failed)}>${text.actions.retryManyButton(text.actions.jobs(count(failed), failed.value))}</button>` : nothing}
			${error.status === 'open' ? html`<button type="button" @click=${does.resolve}>${t.resolve}</button><button type="button" @click=${does.ignore}>${t.ignore}</button>`
				: html`<button type="button" @click=${does.reopen}>${t.reopen}</button>`}
			<button type="button" @click=${does.note}>${t.noteButton}</button>` : nothing;
		return html`${heading(short(error.exception), { above: html`<a href="errors">${text.pages.errors}</a>`, note: status(error), actions: html`${buttons}${copies({ id: error.id, api: `errors/${error.id}`, data })}` })}
			<p class="sentence failed">${mayBeHidden(error.message, visible)}<span class="then">${visible(error.exception)}</span></p>
			${card(html`<dl class="facts">${fact(c.type, error.type ? typeLink(error.type) : '–')}
				${fact(t.failures, html`${number(error.failures)} ${perDay(error)}`)}
				${fact(t.failedNow, failed.value ? html`<a href="jobs?state=failed&error=${error.id}">${count(failed)}</a>` : count(failed))}
				${fact(t.first, clock(error.firstAt))}${fact(t.last, html`${clock(error.lastAt)} <span class="note">${ago(error.lastAt)}</span>`)}
				${fact(t.versions, visible(error.versions.join(', ') || '–'))}
				${error.statusBy ? fact(t.statuses[error.status], html`${visible(error.statusBy)} <span class="note">${ago(error.statusAt)}</span>`) : nothing}
				${error.note ? fact(t.noteButton, visible(error.note)) : nothing}</dl>`)}
			${section(t.sample, mayBeHidden(sample, (trace) => stackTrace(trace) === nothing ? html`<p class="quiet-line">${visible(trace)}</p>` : stackTrace(trace)))}
			${section(text.pages.jobs, list(context, jobColumns, failedFirst(jobs), { id: 'jobs', name: ({ id, queue, state }) => `${id} ${queue ?? ''} ${state ?? ''}`, kind: 'fold' }))}`;
	},
};
