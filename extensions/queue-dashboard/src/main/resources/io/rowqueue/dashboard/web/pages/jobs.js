/** The explorer of jobs: tabs by state, a filter that is the URL, keyset pages, a selection. */

import { html, nothing } from '../vendor/lit-html.js';
import { api, ApiProblem } from '../parts/api.js';
import { enqueueNew, onAllMatching, onSelection } from '../parts/jobactions.js';
import { card, clock, empty, heading, visible } from '../parts/blocks.js';
import { ask } from '../parts/dialog.js';
import { address, parse, shown, statesOf, tabOf, TABS, UNFINISHED, words } from '../parts/filter.js';
import { endedChart, loadFigures } from '../parts/figures.js';
import { count, sum } from '../parts/format.js';
import { glyph, icon } from '../parts/icons.js';
import { jobTable } from '../parts/jobtable.js';
import { MEASURED_MS } from '../parts/live.js';
import { prefer, preferences } from '../parts/preferences.js';
import { text } from '../texts/en.js';

const t = text.jobs;
const SIZE = 50;

/** How often the jobs of a filter are counted. */
const SUMMARY_MS = 30_000;

/** @typedef {{ list: import('../api').JobPage & { refusal?: string }, counts: { [state: string]: import('../api').Count | undefined }, times: import('../api').JobTimes | null, figures: import('../api').Figures | null }} Data */
/** @typedef {import('../app.js').Context} Context */

/** @param {Context} context */
export const title = ({ query }) => `${t.tabs[/** @type {keyof typeof t.tabs} */ (tabOf(query))]} · ${text.pages.jobs}`;

/** What is asked of the API: all words of the address, also one without a value, which the server refuses. @param {Context} context @param {Record<string, string | number>} [more] @param {string[]} [states] */
const asked = ({ query }, more = {}, states = statesOf(query)) => String(new URLSearchParams([...states.map((state) => ['state', state]), ...words(query),
	...Object.entries(more).map(([name, value]) => [name, String(value)])]));

/** Words to which no index leads: the server bounds how many of these searches there are in a minute. */
const SEARCHED = ['q', 'payload', 'error', '-error'];

/** @param {URLSearchParams} query */
const searches = (query) => words(query).some(([name]) => SEARCHED.includes(name));

/** @param {Context} context @param {string} [cursor] @returns {Promise<import('../api').JobPage>} */
const page = (context, cursor) => api.get(`jobs?${asked(context, { limit: SIZE, ...(cursor ? { cursor } : {}) })}`, context.signal);

/** A filter that the server refuses is shown where the jobs would be, so that it can be changed; jobs that are shown stay. @param {unknown} error @param {boolean} shown */
const refused = (error, shown) => {
	if (error instanceof ApiProblem && (['invalid-request', 'not-allowed'].includes(error.code) || error.code === 'busy' && !shown)) {
		return { at: '', items: [], page: { next: null }, searched: null, refusal: error.message };
	}
	throw error;
};

/** @param {Context} context @returns {Promise<Data>} */
export const load = async (context) => {
	const { local } = context;
	// the server counts searches: one is repeated after something was changed, or when its reader asks for it
	const found = searches(context.query) && local.changes === api.changes() ? local.found : null;
	const read = found ?? page(context).then((list) => {
		Object.assign(local, { shown: true, found: list, changes: api.changes() });
		return list;
	}).catch((error) => refused(error, local.shown));
	const [list, summary, figures] = await Promise.all([read, summaryOf(context), withFigures(context.query) ? loadFigures(context, ofOne(context.query)).catch(() => null) : null]);
	return { list, counts: summary?.counts ?? {}, times: summary?.times ?? null, figures };
};

/** What of a filter figures are kept of: of all jobs, of a queue or of a type. @param {URLSearchParams} query @returns {{ queue?: string, type?: string }} */
const ofOne = (query) => Object.fromEntries(words(query));

/** @param {URLSearchParams} query */
const withFigures = (query) => {
	const names = Object.keys(ofOne(query));
	return ['all', 'ended'].includes(tabOf(query)) && words(query).length <= 1 && (!names.length || ['queue', 'type'].includes(names[0]));
};

