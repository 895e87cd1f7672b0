/** Tables: on narrow screens those of the kind `fold` become blocks, and `walk` lets the keys j and k go through the rows. */

import { html, nothing } from '../vendor/lit-html.js';
import { text } from '../texts/en.js';

/** The name of a column, the class of its cells, and whether the name is for screen readers only. @typedef {string | [name: string, kind?: string, unseen?: boolean]} Column */

/** @param {Column} column one in brackets has numbers */
const head = (column) => {
	const [name, kind = 'number', unseen = false] = typeof column === 'string' ? [column, ''] : column;
	return html`<th scope="col" class=${kind}>${unseen ? html`<span class="sr">${name}</span>` : name}</th>`;
};

/** @param {Column[]} columns @param {unknown} rows @param {string} [kind] */
export const table = (columns, rows, kind = 'fold') => html`<div class="scroll"><table class="rows ${kind}"><thead><tr>${columns.map(head)}</tr></thead>
	<tbody>${rows}</tbody></table></div>`;

/** Lists that are longer can be searched by name. */
const SHORT = 9;

/**
 * Those of a list whose names contain what was written, and the field in which it is written.
 * @template {{ name: string }} T @param {import('../app.js').Context} context @param {T[]} items
 * @returns {{ field: unknown, found: T[] }}
 */
export const byName = (context, items) => {
	const asked = String(context.local.name ?? '').trim().toLowerCase();
	const found = asked ? items.filter(({ name }) => name.toLowerCase().includes(asked)) : items;
	return { found, field: items.length > SHORT ? html`<p class="tool-row"><input type="search" name="by-name" aria-label=${text.page.byName} placeholder=${text.page.byName} autocomplete="off" spellcheck="false"
		@input=${(/** @type {any} */ event) => context.set({ name: event.target.value })}>${asked ? html`<span class="note" role="status">${text.page.found(found.length, items.length)}</span>` : nothing}</p>` : nothing };
};
