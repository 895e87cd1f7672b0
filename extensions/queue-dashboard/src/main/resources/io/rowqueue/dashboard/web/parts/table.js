/** Tables: on narrow screens those of the kind `fold` become blocks, and `walk` lets the keys j and k go through the rows. */

import { html } from '../vendor/lit-html.js';

/** The name of a column, the class of its cells, and whether the name is for screen readers only. @typedef {string | [name: string, kind?: string, unseen?: boolean]} Column */

/** @param {Column} column one in brackets has numbers */
const head = (column) => {
	const [name, kind = 'number', unseen = false] = typeof column === 'string' ? [column, ''] : column;
	return html`<th scope="col" class=${kind}>${unseen ? html`<span class="sr">${name}</span>` : name}</th>`;
};

/** @param {Column[]} columns @param {unknown} rows @param {string} [kind] */
export const table = (columns, rows, kind = 'fold') => html`<div class="scroll"><table class="rows ${kind}"><thead><tr>${columns.map(head)}</tr></thead>
	<tbody>${rows}</tbody></table></div>`;