/**
 * How many jobs the filter has by state, and when. Counting is bounded, and nobody counts without need: measured numbers are those of all jobs.
 * A list is shown also without its summary. @param {Context} context @returns {Promise<{ counts: Data['counts'], times: import('../api').JobTimes | null } | null>}
 */
const summaryOf = async (context) => {
	const { local, query, signal } = context;
	if (searches(query) && local.summarized === api.changes()) {
		return local.summary;
	}
	local.summarized = api.changes();
	const read = api.lately(`jobs/summary?${asked(context)}`, SUMMARY_MS, signal);
	const [summary, overview] = await Promise.all([read.catch(() => null), words(query).length ? null : api.lately('overview', MEASURED_MS, signal).catch(() => null)]);
	local.summary = summary && { counts: { ...summary.counts, ...overview?.jobs }, times: summary.times };
	return local.summary ?? (overview && { counts: overview.jobs, times: null });
};

/** The rows stay as they are while some are selected, or more than one page is shown. @param {Context} context */
export const holds = ({ local }) => Boolean(local.selected?.size || local.matching || local.more?.length || local.writes);

/** @param {Context} context @param {Data} data */
const all = ({ local }, { list }) => {
	/** @type {import('../api').JobPage[]} */
	const pages = [list, ...(local.more ?? [])];
	const seen = new Set();
	const items = pages.flatMap(({ items }) => items).filter(({ id }) => !seen.has(id) && seen.add(id));
	if (items.every(({ endedAt }) => endedAt)) {
		items.sort((one, other) => Date.parse(String(other.endedAt)) - Date.parse(String(one.endedAt)));
	}
	return { items, last: pages[pages.length - 1] };
};

/** @param {Context} context @param {Data} data */
const more = async (context, data) => {
	const { last } = all(context, data);
	context.set({ reading: true });
	try {
		const next = await page(context, /** @type {string} */ (last.page.next));
		context.set({ more: [...(context.local.more ?? []), next], reading: false, wrong: '' });
	}
	catch (error) {
		context.set({ reading: false, wrong: /** @type {Error} */ (error).message });
	}
};

/** @param {Context} context @param {Data['counts']} counts */
const tabs = ({ query }, counts) => {
	const current = tabOf(query);
	const number = (/** @type {string} */ tab) => {
		const counted = sum(TABS[tab].map((state) => counts[state]));
		return counted?.value ? count(counted) : '';
	};
	const mark = (/** @type {string} */ tab) => (tab === 'all' ? nothing : glyph(/** @type {any} */ (tab === 'ended' ? 'succeeded' : tab)));
	return html`<nav class="tabs" aria-label=${text.columns.state}>${Object.keys(TABS).map((tab) => html`<a href=${address(tab, words(query))} aria-current=${tab === current ? 'page' : nothing}>
		${mark(tab)}${t.tabs[/** @type {keyof typeof t.tabs} */ (tab)]} <span class="count">${number(tab)}</span></a>`)}</nav>`;
};

/** Names that are read once, when the filter is used. @param {Context} context */
const suggest = async (context) => {
	if (!context.local.names) {
		context.set({ names: [] });
		const [queues, types, errors] = await Promise.all(['queues', 'types', 'errors'].map((path) => api.get(path).catch(() => ({ items: [] }))));
		const quoted = (/** @type {string} */ name) => (/\s/.test(name) ? `"${name}"` : name);
		context.set({ names: [...queues.items.map((/** @type {any} */ { name }) => [`queue:${quoted(name)}`]), ...types.items.map((/** @type {any} */ { name }) => [`type:${quoted(name)}`]),
			...errors.items.map((/** @type {any} */ { id, type, exception }) => [`error:${id}`, `${type} ${exception}`])] });
	}
};

/** What can be written, and what it means if that is not plain. @param {Context} context @returns {string[][]} */
const suggestions = ({ local, session }) => [...(local.names ?? []), ...session.filters.map((word) => [`${word}:`])];

