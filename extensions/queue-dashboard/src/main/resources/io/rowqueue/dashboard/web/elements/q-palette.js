/** The palette: goes to anything by its name, does what this page, a queue, a type, a recurring job or a worker can do, and searches jobs for a text. */

import { html, nothing, render } from '../vendor/lit-html.js';
import { onClaims, onLimit, onSchedule, onWorker } from '../parts/actions.js';
import { api } from '../parts/api.js';
import { visible } from '../parts/blocks.js';
import { icon } from '../parts/icons.js';
import { enqueueNew } from '../parts/jobactions.js';
import { PLACES } from '../parts/keys.js';
import { encodeName } from '../parts/names.js';
import { prefer, preferences } from '../parts/preferences.js';
import { text } from '../texts/en.js';

const t = text.palette;
const MAX_ENTRIES = 14;
/** All pages, before anything is written. */
const MAX_AT_FIRST = 26;
const LISTS_MS = 5_000;
const RECENT = 'rowqueue-recent';

/** @type {Record<keyof typeof t.kinds, Parameters<typeof icon>[0]>} */
const ICONS = { page: 'next', queue: 'queues', type: 'types', schedule: 'schedules', worker: 'workers', job: 'jobs', view: 'search', action: 'play', flow: 'flows', batch: 'batches', error: 'errors' };

/** `of`: the kind of thing that an action changes. @typedef {{ kind: keyof typeof t.kinds, name: string, does: () => unknown, key?: string, of?: string }} Entry */

/** What was chosen lately in this tab, the latest first. @returns {string[]} */
const recents = () => JSON.parse(sessionStorage.getItem(RECENT) ?? '[]');

/** @param {Entry} entry */
const remember = ({ kind, name }) => sessionStorage.setItem(RECENT, JSON.stringify([`${kind} ${name}`, ...recents().filter((each) => each !== `${kind} ${name}`)].slice(0, 8)));

/** @param {import('../app.js').Context} context @param {any} app @returns {Entry[]} */
const fixed = ({ go }, app) => [
	...Object.entries(PLACES).map(([key, page]) => /** @type {Entry} */ ({ kind: 'page', name: text.pages[/** @type {keyof typeof text.pages} */ (page || 'overview')], key: `g ${key}`, does: () => go(page || './') })),
	...preferences.views.map(({ name, href }) => /** @type {Entry} */ ({ kind: 'view', name, does: () => go(href) })),
	{ kind: 'action', name: app.live.frozen ? text.shell.unfreeze : text.shell.freeze, key: '.', does: app.freeze },
	.../** @type {(keyof typeof text.shell.themes)[]} */ (Object.keys(text.shell.themes)).map((theme) => /** @type {Entry} */ ({ kind: 'action', name: `${text.shell.theme}: ${text.shell.themes[theme]}`, does: () => prefer({ theme }) })),
	.../** @type {(keyof typeof text.shell.zones)[]} */ (Object.keys(text.shell.zones)).map((zone) => /** @type {Entry} */ ({ kind: 'action', name: `${text.shell.zone}: ${text.shell.zones[zone]}`, does: () => prefer({ zone }) })),
	{ kind: 'action', name: text.shell.help, key: '?', does: app.help },
];

/** What this page can do: its buttons for all of it and for what is selected, with their own words. @returns {Entry[]} */
const ofPage = () => /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll('main :is(.heading .actions, .selection, .under-list) button:not(.copies *, :disabled)')])
	.map((button) => ({ kind: 'action', name: t.here((button.getAttribute('aria-label') ?? button.textContent ?? '').trim()), does: () => button.click() }));

/** What can be done with a thing of a list, beside opening it. @param {import('../app.js').Context} context @param {string} kind @param {any} item @returns {Entry[]} */
const deeds = (context, kind, item) => {
	const { may } = context;
	const entry = (/** @type {string} */ verb, /** @type {() => unknown} */ does) => /** @type {Entry} */ ({ kind: 'action', name: `${verb} ${item.name}`, of: kind, does });
	if (!may('operate')) {
		return [];
	}
	if (kind === 'queue' || kind === 'type') {
		const actions = onClaims(context, kind, item.name);
		return [
			...(item.pause?.window || (item.pause && item.pause.name !== item.name) ? [] : [item.pause ? entry(text.actions.resume, () => actions.resume(item.pause)) : entry(text.actions.pause, actions.pause)]),
			...(item.jobs?.failed ? [entry(text.queue.retryAll, () => actions.retry(item.jobs.failed))] : []),
			...(may('admin') ? [entry(text.actions.limit, () => onLimit(context, kind, item.name, item.limit?.text).set())] : []),
			...(may('admin') && kind === 'type' ? [entry(text.actions.enqueue, () => enqueueNew(context, item.name))] : []),
		];
	}
	if (kind === 'schedule') {
		const actions = onSchedule(context, item);
		return [entry(text.actions.trigger, actions.trigger), item.state === 'paused' ? entry(text.actions.resume, actions.resume) : entry(text.actions.pause, actions.pause)];
	}
	return kind === 'worker' && item.state !== 'dead' ? [entry(item.state === 'quiet' ? text.worker.resume : text.worker.quiet, () => onWorker(context, item.id, item.state === 'quiet' ? 'resume' : 'quiet'))] : [];
};

