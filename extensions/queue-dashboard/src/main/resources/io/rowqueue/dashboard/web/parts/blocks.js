/** What pages are made of: headings, sections, texts that may be hidden, and the states a page can be in. */

import { html, nothing } from '../vendor/lit-html.js';
import { encodeName } from './names.js';
import { icon } from './icons.js';
import { text } from '../texts/en.js';

/** @typedef {import('../api').Text} Text */

/**
 * @param {string} title @param {{ note?: unknown, actions?: unknown, above?: unknown }} [more]
 */
export const heading = (title, { note, actions, above } = {}) => html`
	<header class="heading">
		${above ? html`<p class="above">${above}</p>` : nothing}
		<h1 tabindex="-1" id="title">${title}</h1>
		${note ? html`<p class="note">${note}</p>` : nothing}
		${actions ? html`<div class="actions">${actions}</div>` : nothing}
	</header>`;

/** @param {string} title @param {unknown} body @param {{ note?: unknown, side?: unknown, kind?: string }} [more] */
export const section = (title, body, { note, side, kind = '' } = {}) => html`
	<section class="block ${kind}">
		<header><h2>${title}</h2>${note ? html`<p class="note">${note}</p>` : nothing}${side ? html`<div class="side">${side}</div>` : nothing}
			</header>
		${body}
	</section>`;

/** One of the facts of a thing. @param {unknown} name @param {unknown} value */
export const fact = (name, value) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

/** @param {string | null | undefined} at */
export const ago = (at) => (at ? html`<q-time at=${at} mode="ago"></q-time>` : '–');

/** @param {string | null | undefined} at */
export const clock = (at) => (at ? html`<q-time at=${at} mode="clock"></q-time>` : '–');

/** @param {{ measuredAt: string | null, staleAfterMs: number }} figures */
export const measured = ({ measuredAt, staleAfterMs }) => (measuredAt
	? html`${text.page.measured} <q-time at=${measuredAt} mode="ago" stale=${staleAfterMs}></q-time>` : text.page.never);

/** @param {Text | null | undefined} shown @param {(text: string) => unknown} [as] */
export const mayBeHidden = (shown, as = (plain) => plain) => {
	if (!shown) {
		return nothing;
	}
	return 'hidden' in shown ? html`<span class="hidden">${text.page.hidden(shown.needs)}</span>` : as(shown.text);
};