/** @param {Context} context */
const filter = (context) => {
	const known = /** @type {string[]} */ (context.session.filters).filter((word) => word !== 'state');
	const chosen = words(context.query);
	const tab = tabOf(context.query);
	const apply = (/** @type {SubmitEvent} */ event) => {
		event.preventDefault();
		const input = /** @type {HTMLInputElement} */ (/** @type {HTMLFormElement} */ (event.target).elements.namedItem('filter'));
		const { words: added, unknown } = parse(input.value, known);
		if (unknown) {
			context.set({ wrong: t.unknownWord(unknown, known.join(', ')) });
			return;
		}
		input.value = '';
		const onlyId = added.length === 1 && added[0][0] === 'id';
		context.go(onlyId ? `jobs/${added[0][1]}` : address(tab, [...chosen, ...added]));
	};
	const without = (/** @type {number} */ i) => context.go(address(tab, chosen.filter((_, k) => k !== i)));
	const here = address(tab, chosen);
	const saved = preferences.views.find(({ href }) => href === here);
	const save = async () => {
		const given = await ask({ title: t.saveView, button: t.saveView, fields: [{ name: 'name', label: t.viewName }] });
		given?.name && prefer({ views: [...preferences.views.filter(({ name }) => name !== given.name), { name: given.name, href: here }] });
	};
	const remove = () => prefer({ views: preferences.views.filter(({ name, href }) => name !== saved?.name || href !== here) });
	return html`<form class="filter" role="search" @submit=${apply}>
		${chosen.map(([name, value], i) => html`<span class="chip"><span>${visible(shown(name, value))}</span><button type="button" class="quiet" aria-label=${t.remove(`${name}: ${value}`)} @click=${() => without(i)}>${icon('close')}</button></span>`)}
		<datalist id="words">${suggestions(context).map(([word, meaning]) => html`<option value=${word}>${meaning}</option>`)}</datalist>
		<span class="box">${icon('search')}<input name="filter" id="filter" list="words" @focus=${() => suggest(context)} aria-label=${t.filter} placeholder=${t.filterHint} autocomplete="off" spellcheck="false" aria-describedby="filter-wrong"></span>
		${saved ? html`<button type="button" class="quiet" @click=${remove}>${t.removeView(visible(saved.name))}</button>`
			: chosen.length ? html`<button type="button" class="quiet" @click=${save}>${t.saveView}</button>` : nothing}
		<span class="wrong" id="filter-wrong" role="status">${context.local.wrong ?? ''}</span></form>`;
};

/** When the jobs of the list were due, began or ended; of all jobs, a queue or a type also how many ended, and how. A bar is the filter of its time. @param {Context} context @param {Data} data */
const chart = (context, { times, figures }) => {
	const { query } = context;
	if (figures) {
		return card(endedChart(figures, context, address(tabOf(query), words(query))), 'over-list');
	}
	if (!times?.from || times.jobs.length < 2) {
		return nothing;
	}
	const from = Date.parse(times.from);
	const at = (/** @type {number} */ i) => from + i * times.stepMs;
	const iso = (/** @type {number} */ time) => `${new Date(time).toISOString().slice(0, 19)}Z`;
	const tone = { failed: 'failed', ended: 'succeeded', running: 'running', retrying: 'retrying', blocked: 'blocked' }[tabOf(query)] ?? 'queued';
	const narrow = tabOf(query) === 'failed' ? null : (/** @type {number} */ time) => context.go(address(tabOf(query), [...words(query).filter(([name]) => name !== times.of), [times.of, `${iso(time)}..${iso(time + times.stepMs)}`]]));
	return card(html`<q-chart kind="bars" low label=${t.times[times.of]} .times=${[...times.jobs, 0].map((_, i) => at(i))} .series=${[{ name: times.complete ? t.times[times.of] : `${t.times[times.of]}, ${t.firstOnly(times.jobs.reduce((all, n) => all + n, 0))}`, tone, values: [...times.jobs, null] }]} .choose=${narrow}></q-chart>`, 'over-list');
};

const resetList = (/** @type {Context} */ context) => context.set({ more: [], selected: new Set(), matching: false, wrong: '' });