/** @type {[Entry['kind'], string, (item: any) => string][]} */
const LISTS = [['queue', 'queues', ({ name }) => name], ['type', 'types', ({ name }) => name], ['schedule', 'schedules', ({ name }) => name], ['worker', 'workers', ({ name }) => name],
	['flow', 'flows', ({ name, id }) => `${name} ${id}`], ['batch', 'batches', ({ name, id }) => `${name} ${id}`], ['error', 'errors', ({ exception, type }) => `${exception.split('.').at(-1)} · ${type}`]];

/** What the lists of the API have, and what can be done with it; what cannot be read is left out. @param {import('../app.js').Context} context @returns {Promise<Entry[]>} */
const named = async (context) => {
	const found = await Promise.allSettled(LISTS.map(([, path]) => api.lately(path, LISTS_MS)));
	return found.flatMap((answer, i) => {
		const [kind, path, nameOf] = LISTS[i];
		return answer.status !== 'fulfilled' ? [] : answer.value.items.flatMap((/** @type {any} */ item) => [
			/** @type {Entry} */ ({ kind, name: nameOf(item), does: () => context.go(`${path}/${item.id ?? encodeName(item.name)}`) }), ...deeds(context, kind, item)]);
	});
};

/** Kinds in the order in which those that match alike are shown. @type {string[]} */
const ORDER = ['page', 'view', 'queue', 'type', 'action', 'schedule', 'error', 'flow', 'batch', 'worker', 'job'];

/**
 * How well a name matches what was written; null: it does not. Each word has to be there: a name that begins with one goes first, then a
 * word that does.
 * @param {string} name @param {string[]} wanted
 */
const rank = (name, wanted) => {
	const lower = name.toLowerCase();
	let sum = 0;
	for (const word of wanted) {
		const at = lower.indexOf(word);
		if (at < 0) {
			return null;
		}
		sum += at === 0 ? 0 : /[a-z0-9]/.test(lower[at - 1]) ? 3 : 1;
	}
	return sum + lower.length / 1_000;
};

/** @param {Entry[]} entries @param {string} asked */
const matching = (entries, asked) => {
	const wanted = asked.trim().toLowerCase().split(/\s+/).filter(Boolean);
	if (!wanted.length) {
		const recent = recents();
		return [...entries.filter(({ name, kind }) => recent.includes(`${kind} ${name}`)).slice(0, 4), ...entries.filter(({ kind, of, name }) => !of && ['page', 'view', 'action'].includes(kind) && !recent.includes(`${kind} ${name}`))].slice(0, MAX_AT_FIRST);
	}
	return entries.map((entry) => ({ entry, rank: rank(entry.name, wanted) })).filter(({ rank }) => rank !== null)
		.sort((a, b) => /** @type {number} */ (a.rank) - /** @type {number} */ (b.rank) || ORDER.indexOf(a.entry.kind) - ORDER.indexOf(b.entry.kind)).slice(0, MAX_ENTRIES).map(({ entry }) => entry);
};

/** What was written as a name that no list has, and as a text. @param {import('../app.js').Context} context @param {string} name @returns {Entry[]} */
const written = ({ go, session }, name) => (name ? [
	{ kind: 'queue', name: t.named(name), does: () => go(`queues/${encodeName(name)}`) },
	{ kind: 'type', name: t.named(name), does: () => go(`types/${encodeName(name)}`) },
	...(session.levels.includes('payloads') ? [/** @type {Entry} */ ({ kind: 'job', name: t.withText(name), does: () => go(`jobs?${new URLSearchParams({ q: name })}`) })] : []),
] : []);

/** @param {import('../app.js').Context} context @param {any} app */
export const openPalette = (context, app) => {
	if (document.querySelector('dialog.palette')) {
		return;
	}
	const dialog = Object.assign(document.createElement('dialog'), { className: 'palette' });
	dialog.setAttribute('aria-label', t.title);
	let entries = [...ofPage(), ...fixed(context, app)];
	let asked = '';
	let current = 0;

	const shown = () => {
		const id = /^\s*#?(\d+)\s*$/.exec(asked)?.[1];
		return [...(id ? [/** @type {Entry} */ ({ kind: 'job', name: t.job(id), does: () => context.go(`jobs/${id}`) })] : []), ...matching(entries, asked), ...(id ? [] : written(context, asked.trim()))];
	};
	const choose = (/** @type {Entry | undefined} */ entry) => {
		if (entry) {
			dialog.close();
			remember(entry);
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
		requestAnimationFrame(() => document.getElementById(`found-${current}`)?.scrollIntoView({ block: 'nearest' }));
		render(html`<input type="text" role="combobox" aria-expanded="true" aria-controls="found" aria-label=${t.hint} placeholder=${t.hint} autocomplete="off" spellcheck="false"
				aria-activedescendant=${list.length ? `found-${current}` : nothing} @keydown=${key} @input=${(/** @type {any} */ event) => { asked = event.target.value; current = 0; draw(); }}>
			<ul id="found" role="listbox" aria-label=${t.title}>${list.map((entry, i) => html`<li id="found-${i}" role="option" aria-selected=${i === current} @click=${() => choose(entry)}>
				${icon(ICONS[entry.kind])}<span>${visible(entry.name)}</span><i>${entry.of ? t.kinds[/** @type {keyof typeof t.kinds} */ (entry.of)] : t.kinds[entry.kind]}</i>${entry.key ? html`<kbd>${entry.key}</kbd>` : nothing}</li>`)}</ul>
			${list.length ? nothing : html`<p class="note" role="status">${t.none}</p>`}`, dialog);
	};
	dialog.addEventListener('close', () => dialog.remove());
	dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
	document.body.append(dialog);
	draw();
	dialog.showModal();
	named(context).then((found) => { entries = [...entries, ...found]; draw(); });
};
