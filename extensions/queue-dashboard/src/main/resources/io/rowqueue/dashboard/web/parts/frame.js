/** What is around every page: the rail, the head, the banners. */

import { html, nothing } from '../vendor/lit-html.js';
import { compact, number } from './format.js';
import { icon, mark } from './icons.js';
import { preferences } from './preferences.js';
import { visible } from './blocks.js';
import { isHome, shardChoice } from './shards.js';
import { text } from '../texts/en.js';

const t = text.shell;

/** The pages by what they are for. @type {[keyof typeof t.groups, [string, keyof typeof text.pages][]][]} */
const GROUPS = [
	['now', [['', 'overview'], ['jobs', 'jobs'], ['errors', 'errors']]],
	['work', [['queues', 'queues'], ['types', 'types'], ['flows', 'flows'], ['batches', 'batches']]],
	['time', [['schedules', 'schedules'], ['calendar', 'calendar'], ['lanes', 'lanes']]],
	['system', [['workers', 'workers'], ['limits', 'limits'], ['health', 'health'], ['activity', 'activity']]],
];

/** What needs somebody, beside the page that says more. @param {import('../api').Attention | null} attention @returns {Record<string, { tone: string, n: string, words: string } | null>} */
const badges = (attention) => (attention ? {
	jobs: attention.failed ? { tone: 'failed', n: compact(attention.failed.value), words: text.states.failed } : null,
	errors: attention.errors ? { tone: 'retrying', n: compact(attention.errors.value), words: text.errors.statuses.open } : null,
	workers: attention.lost ? { tone: 'failed', n: number(attention.lost), words: text.worker.states.dead } : null,
	health: attention.problems ? { tone: attention.level === 'critical' ? 'failed' : 'retrying', n: number(attention.problems), words: text.overview.problems } : null,
} : {});

/** @param {import('../app.js').Application} app */
const rail = (app) => {
	const current = app.path.split('/')[0];
	const marks = badges(app.attention);
	const entry = (/** @type {string} */ path, /** @type {keyof typeof text.pages} */ name) => {
		const badge = marks[path];
		return html`<li><a href=${path || './'} aria-current=${current === path ? 'page' : nothing} title=${badge ? `${text.pages[name]}: ${badge.n} ${badge.words}` : text.pages[name]}>${icon(/** @type {any} */ (name))}<span>${text.pages[name]}</span>${badge
			? html`<b class="mark-of ${badge.tone}">${badge.n}<span class="sr"> ${badge.words}</span></b>` : nothing}</a></li>`;
	};
	return html`<nav class="rail" aria-label=${t.menu}>
		<a class="home" href="./" title=${text.pages.overview}>${mark()}<b>${app.session?.title ? visible(app.session.title) : text.product}</b></a>
		${GROUPS.map(([group, places]) => html`<p class="group" id="group-${group}">${t.groups[group]}</p>
			<ul aria-labelledby="group-${group}">${places.filter(([path]) => path !== 'schedules' || isHome()).map(([path, name]) => entry(path, name))}</ul>`)}
		<p class="version">${app.session ? `${text.product} ${app.session.version}` : ''}</p>
	</nav>`;
};

/** Whether what is shown may be out of date. That something does not exist, or may not be seen, is an answer. @param {import('../app.js').Application} app */
const isAway = ({ problem, data }) => Boolean(problem && (data || ![403, 404].includes(problem.problem.status)));

/** @param {import('../app.js').Application} app */
const liveness = (app) => {
	const [kind, word] = app.live.frozen ? ['frozen', t.frozen] : isAway(app) ? ['stale', t.stale] : app.held ? ['frozen', t.held] : app.data || app.problem ? ['live', t.live] : ['waiting', t.waiting];
	const label = app.live.frozen ? t.unfreeze : t.freeze;
	return html`<button type="button" class="quiet liveness ${kind}" title="${label} (.)" aria-pressed=${app.live.frozen} aria-label=${`${word}. ${label}`} @click=${app.freeze}>
		<svg viewBox="0 0 8 8" width="8" height="8" aria-hidden="true"><circle cx="4" cy="4" r="3"/></svg><span>${word}</span></button>`;
};

/** @param {import('../app.js').Application} app */
const head = (app) => {
	const { session } = app;
	const themes = { system: 'system', light: 'sun', dark: 'moon' };
	return html`<header class="head">
		<a class="home small" href="./" aria-label=${text.pages.overview}>${mark()}</a>
		${session?.allDatabases ? html`<a class="more above" href=${session.allDatabases} title=${t.allDatabases}>${icon('back')}<span>${t.allDatabases}</span></a>` : nothing}
		${session?.environment ? html`<span class="badge ${session.environment.color ?? 'grey'}">${visible(session.environment.label)}</span>` : nothing}
		${shardChoice(app.path)}
		<button type="button" class="search" aria-label=${t.search} @click=${app.palette}>${icon('search')}<span>${t.search}</span><kbd>${t.searchKey}</kbd></button>
		<div class="tools">
			${liveness(app)}
			<button type="button" class="quiet zone" title="${t.zone} (z)" aria-label="${t.zone}: ${t.zones[preferences.zone]}" @click=${app.nextZone}>${t.zones[preferences.zone]}</button>
			<button type="button" class="quiet" title="${t.theme} (t)" aria-label="${t.theme}: ${t.themes[preferences.theme]}" @click=${app.nextTheme}>${icon(/** @type {any} */ (themes[preferences.theme]))}</button>
			<button type="button" class="quiet help" title="${t.help} (?)" aria-label=${t.help} @click=${app.help}>?</button>
			${session ? html`<span class="user" title=${t.asUser(session.user)}>${visible(session.user)}${session.levels.includes('operate') ? nothing : html` <i>${t.readOnly}</i>`}</span>` : nothing}
		</div>
	</header>`;
};

/** @param {import('../app.js').Application} app */
const banners = ({ session, data, problem, refresh }) => html`
	${session?.open ? html`<p class="banner critical">${icon('critical')}<b>${t.open}</b> ${t.openDetail}</p>` : nothing}
	${session && session.schema.installed > session.schema.library ? html`<p class="banner warning">${icon('warning')}${t.olderSchema(session.schema)}</p>` : nothing}
	${problem && data ? html`<p class="banner warning" role="alert">${icon('warning')}${text.page.staleDetail(problem.sentence)} <button type="button" class="small" @click=${refresh}>${text.page.again}</button></p>` : nothing}`;

/** @param {import('../app.js').Application} app @param {unknown} page */
export const frame = (app, page) => html`
	<button type="button" class="skip" @click=${() => document.getElementById('title')?.focus()}>${t.skip}</button>
	${rail(app)}
	<div class="body">
		${head(app)}
		<main class=${app.problem && app.data ? 'is-stale' : ''} aria-busy=${app.waits}>${banners(app)}${page}</main>
	</div>`;
