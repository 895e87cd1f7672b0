/** The palette: goes to any page, queue, type, schedule, worker or job by its name, and searches jobs for a text. */

import { html, nothing, render } from '../vendor/lit-html.js';
import { api } from '../parts/api.js';
import { visible } from '../parts/blocks.js';
import { PLACES } from '../parts/keys.js';
import { encodeName } from '../parts/names.js';
import { preferences } from '../parts/preferences.js';
import { text } from '../texts/en.js';

const t = text.palette;
const MAX_ENTRIES = 12;
/** All pages, before anything is written. */
const MAX_AT_FIRST = 18;

/** @typedef {{ kind: keyof typeof t.kinds, name: string, does: () => void, key?: string }} Entry */

/** @param {import('../app.js').Context} context @param {any} app @returns {Entry[]} */
const fixed = ({ go, session }, app) => [
	...Object.entries(PLACES).filter(([, page]) => page !== 'activity' || session.features.operations).map(([key, page]) => /** @type {Entry} */ ({ kind: 'page', name: text.pages[/** @type {keyof typeof text.pages} */ (page || 'overview')], key: `g ${key}`, does: () => go(page || './') })),
	...preferences.views.map(({ name, href }) => /** @type {Entry} */ ({ kind: 'view', name, does: () => go(href) })),
	{ kind: 'action', name: app.live.frozen ? text.shell.unfreeze : text.shell.freeze, key: '.', does: app.freeze },
	{ kind: 'action', name: `${text.shell.theme}: ${Object.values(text.shell.themes).join(', ')}`, key: 't', does: app.nextTheme },
	{ kind: 'action', name: text.shell.zone, key: 'z', does: app.nextZone },
];

/** Names from the API; what cannot be read is left out. @param {import('../app.js').Context} context @returns {Promise<Entry[]>} */
const named = async ({ go }) => {
	const lists = [['queue', 'queues'], ['type', 'types'], ['schedule', 'schedules'], ['worker', 'workers']];
	const found = await Promise.allSettled(lists.map(([, path]) => api.get(path)));
	return found.flatMap((answer, i) => (answer.status === 'fulfilled' ? answer.value.items.map((/** @type {any} */ item) => ({
		kind: lists[i][0], name: item.name, does: () => go(`${lists[i][1]}/${item.id ?? encodeName(item.name)}`) })) : []));
};

/** Those whose name has the letters in this order; a whole word first. @param {Entry[]} entries @param {string} asked */
const matching = (entries, asked) => {
	const wanted = asked.trim().toLowerCase();
	const rank = (/** @type {string} */ name) => {
		const lower = name.toLowerCase();
		const at = lower.indexOf(wanted);
		if (at >= 0) {
			return at;
		}
		let from = 0;
		return [...wanted].every((letter) => (from = lower.indexOf(letter, from) + 1) > 0) ? 1_000 : -1;
	};
	return entries.map((entry) => ({ entry, rank: rank(entry.name) })).filter(({ rank }) => rank >= 0)
		.sort((a, b) => a.rank - b.rank).slice(0, wanted ? MAX_ENTRIES : MAX_AT_FIRST).map(({ entry }) => entry);
};

/** What was written as a name that no list has, and as a text. @param {import('../app.js').Context} context @param {string} name @returns {Entry[]} */
const written = ({ go, session }, name) => (name ? [
	{ kind: 'queue', name: t.named(name), does: () => go(`queues/${encodeName(name)}`) },
	{ kind: 'type', name: t.named(name), does: () => go(`types/${encodeName(name)}`) },
	...(session.features.filters.includes('q') && session.levels.includes('payloads') ? [/** @type {Entry} */ ({ kind: 'job', name: t.withText(name), does: () => go(`jobs?${new URLSearchParams({ q: name })}`) })] : []),
] : []);

/** @param {import('../app.js').Context} context @param {any} app */
export const openPalette = (context, app) => {
	if (document.querySelector('dialog.palette')) {
		return;
	}
	const dialog = Object.assign(document.createElement('dialog'), { className: 'palette' });
	dialog.setAttribute('aria-label', t.title);
	let entries = fixed(context, app);
	let asked = '';
	let current = 0;

	const shown = () => {
		const id = /^\s*#?(\d+)\s*$/.exec(asked)?.[1];
		return [...(id ? [/** @type {Entry} */ ({ kind: 'job', name: t.job(id), does: () => context.go(`jobs/${id}`) })] : []), ...matching(entries, asked), ...(id ? [] : written(context, asked.trim()))];
	};
	const choose = (/** @type {Entry | undefined} */ entry) => {
		if (entry) {
			dialog.close();
			entry.does();
		}
	};
	const key = (/** @type {KeyboardEvent} */ event) => {
		const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (by) {
			event.preventDefault();
			const n = Math.max(1, shown().length);
			current = (current + by + n) % n;
			draw();
		}
		else if (event.key === 'Enter') {
			event.preventDefault();
			choose(shown()[current]);
		}
	};
	const draw = () => {
		const list = shown();
		render(html`<input type="text" role="combobox" aria-expanded="true" aria-controls="found" aria-label=${t.hint} placeholder=${t.hint} autocomplete="off" spellcheck="false"
				aria-activedescendant=${list.length ? `found-${current}` : nothing} @keydown=${key} @input=${(/** @type {any} */ event) => { asked = event.target.value; current = 0; draw(); }}>
			<ul id="found" role="listbox" aria-label=${t.title}>${list.map((entry, i) => html`<li id="found-${i}" role="option" aria-selected=${i === current} @click=${() => choose(entry)}>
				<span>${visible(entry.name)}</span><i>${t.kinds[entry.kind]}</i>${entry.key ? html`<kbd>${entry.key}</kbd>` : nothing}</li>`)}</ul>
			${list.length ? nothing : html`<p class="note" role="status">${t.none}</p>`}`, dialog);
	};
	dialog.addEventListener('close', () => dialog.remove());
	dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
	document.body.append(dialog);
	draw();
	dialog.showModal();
	named(context).then((found) => { entries = [...entries, ...found]; draw(); });
};
