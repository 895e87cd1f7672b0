/** Keys: `g` and a letter for a page, single letters for the rest; none of them while something is written. And where the focus goes when nobody has moved it. */

import { text } from '../texts/en.js';

/** `g` and this letter. @type {Record<string, string>} */
export const PLACES = { o: '', j: 'jobs', q: 'queues', t: 'types', s: 'schedules', f: 'flows', b: 'batches', m: 'limits', w: 'workers', h: 'health', a: 'activity', l: 'lanes', e: 'errors', k: 'calendar', v: 'versions' };

export const focusTitle = () => document.getElementById('title')?.focus({ preventScroll: true });

/** What had the focus may be gone when something was drawn: then the row in its place has it, or the heading. @param {() => unknown} draw */
export const keepFocus = (draw) => {
	const focused = document.activeElement;
	const row = focused?.closest('tbody tr');
	const rows = row?.parentElement?.children ?? [];
	const at = [...rows].indexOf(/** @type {Element} */ (row));
	draw();
	if (focused && !focused.isConnected) {
		const next = rows[Math.min(at, rows.length - 1)];
		const within = /** @type {HTMLElement | null} */ (next?.isConnected ? next.querySelector('a, button') : null);
		within ? within.focus({ preventScroll: true }) : focusTitle();
	}
};

/** What was done last can be undone for some seconds only. */
const undo = () => /** @type {HTMLElement | null} */ (document.querySelector('.toast:last-child .undo'))?.click();

/** @param {EventTarget | null} target */
const writes = (target) => target instanceof HTMLElement && (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'));

/** Moves the focus among the rows of the page's first list. @param {number} by */
const moveRow = (by) => {
	const rows = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('main table.rows.walk tbody tr')]);
	const at = rows.findIndex((row) => row.contains(document.activeElement));
	const row = rows[Math.max(0, Math.min(rows.length - 1, at + by))];
	/** @type {HTMLElement | null} */ (row?.querySelector('th a, td a'))?.focus();
	row?.scrollIntoView({ block: 'nearest' });
};

const selectRow = () => /** @type {HTMLElement | null} */ (document.activeElement?.closest('tr')?.querySelector('input[type=checkbox]'))?.click();

/**
 * @param {{ go: (href: string) => void, palette: () => void, help: () => void, freeze: () => void, theme: () => void, zone: () => void,
 *   page: () => Record<string, () => void> }} does
 */
export const listen = (does) => {
	let going = 0;
	document.addEventListener('keydown', (event) => {
		if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
			event.preventDefault();
			does.palette();
			return;
		}
		if (event.ctrlKey || event.metaKey || event.altKey || writes(event.target) || document.querySelector('dialog[open]')) {
			return;
		}
		/** @type {Record<string, () => void>} */
		const common = { '?': does.help, '.': does.freeze, t: does.theme, z: does.zone, j: () => moveRow(1), k: () => moveRow(-1), x: selectRow, u: undo };
		const place = Date.now() - going < 1_200 ? PLACES[event.key] : undefined;
		going = 0;
		const action = place === undefined ? does.page()[event.key] ?? common[event.key] : () => does.go(place || './');
		if (event.key === 'g' && place === undefined) {
			going = Date.now();
		}
		else if (action) {
			event.preventDefault();
			action();
		}
	});
};

const { keys, groups } = text.help;

/** For the help: groups of keys and what they do. */
export const HELP = [
	{ name: groups.page, keys: [['Ctrl K', keys.palette], ['?', keys.help], ['.', keys.freeze], ['t', keys.theme], ['z', keys.zone], ['u', keys.undo]] },
	{ name: groups.go, keys: Object.entries(PLACES).map(([key, page]) => [`g ${key}`, text.pages[/** @type {keyof typeof text.pages} */ (page || 'overview')]]) },
	{ name: groups.list, keys: [['/', keys.filter], ['j', keys.down], ['k', keys.up], ['x', keys.select], ['Enter', keys.open], ['Esc', keys.clear]] },
	{ name: groups.job, keys: [['r', keys.retry], ['c', keys.cancel], ['y', keys.copy]] },
];