/** @param {Context} context */
const selection = (context) => {
	/** @type {Set<number>} */
	const chosen = context.local.selected ?? new Set();
	const { matching } = context.local;
	if (!chosen.size && !matching) {
		return nothing;
	}
	const does = (/** @type {'retry' | 'cancel' | 'reschedule' | 'prioritize' | 'erase'} */ action) => async () => {
		if (matching) {
			const states = action === 'retry' ? ['failed'] : statesOf(context.query);
			const whole = states.length || words(context.query).length ? states : UNFINISHED;
			await onAllMatching(context, asked(context, {}, whole), action);
			context.set({ matching: false });
			return;
		}
		const selected = context.local.selected;
		if (await onSelection({ refresh: async () => { resetList(context); await context.refresh(); } }, [...selected], action)) {
			context.set({ selected: new Set() });
		}
	};
	const label = matching ? text.operation.all : t.selected(chosen.size);
	const ended = tabOf(context.query) === 'ended';
	const failed = tabOf(context.query) === 'failed' || tabOf(context.query) === 'all';
	return html`<div class="selection" role="group" aria-label=${label}><b>${label}</b>
		${failed ? html`<button type="button" class="primary" @click=${does('retry')}>${icon('retry')}${text.actions.retry}</button>` : nothing}
		${ended ? nothing : html`<button type="button" @click=${does('reschedule')}>${text.actions.reschedule}</button><button type="button" @click=${does('prioritize')}>${text.actions.prioritize}</button>`}
		${chosen.size === 2 ? html`<a class="more" href="jobs/${[...chosen].join('/compare/')}">${text.compare.button}</a>` : nothing}
		${ended ? nothing : html`<button type="button" class="danger" @click=${does('cancel')}>${text.actions.cancelShort}</button>`}
		${context.may('admin') ? html`<button type="button" class="danger" @click=${does('erase')}>${text.actions.erase}…</button>` : nothing}
		<button type="button" class="quiet" @click=${() => context.set({ selected: new Set(), matching: false })}>${t.unselect} <kbd>Esc</kbd></button></div>`;
};

/** @param {Data} data @param {Context} context */
export const view = (data, context) => {
	const { items, last } = all(context, data);
	const tab = /** @type {keyof typeof t.empty} */ (tabOf(context.query));
	const filtered = words(context.query).length > 0;
	const { searched } = last;
	return html`
		${heading(text.pages.jobs, { actions: context.may('admin') ? html`<button type="button" @click=${() => enqueueNew(context, context.query.get('type') ?? '', context.query.get('queue') ?? undefined)}>${text.actions.enqueue}…</button>` : nothing })}
		${tabs(context, data.counts)}
		${filter(context)}
		${chart(context, data)}
		${context.local.more?.length || searches(context.query) ? html`<p class="changed"><span>${t.found(items.length)}</span><button type="button" class="small" @click=${() => { resetList(context); context.set({ found: null, summarized: null }); context.refresh(); }}>${t.showChanges}</button></p>` : nothing}
		${items.length ? card(jobTable(items, context, { selectable: context.may(tab === 'ended' ? 'admin' : 'operate'), tab, whole: !last.page.next }))
			: empty('jobs', data.list.refusal ?? (filtered ? t.emptyFiltered : t.empty[tab]), filtered ? '' : t.emptyHint[tab], filtered ? html`<p><a href=${address(tab, [])}>${t.clear}</a></p>` : nothing)}
		<div class="under-list" role="status">
			${searched && !searched.complete ? html`<span>${searched.until ? html`${t.searchedBack} ${clock(searched.until)} · ` : nothing}${t.lookedAt(searched.rows)}</span>` : nothing}
			${last.page.next ? html`<button type="button" ?disabled=${context.local.reading} @click=${() => more(context, data)}>${searched && !searched.complete && searched.because !== 'full' ? t.go : text.page.more}</button>` : items.length > SIZE || searched?.complete ? html`<span>${t.found(items.length)}</span>` : nothing}
			${items.length ? ['csv', 'ndjson'].map((format) => html`<a class="more" download href="api/jobs/export?${asked(context, { format })}">${format.toUpperCase()}</a>`) : nothing}
			${items.length && context.may(tab === 'ended' ? 'admin' : 'operate') ? html`<button type="button" @click=${() => context.set({ matching: true, selected: new Set() })}>${text.operation.allMatching}</button>` : nothing}
		</div>
		${selection(context)}`;
};

/** The first button of the selection of a kind. @param {'primary' | 'danger'} kind */
const press = (kind) => /** @type {HTMLElement | null} */ (document.querySelector(`.selection .${kind}`))?.click();

/** @param {Data} data @param {Context} context */
export const keys = (data, context) => ({
	'/': () => document.getElementById('filter')?.focus(),
	Escape: () => context.set({ selected: new Set(), matching: false }),
	r: () => press('primary'),
	c: () => press('danger'),
});
