/** Who did what: the audit of dashboard, endpoint and code. */

import { html, nothing } from '../vendor/lit-html.js';
import { complain } from '../parts/actions.js';
import { api, query } from '../parts/api.js';
import { card, clock, empty, heading, visible } from '../parts/blocks.js';
import { number } from '../parts/format.js';
import { icon } from '../parts/icons.js';
import { encodeName } from '../parts/names.js';
import { list } from '../parts/table.js';
import { text } from '../texts/en.js';

const c = text.columns;
const t = text.activity;
const PAGES = ['jobs', 'queues', 'types', 'schedules', 'flows', 'batches', 'operations'];
const FILTERS = ['who', 'action', 'kind', 'name'];

export const title = () => text.pages.activity;

/** @param {import('../app.js').Context} context @param {string} [cursor] */
const page = ({ query: asked, signal }, cursor) => api.get(`operations${query({ ...Object.fromEntries(FILTERS.map((name) => [name, asked.get(name)])), cursor })}`, signal);

/** @param {import('../app.js').Context} context */
export const load = (context) => page(context);

/** @param {import('../app.js').Context} context */
export const holds = ({ local }) => Boolean(local.more?.length);

/** @param {import('../api').Operation} operation */
export const target = ({ id, kind, name, bulk }) => {
	if (!name || bulk) {
		return html`<a href="operations/${id}">${bulk ? text.operation.all : kind}</a>`;
	}
	const link = PAGES.includes(kind) ? html`<a href="${kind}/${encodeName(name)}">${visible(name)}</a>` : visible(name);
	return html`<span class="note">${kind}</span> ${link}`;
};

/** @param {import('../api').Operation} operation */
export const outcome = ({ state, message, selected, done, skipped }) => {
	const tones = { done: ['succeeded', 'ok'], begun: ['running', 'info'], running: ['running', 'info'], refused: ['warning', 'warning'], failed: ['failed', 'critical'], stopped: ['paused', 'pause'], unknown: ['warning', 'warning'] };
	const [tone, mark] = tones[state] ?? tones.unknown;
	return html`<span class="state ${tone}">${icon(/** @type {any} */ (mark))}<span>${t.states[state] ?? state}</span></span> <span class="note">${message ? visible(message) : nothing}${selected !== null && selected > 1 ? ` ${number(done)} / ${number(selected)}${skipped ? `, −${number(skipped)}` : ''}` : nothing}</span>`;
};

/** @type {import('../parts/table.js').Column<import('../api').Operation>[]} */
const columns = [
	{ name: c.when, kind: 'tight', cell: ({ at }) => clock(at), by: ({ at }) => at },
	{ name: c.who, row: true, cell: ({ who, via, address }) => html`<a href="activity${query({ who })}">${visible(who)}</a> <span class="note">${t.via[via] ?? via}${address ? ` ${visible(address)}` : ''}</span>`, by: ({ who }) => who },
	{ name: c.what, cell: ({ action }) => html`<a href="activity${query({ action })}">${visible(action)}</a>`, by: ({ action }) => action },
	{ name: c.name, cell: target },
	{ name: c.outcome, kind: 'whole', cell: (operation) => html`${outcome(operation)}${operation.reason ? html` <span class="note">“${visible(operation.reason)}”</span>` : nothing}`, by: ({ state }) => state },
];

/** @param {import('../api').Operations} data @param {import('../app.js').Context} context */
export const view = (data, context) => {
	/** @type {import('../api').Operation[]} */
	const items = [data, ...(context.local.more ?? [])].flatMap((page) => page.items);
	const next = (context.local.more?.at(-1) ?? data).page.next;
	const chosen = FILTERS.filter((name) => context.query.get(name));
	/** A name means nothing without its kind. */
	const without = (/** @type {string} */ gone) => `activity${query(Object.fromEntries(chosen.filter((name) => name !== gone && (name !== 'name' || gone !== 'kind'))
		.map((name) => [name, context.query.get(name)])))}`;
	const more = async () => context.set({ more: [...(context.local.more ?? []), await page(context, next)] });
	return html`${heading(text.pages.activity)}
		${chosen.length ? html`<p class="filter">${chosen.map((name) => html`<span class="chip"><span>${visible(`${name}: ${context.query.get(name)}`)}</span> <a class="more" href=${without(name)} aria-label=${text.jobs.remove(name)}>${icon('close')}</a></span>`)}</p>` : nothing}
		${items.length ? html`${card(list(context, columns, items, { name: ({ who, action, kind, name, reason }) => [who, action, kind, name, reason].join(' '), key: ({ id }) => id, whole: !next, kind: 'fold' }))}
			${next ? html`<p class="under-list"><button type="button" @click=${() => more().catch(complain)}>${text.page.more}</button></p>` : nothing}` : empty('activity', text.empty.activity, text.empty.activityHint)}`;
};
