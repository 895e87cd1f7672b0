/** Tables, made from their columns. A list is searched by name, sorted by a click on a column, and shown a page at a time. */

import { html, nothing } from '../vendor/lit-html.js';
import { repeat } from '../vendor/directives/repeat.js';
import { complain } from './actions.js';
import { number } from './format.js';
import { icon } from './icons.js';
import { text } from '../texts/en.js';

const t = text.page;

/**
 * A column.
 * @template T
 * @typedef {object} Column
 * @property {any} name a text, or what stands in its place
 * @property {(item: T) => unknown} cell
 * @property {string} [kind] the class of its cells, such as `number`, `tight`, `whole` or `actions`
 * @property {boolean} [row] whether its cells name their rows
 * @property {boolean} [unseen] whether its name is for screen readers only
 * @property {boolean} [labelled] whether cells have its name beside them where rows are blocks; numbers always have
 * @property {(item: T) => string | number | null | undefined} [by] what the list is sorted by
 */

/** Lists that are longer can be searched by name. */
const SHORT = 9;

const FIRST = 50;

const MORE = 200;

/** The first click shows the largest numbers, or the first names; the third one the order of before. @typedef {{ name: string, down: boolean }} Sort */

/** @template T @param {Column<T>[]} columns @param {T[]} items @param {Sort | undefined} sort */
const sorted = (columns, items, sort) => {
	const by = columns.find(({ name }) => name === sort?.name)?.by;
	if (!by || !sort) {
		return items;
	}
	const sign = sort.down ? -1 : 1;
	const keys = new Map(items.map((item) => [item, by(item)]));
	return [...items].sort((one, other) => {
		const [a, b] = [keys.get(one), keys.get(other)];
		if (a == null || b == null) {
			return Number(a == null) - Number(b == null);
		}
		return sign * (typeof a === 'string' ? a.localeCompare(String(b), undefined, { numeric: true }) : a - Number(b));
	});
};

/** @template T @param {Column<T>} column @param {Sort | undefined} sort @param {((sort: Sort | undefined) => void) | null} choose */
const head = ({ name, kind = '', unseen, by }, sort, choose) => {
	const current = sort?.name === name ? sort : null;
	const first = kind.includes('number') || kind.includes('barred');
	const next = () => choose?.(!current ? { name, down: first } : current.down === first ? { name, down: !first } : undefined);
	return html`<th scope="col" class=${kind} aria-sort=${current ? (current.down ? 'descending' : 'ascending') : nothing}>${unseen ? html`<span class="sr">${name}</span>`
		: by && choose ? html`<button type="button" class="sort" @click=${next}>${name}${icon(current ? (current.down ? 'down' : 'up') : 'sort')}</button>` : name}</th>`;
};

/** @template T @param {Column<T>} column @param {T} item */
const cell = ({ name, cell, kind = '', row, labelled }, item) => {
	const content = cell(item) ?? nothing;
	const label = content !== nothing && (labelled ?? kind.includes('number')) ? name : nothing;
	return row ? html`<th scope="row" class=${kind}>${content}</th>` : html`<td class=${kind} data-label=${label}>${content}</td>`;
};

/**
 * A table as it is: on narrow screens those of the kind `fold` become blocks, and `walk` lets the keys j and k go through the rows.
 * @template T
 * @param {Column<T>[]} columns @param {T[]} items
 * @param {{ kind?: string, key?: (item: T) => unknown, after?: unknown, sort?: Sort, choose?: ((sort: Sort | undefined) => void) | null }} [how]
 */
export const table = (columns, items, { kind = 'fold walk', key, after = nothing, sort, choose = null } = {}) => {
	const row = (/** @type {T} */ item) => html`<tr>${columns.map((column) => cell(column, item))}</tr>`;
	return html`<div class="scroll"><table class="rows ${kind}"><thead><tr>${columns.map((column) => head(column, sort, choose))}</tr></thead>
		<tbody>${key ? repeat(items, key, row) : items.map(row)}${after}</tbody></table></div>`;
};

