/** The versions of the application that ran in the last week, and two of them compared. */

import { html, nothing } from '../vendor/lit-html.js';
import { api, query as queryOf } from '../parts/api.js';
import { ago, card, empty, heading, section, typeLink, visible } from '../parts/blocks.js';
import { duration, number, percent } from '../parts/format.js';
import { numbers, table } from '../parts/table.js';
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

/** @param {import('../api').Versions} data @param {import('../app.js').Context} context */
export const view = (data, { go }) => {
	const { items, a, b, types } = data;
	const choose = (/** @type {'a' | 'b'} */ which) => html`<select aria-label=${t.which[which]} @change=${(/** @type {any} */ event) => go(`versions?${new URLSearchParams({ a, b, [which]: event.target.value })}`, true)}>
		${items.map(({ version }) => html`<option value=${version} ?selected=${version === (which === 'a' ? a : b)}>${nameOf(version)}</option>`)}</select>`;
	const share = (/** @type {import('../api').VersionFigures | null} */ of) => (of && of.attempts ? of.failures / of.attempts : null);
	const pair = (/** @type {any} */ before, /** @type {any} */ after, /** @type {(value: any) => string} */ shown) => html`<td class="number">${before == null ? '–' : shown(before)}</td>
		<td class="number">${worse(before, after) ? html`<b class="state failed">${shown(after)} ▲</b>` : after == null ? '–' : shown(after)}</td>`;
	return html`${heading(text.pages.versions, { above: html`<a href="workers">${text.pages.workers}</a>`, note: t.note })}
		${items.length ? card(html`${table(columns, items)}${items.some(({ version }) => !version) ? html`<p class="quiet-line">${t.hint}</p>` : nothing}`) : empty('versions', t.none, t.hint)}
		${items.length > 1 ? section(t.compare, html`<p class="tool-row">${choose('a')} → ${choose('b')}</p>
			${types.length ? html`<div class="scroll"><table class="rows"><thead><tr><th scope="col" rowspan="2">${c.type}</th>
				${[t.attempts, t.failed, 'p50', 'p95'].map((name) => html`<th scope="colgroup" colspan="2" class="number">${name}</th>`)}</tr>
				<tr>${[1, 2, 3, 4].map(() => html`<th scope="col" class="number">${nameOf(a)}</th><th scope="col" class="number">${nameOf(b)}</th>`)}</tr></thead>
			<tbody>${types.map((type) => html`<tr><th scope="row">${typeLink(type.type)}</th><td class="number">${number(type.a?.attempts)}</td><td class="number">${number(type.b?.attempts)}</td>
				${pair(share(type.a), share(type.b), (value) => percent(value, 1))}${pair(type.a?.runP50Ms, type.b?.runP50Ms, duration)}${pair(type.a?.runP95Ms, type.b?.runP95Ms, duration)}</tr>`)}</tbody></table></div>`
			: html`<p class="quiet-line">${t.hint}</p>`}`) : nothing}`;
};
