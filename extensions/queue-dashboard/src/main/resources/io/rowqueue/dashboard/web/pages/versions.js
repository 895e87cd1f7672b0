/** The versions of the application that ran in the last week, and two of them compared. */

import { html, nothing } from '../vendor/lit-html.js';
import { api, query as queryOf } from '../parts/api.js';
import { ago, card, empty, heading, section, typeLink, visible } from '../parts/blocks.js';
import { duration, number, percent } from '../parts/format.js';
import { list, numbers, table } from '../parts/table.js';
import { text } from '../texts/en.js';

const c = text.columns;
const t = text.versions;

export const every = 60_000;

export const title = () => text.pages.versions;

/** @param {import('../app.js').Context} context */
export const load = ({ query, signal }) => api.get(`versions${queryOf({ a: query.get('a'), b: query.get('b') })}`, signal);

const nameOf = (/** @type {string} */ version) => (version ? visible(version) : t.unknown);

/** @type {import('../parts/table.js').Column<import('../api').Versions['items'][0]>[]} */
const columns = [
	{ name: c.version, row: true, cell: ({ version }) => nameOf(version) },
	{ name: t.since, kind: 'tight', cell: ({ firstAt }) => ago(firstAt) },
	numbers(t.processes, ({ processes }) => number(processes)),
	numbers(c.running, ({ running }) => number(running)),
	numbers(t.lost, ({ lost }) => (lost ? html`<span class="state failed">${number(lost)}</span>` : '0')),
	numbers(c.succeeded, ({ succeeded }) => number(succeeded)),
	numbers(t.failures, ({ succeeded, failed }) => html`${number(failed)} <span class="note">${percent(failed, succeeded + failed)}</span>`),
];

/** Whether the newer one is clearly worse. @param {number | null | undefined} a @param {number | null | undefined} b */
const worse = (a, b) => a != null && b != null && b > a * 1.2 + 0.005;

/** @typedef {import('../api').VersionFigures} Figures */
/** @typedef {import('../api').Versions['types'][0]} Both */

/** A figure of both versions. @param {string} name @param {(of: Figures) => number | null} of @param {(value: number) => string} shown @param {boolean} [worsens] whether more is worse @returns {import('../parts/table.js').Column<Both>} */
const both = (name, of, shown, worsens = true) => {
	const value = (/** @type {Figures | null} */ figures) => figures && of(figures);
	const word = (/** @type {number | null} */ value) => (value == null ? '–' : shown(value));
	return numbers(name, ({ a, b }) => html`<span class="note">${word(value(a))} →</span> ${worsens && worse(value(a), value(b)) ? html`<b class="state failed">${word(value(b))} ▲</b>` : word(value(b))}`, ({ b }) => value(b));
};

/** @type {import('../parts/table.js').Column<Both>[]} */
const compared = [
	{ name: c.type, row: true, cell: ({ type }) => typeLink(type), by: ({ type }) => type },
	both(t.attempts, ({ attempts }) => attempts, number, false),
	both(t.failed, ({ attempts, failures }) => (attempts ? failures / attempts : null), (share) => percent(share, 1)),
	both('p50', ({ runP50Ms }) => runP50Ms, duration),
	both('p95', ({ runP95Ms }) => runP95Ms, duration),
];

/** @param {import('../api').Versions} data @param {import('../app.js').Context} context */
export const view = (data, context) => {
	const { items, a, b, types } = data;
	const choose = (/** @type {'a' | 'b'} */ which) => html`<select aria-label=${t.which[which]} @change=${(/** @type {any} */ event) => context.go(`versions?${new URLSearchParams({ a, b, [which]: event.target.value })}`, true)}>
		${items.map(({ version }) => html`<option value=${version} ?selected=${version === (which === 'a' ? a : b)}>${nameOf(version)}</option>`)}</select>`;
	return html`${heading(text.pages.versions, { above: html`<a href="workers">${text.pages.workers}</a>`, note: t.note })}
		${items.length ? card(html`${table(columns, items)}${items.some(({ version }) => !version) ? html`<p class="quiet-line">${t.hint}</p>` : nothing}`) : empty('versions', t.none, t.hint)}
		${items.length > 1 ? section(t.compare, html`<p class="tool-row">${choose('a')} → ${choose('b')}</p>
			${types.length ? list(context, compared, types, { name: ({ type }) => type })
				: html`<p class="quiet-line">${t.hint}</p>`}`) : nothing}`;
};