/**
 * A list of things with names.
 * @template T
 * @param {import('../app.js').Context} context @param {Column<T>[]} columns @param {T[]} items
 * @param {{ name: (item: T) => string, id?: string, key?: (item: T) => unknown, kind?: string, after?: unknown, above?: unknown, whole?: boolean, first?: number }} how
 *   `id` tells the lists of a page apart; `first`: how many are shown at first; `whole`: false if the server has more of them, which can neither be searched nor sorted here
 */
export const list = (context, columns, items, { name, id = 'list', key, kind, after, above = nothing, whole = true, first = FIRST }) => {
	/** @type {{ asked?: string, sort?: Sort, shown?: number }} */
	const state = context.local[id] ?? {};
	const set = (/** @type {object} */ changes) => context.set({ [id]: { ...state, ...changes } });
	const asked = (state.asked ?? '').trim().toLowerCase();
	const found = asked ? items.filter((item) => name(item).toLowerCase().includes(asked)) : items;
	const shown = sorted(columns, found, state.sort).slice(0, state.shown ?? first);
	const field = whole && items.length > SHORT || asked ? html`<span class="box">${icon('search')}<input type="search" name="by-name" aria-label=${t.byName} placeholder=${t.byName} autocomplete="off" spellcheck="false"
		@input=${(/** @type {any} */ event) => set({ asked: event.target.value, shown: FIRST })}></span>${asked ? html`<span class="note" role="status">${t.found(found.length, items.length)}</span>` : nothing}` : nothing;
	return html`${field === nothing && above === nothing ? nothing : html`<div class="tool-row">${field}${above}</div>`}
		${asked && !found.length ? html`<p class="quiet-line">${t.noName}</p>` : table(columns, shown, { kind, key, after, sort: state.sort, choose: whole && items.length > 1 ? (sort) => set({ sort }) : null })}
		${found.length > shown.length ? html`<p class="under-list"><button type="button" @click=${() => set({ shown: shown.length + MORE })}>${t.more}</button><span>${t.found(shown.length, found.length)}</span></p>` : nothing}`;
};

/** @typedef {{ items: any[], page: import('../api').PageInfo }} Part */

/**
 * What the server gives a page at a time: what is there so far, whether that is all, and the button for more.
 * @param {import('../app.js').Context} context @param {Part} first @param {(cursor: string) => Promise<Part>} read
 */
export const paged = ({ local, set }, first, read) => {
	/** @type {Part[]} */
	const pages = [first, ...(local.more ?? [])];
	const items = pages.flatMap((page) => page.items);
	const { next } = pages[pages.length - 1].page;
	const more = async () => set({ more: [...(local.more ?? []), await read(/** @type {string} */ (next))] });
	return { items, whole: !next, more: next ? html`<p class="under-list"><button type="button" @click=${() => more().catch(complain)}>${items.length ? t.more : text.jobs.go}</button></p>` : nothing };
};

/** Further pages stay as they are. @param {import('../app.js').Context} context */
export const holdsPages = ({ local }) => Boolean(local.more?.length);

/**
 * A table whose order its reader may choose, if it is whole.
 * @template T
 * @param {import('../app.js').Context} context @param {Column<T>[]} columns @param {T[]} items @param {{ key: (item: T) => unknown, whole: boolean }} how
 */
export const sortable = ({ local, set }, columns, items, { key, whole }) => table(columns, whole ? sorted(columns, items, local.sort) : items, { key, sort: whole ? local.sort : undefined, choose: whole && items.length > 1 ? (sort) => set({ sort }) : null });

/** A column of numbers. @template T @param {string} name @param {(item: T) => unknown} cell @param {(item: T) => number | null | undefined} [by] @param {Partial<Column<T>>} [more] @returns {Column<T>} */
export const numbers = (name, cell, by, more = {}) => ({ name, cell, kind: 'number', by, ...more });

/** Buttons at the end of a row. @template T @param {(item: T) => unknown} cell @returns {Column<T>} */
export const buttons = (cell) => ({ name: text.columns.actions, cell, kind: 'actions', unseen: true });
