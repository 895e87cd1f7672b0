/**
 * The dashboard. A page is three things: `load` asks the API for what the URL says, `view` makes a template of the answer, and the
 * actions of `parts/actions.js` and `parts/jobactions.js` change something. All that is not in the URL is in this one object, and
 * it is drawn again in an animation frame whenever it changes.
 */

import { html, render } from './vendor/lit-html.js';
import './elements/q-time.js';
import './elements/q-chart.js';
import './elements/q-graph.js';
import './elements/q-json.js';
import { openPalette } from './elements/q-palette.js';
import { routes } from './pages/routes.js';
import { api, ApiProblem } from './parts/api.js';
import { problemPage, skeleton } from './parts/blocks.js';
import { freeze } from './parts/clock.js';
import { serverZoneIs } from './parts/format.js';
import { frame } from './parts/frame.js';
import { openHelp } from './parts/help.js';
import { focusTitle, keepFocus, listen } from './parts/keys.js';
import { Live, MEASURED_MS } from './parts/live.js';
import { nextOf, prefer, preferences } from './parts/preferences.js';
import { match, path, router } from './parts/router.js';
import { shardsAre } from './parts/shards.js';
import { text } from './texts/en.js';

/**
 * What a page is given.
 * @typedef {object} Context
 * @property {import('./api').Session} session
 * @property {(level: import('./api').Level) => boolean} may
 * @property {Record<string, string>} params of the path
 * @property {URLSearchParams} query
 * @property {any} local what the page keeps until another one is opened
 * @property {(changes: object) => void} set changes some of it
 * @property {(href: string, replace?: boolean) => void} go
 * @property {() => Promise<boolean>} refresh
 * @property {AbortSignal} signal
 */

/**
 * @typedef {object} Page
 * @property {(context: Context, data?: any) => string} title
 * @property {(context: Context) => Promise<any>} load
 * @property {(data: any, context: Context) => unknown} view
 * @property {(data: any, context: Context) => Record<string, () => void>} [keys]
 * @property {(context: Context) => boolean} [holds] whether the page must not change under the reader's hands now
 * @property {number} [every] how often it is asked for, in milliseconds; without it every two seconds
 */

/** @typedef {typeof app} Application */

const SKELETON_AFTER_MS = 150;

const app = {
	/** @type {import('./api').Session | null} */
	session: null,
	path: path(),
	/** @type {Page | null} */
	page: null,
	/** @type {Record<string, string>} */
	params: {},
	local: {},
	/** @type {any} */
	data: null,
	/** What has read the data: those of another address are not shown when theirs cannot be read. @type {AbortController | null} */
	read: null,
	/** @type {ApiProblem | null} */
	problem: null,
	/** What the rail has marks for; null: not known. @type {import('./api').Attention | null} */
	attention: null,
	waits: false,
	/** Whether the page keeps what it shows, since its reader is at work on it. */
	held: false,
	live: new Live(),
	reading: new AbortController(),
	freeze: () => {
		freeze(!app.live.frozen);
		app.live.freeze(!app.live.frozen);
		draw();
	},
	nextTheme: () => prefer({ theme: nextOf(['system', 'light', 'dark'], preferences.theme) }),
	nextZone: () => prefer({ zone: nextOf(['local', 'utc', 'server'], preferences.zone) }),
	help: openHelp,
	palette: () => { app.session && openPalette(context(), app); },
	refresh: () => load(),
};

/** What is set later than another page was opened is not that page's. @returns {Context} */
const context = () => {
	const { local } = app;
	return {
		session: /** @type {any} */ (app.session),
		may: (level) => app.session?.levels.includes(level) ?? false,
		params: app.params,
		query: new URLSearchParams(location.search),
		local,
		set: (changes) => { Object.assign(local, changes); draw(); },
		go,
		refresh: app.refresh,
		signal: app.reading.signal,
	};
};

let drawing = false;

/** The path that the rail shows as the current one. @type {string | null} */
let marked = null;

const draw = () => {
	if (!drawing) {
		drawing = true;
		requestAnimationFrame(() => {
			drawing = false;
			app.held = Boolean(app.session && app.page?.holds?.(context()));
			keepFocus(() => render(frame(app, content()), /** @type {HTMLElement} */ (document.getElementById('app'))));
			if (app.session && marked !== app.path) {
				marked = app.path;
				document.querySelector('.rail [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
			}
			const problems = app.attention?.problems ? `(${app.attention.problems}) ` : '';
			document.title = problems + [app.page?.title(context(), app.data) ?? text.page.notFound, app.session?.title ?? text.product].join(' · ');
		});
	}
};

const content = () => {
	if (app.session && !app.page) {
		return problemPage(new ApiProblem({ type: '', status: 404, title: text.page.notFound, detail: text.page.notFoundDetail }), app.refresh);
	}
	if (app.data && app.page) {
		try {
			return app.page.view(app.data, context());
		}
		catch (error) {
			console.error(error);
			return problemPage(new ApiProblem({ type: '', status: 0, title: text.page.broken, detail: text.page.brokenDetail(String(error)) }), () => location.reload());
		}
	}
	return app.problem ? problemPage(app.problem, app.refresh) : app.waits ? skeleton() : html``;
};

/** Reads what the page shows. @returns {Promise<boolean>} whether the server answered */
const load = async () => {
	const { page, reading, path } = app;
	try {
		if (!app.session) {
			app.session = await api.session();
			serverZoneIs(app.session.zone);
			shardsAre(app.session.shards);
			showPage();
			return true;
		}
		const data = await page?.load(context());
		if (page === app.page && path === app.path && !reading.signal.aborted) {
			Object.assign(app, { data, read: reading, problem: null, waits: false });
		}
	}
	catch (error) {
		if (!reading.signal.aborted) {
			Object.assign(app, { problem: error instanceof ApiProblem ? error : new ApiProblem({ type: '', status: 0, title: String(error), detail: null }), waits: false,
				...(app.read === reading ? {} : { data: null }) });
			if (!(error instanceof ApiProblem)) {
				console.error(error);
			}
		}
	}
	draw();
	attend();
	return !app.problem;
};

/** What needs somebody, whatever page is shown. What cannot be read has no marks: the page says why. */
const attend = async () => {
	const attention = app.session ? await api.lately('attention', MEASURED_MS).catch(() => null) : null;
	if (attention !== app.attention) {
		app.attention = attention;
		draw();
	}
};

/** Keeps the page current, unless the reader is at work on it. */
const watch = () => app.live.watch(async () => (app.page?.holds?.(context()) ? true : load()), app.page?.every);

const showPage = (moved = true, top = 0) => {
	const found = match(routes, path());
	const samePage = !moved && app.page === found?.page;
	app.reading.abort();
	Object.assign(app, { path: path(), page: found?.page ?? null, params: found?.params ?? {}, local: {}, reading: new AbortController(), problem: null });
	if (!samePage) {
		Object.assign(app, { data: null, waits: false });
		const { page } = app;
		setTimeout(() => {
			app.waits = page === app.page && !app.data && !app.problem;
			draw();
		}, SKELETON_AFTER_MS);
	}
	load().then(() => moved && requestAnimationFrame(() => {
		window.scrollTo(0, top);
		focusTitle();
	}));
	watch();
};

const go = router(showPage);
document.addEventListener('preferences', draw);
listen({ go, palette: app.palette, help: app.help, freeze: app.freeze, theme: app.nextTheme, zone: app.nextZone,
	page: () => (app.data && app.page?.keys?.(app.data, context())) ?? {} });
app.live.watch(load);
load();
