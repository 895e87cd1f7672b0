/** Who did what: the audit of dashboard, endpoint and code. */

import { html, nothing } from '../vendor/lit-html.js';
import { api, query } from '../parts/api.js';
import { card, clock, empty, heading, visible } from '../parts/blocks.js';
import { number } from '../parts/format.js';
import { icon } from '../parts/icons.js';
import { encodeName } from '../parts/names.js';
import { holdsPages, list, paged } from '../parts/table.js';
import { text } from '../texts/en.js';

const c = text.columns;
const t = text.activity;
/** Kinds of what has a page. */
const KINDS = /** @type {const} */ (['jobs', 'queues', 'types', 'schedules', 'flows', 'batches', 'workers', 'errors']);

export const title = () => text.pages.activity;

/** @param {import('../app.js').Context} context @returns {Record<'who' | 'action' | 'kind' | 'name', string | null>} */
const asked = ({ query }) => ({ who: query.get('who'), action: query.get('action'), kind: query.get('kind'), name: query.get('name') });

/** @param {import('../app.js').Context} context @param {string} [cursor] */
const page = (context, cursor) => api.get(`operations${query({ ...asked(context), cursor })}`, context.signal);

/** @param {import('../app.js').Context} context */
export const load = (context) => page(context);

export const holds = holdsPages;

/** @param {import('../api').Operation} operation */
export const target = ({ id, kind, name, bulk }) => {
	if (!name || bulk) {
		return html`<a href="operations/${id}">${bulk ? text.operation.all : kind}</a>`;
	}
	const link = [...KINDS, 'operations'].includes(kind) ? html`<a href="${kind}/${encodeName(name)}">${visible(name)}</a>` : visible(name);
	return html`<a class="note" href="activity?kind=${kind}">${kind}</a> ${link}`;
};

/** @param {import('../api').Operation} operation */
export const outcome = ({ state, message, selected, done, skipped }) => {
	const tones = { done: ['succeeded', 'ok'], begun: ['running', 'info'], running: ['running', 'info'], refused: ['warning', 'warning'], failed: ['failed', 'critical'], stopped: ['paused', 'pause'], unknown: ['warning', 'warning'] };
	const [tone, mark] = tones[state] ?? tones.unknown;
	const told = state === 'done' && message;
	return html`<span class="state ${tone}">${icon(/** @type {any} */ (mark))}${told ? nothing : html`<span>${t.states[state] ?? state}</span>`}</span> <span class="note">${message ? visible(message) : nothing}${selected !== null && selected > 1 ? ` ${number(done)} / ${number(selected)}${skipped ? `, −${number(skipped)}` : ''}` : nothing}</span>`;
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
	const { items, whole, more } = paged(context, data, (cursor) => page(context, cursor));
	/** A name means nothing without its kind. */
	const { kind, name, ...rest } = asked(context);
	const chosen = Object.entries({ ...rest, name }).filter(([, value]) => value);
	const without = (/** @type {string} */ gone) => `activity${query({ ...asked(context), [gone]: null })}`;
	return html`${heading(text.pages.activity)}
		<nav class="tabs" aria-label=${c.kind}>${[null, ...KINDS].map((each) => html`<a href="activity${query({ ...rest, kind: each })}" aria-current=${each === kind ? 'page' : nothing}>${each ? text.pages[each] : text.page.all}</a>`)}</nav>
		${chosen.length ? html`<p class="filter">${chosen.map(([name, value]) => html`<span class="chip"><span>${visible(`${name}: ${value}`)}</span> <a class="more" href=${without(name)} aria-label=${text.jobs.remove(name)}>${icon('close')}</a></span>`)}</p>` : nothing}
		${items.length ? html`${card(list(context, columns, items, { name: ({ who, action, kind, name, reason }) => [who, action, kind, name, reason].join(' '), key: ({ id }) => id, whole, kind: 'fold' }))}${more}` : empty('activity', kind || chosen.length ? t.noneFound : text.empty.activity, text.empty.activityHint)}`;
};