/** Controls that turn the direction of text, and others that are not seen, are shown as their code points; not those that join letters of a script, or an emoji. @param {string} plain */
export const visible = (plain) => plain.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|(?<![^\u0000-\u02ff])[\u200c\u200d]|[\u200c\u200d](?![^\u0000-\u02ff])/g,
	(control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Without the package of the class that it begins with. @param {string} plain */
export const unqualified = (plain) => plain.replace(/^(?:[a-z][\w$]*\.)+(?=[A-Z])/, '');

/** The error of a row in one line, without the package of its class. @param {Text | null | undefined} error */
export const errorLine = (error) => html`<span class="clip" title=${error && 'text' in error ? visible(error.text) : nothing}>${mayBeHidden(error, (plain) => visible(unqualified(plain.split('\n', 1)[0])))}</span>`;

/** A surface for what is together. @param {unknown} body @param {string} [kind] */
export const card = (body, kind = '') => html`<div class="card ${kind}">${body}</div>`;

/** Whatever is chosen, and whoever goes elsewhere, closes a menu. Its button has the focus before a question is asked, which gives it back. @param {any} event */
const close = ({ currentTarget, type, target, relatedTarget }) => {
	const menu = /** @type {HTMLDetailsElement} */ (currentTarget);
	const within = /** @type {Node | null} */ (type === 'focusout' ? relatedTarget : target);
	if (type === 'focusout' ? within && !menu.contains(within) : within instanceof Element && within.closest('button, a')) {
		menu.open = false;
		type === 'click' && menu.querySelector('summary')?.focus();
	}
};

/** @param {KeyboardEvent} event */
const escape = (event) => {
	const menu = /** @type {HTMLDetailsElement} */ (event.currentTarget);
	if (event.key === 'Escape' && menu.open) {
		event.stopPropagation();
		menu.open = false;
		menu.querySelector('summary')?.focus();
	}
};

/** Actions that are not needed each time, behind a button. @param {string} label @param {unknown} actions @param {string} [kind] */
export const menu = (label, actions, kind = '') => html`<details class="menu ${kind}" @click=${{ handleEvent: close, capture: true }} @focusout=${close} @keydown=${escape}><summary>${label}${icon('down')}</summary>
	<div class="menu-list">${actions}</div></details>`;

/** What would be here, and how to get it. @param {Parameters<typeof icon>[0]} mark @param {string} title @param {string} hint @param {unknown} [action] */
export const empty = (mark, title, hint, action) => html`<div class="empty"><span class="drawn">${icon(mark)}</span><p class="title">${title}</p>${hint ? html`<p class="note">${hint}</p>` : nothing}${action ?? nothing}</div>`;

/** A problem in place of a page. @param {import('./api.js').ApiProblem} problem @param {() => void} again */
export const problemPage = (problem, again) => {
	const needs = problem.problem?.needs;
	return html`<div class="empty problem" role="alert">
		${icon(needs ? 'info' : 'critical')}
		<h1 tabindex="-1" id="title">${problem.problem?.title ?? problem.message}</h1>
		<p>${needs ? text.page.notAllowed(needs) : problem.problem?.detail ?? ''}</p>
		${problem.problem?.errors?.map((error) => html`<p class="note"><code>${error.parameter}</code> ${error.message}</p>`) ?? nothing}
		<p><button type="button" @click=${again}>${text.page.again}</button> <a href="./">${text.page.toOverview}</a></p>
	</div>`;
};

/** Rows in the geometry of what comes. */
export const skeleton = () => html`<div class="skeleton" role="status"><span class="sr">${text.page.loading}</span>
	<i></i><i></i><i></i><i></i><i></i></div>`;

const link = (/** @type {string} */ page) => (/** @type {string} */ name) => html`<a href="${page}/${encodeName(name)}">${visible(name)}</a>`;
export const queueLink = link('queues');
export const typeLink = link('types');
export const scheduleLink = link('schedules');
/** @param {number} id */
export const jobLink = (id) => html`<a class="id" href="jobs/${id}">${id}</a>`;
/** @param {import('../api').WorkerRef | null} worker */
export const workerLink = (worker) => (worker ? html`<a href="workers/${worker.id}">${worker.name ? visible(worker.name) : worker.id}</a>` : '–');

/** @param {string[]} names @param {(name: string) => unknown} [as] @param {number} [max] */
export const names = (names, as = (name) => html`<span class="tag">${visible(name)}</span>`, max = 4) => html`<span class="tags">${names.slice(0, max).map(as)}${
	names.length > max ? html`<span class="note" title=${names.slice(max).join('\n')}>+${names.length - max}</span>` : nothing}</span>`;

/** A line; what else is known of it unfolds. @param {import('../api').Finding} finding */
export const finding = ({ level, title, since, detail, advice, link }) => {
	const line = html`${icon(level)}<span class="sr">${level}: </span><span class="title">${visible(title)}</span>${since ? html` <span class="note">${ago(since)}</span>` : nothing}`;
	return html`<li class="finding ${level}">${detail || advice ? html`<details><summary>${line}${icon('next')}</summary>
			${detail ? html`<p>${visible(detail)}</p>` : nothing}${advice ? html`<p class="note">${visible(advice)}</p>` : nothing}</details>` : html`<div>${line}</div>`}
		${link && !/^[a-z]+:|^\//i.test(link) ? html`<a class="more" href=${link}>${text.page.show}</a>` : nothing}</li>`;
};
