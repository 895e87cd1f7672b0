/** A heat map: how long the first job of each queue and type had been due, in each minute of the last hour; and the lanes now. */

import { html, nothing } from '../vendor/lit-html.js';
import { api, query } from '../parts/api.js';
import { empty, heading, jobLink, queueLink, section, typeLink } from '../parts/blocks.js';
import { clock, duration, minute, number } from '../parts/format.js';
import { now } from '../parts/clock.js';
import { MEASURED_MS } from '../parts/live.js';
import { list, numbers } from '../parts/table.js';
import { text } from '../texts/en.js';

const c = text.columns;
const t = text.lanes;

/** Where each step of the scale begins, in milliseconds. */
const STEPS = [1, 1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000];

/** So many lanes are listed at most. */
const MOST = 200;

/** @param {number | null} age */
const step = (age) => (age === null ? 'gap' : `heat-${STEPS.filter((from) => age >= from).length}`);

export const every = MEASURED_MS;

export const title = () => text.pages.lanes;

/** @param {import('../app.js').Context} context */
export const load = ({ signal }) => api.get('lanes', signal);

/** @typedef {import('../api').Lanes['items'][0]} History */

/** How long its first job has been due, in the latest minute that was measured. @param {History} history */
const latest = ({ agesMs }) => agesMs.at(-1) ?? agesMs.at(-2) ?? null;

/** @param {History} history @param {string[]} times */
const minutes = ({ agesMs }, times) => html`<div role="img" aria-label="${t.max} ${duration(Math.max(...agesMs.map((age) => age ?? 0)))}">${agesMs.map((age, i) => html`<i class=${step(age)} title="${clock(times[i], now())} · ${age === null ? t.gap : duration(age)}"></i>`)}</div>`;

/** @param {string[]} times @returns {import('../parts/table.js').Column<History>[]} */
const columns = (times) => [
	{ name: c.queue, row: true, cell: ({ queue }) => queueLink(queue), by: ({ queue }) => queue },
	{ name: c.type, cell: ({ type }) => typeLink(type), by: ({ type }) => type },
	{ name: html`<span class="ends">${[times[0], times[times.length - 1]].map((time) => html`<span>${minute(Date.parse(time))}</span>`)}</span>`, kind: 'axis', cell: (history) => minutes(history, times) },
	numbers(c.oldest, (history) => duration(latest(history) || null), latest),
];

/** @param {import('../api').Lane} lane */
const tolerance = ({ ageMs, toleranceMs }) => (toleranceMs && ageMs > toleranceMs ? html`<span class="state failed">${duration(toleranceMs)}, ${text.queue.late(duration(ageMs - toleranceMs))}</span>` : duration(toleranceMs || null));

/** @type {import('../parts/table.js').Column<import('../api').Lane>[]} */
const laneColumns = [
	{ name: c.type, row: true, cell: ({ type }) => typeLink(type), by: ({ type }) => type },
	{ name: c.queue, cell: ({ queue }) => queueLink(queue), by: ({ queue }) => queue },
	numbers(c.priority, ({ priority }) => priority, ({ priority }) => priority),
	numbers(c.oldest, ({ ageMs, queue, type }) => html`<a href="jobs${query({ state: 'queued', queue, type })}">${duration(ageMs)}</a>`, ({ ageMs }) => ageMs),
	numbers(c.tolerance, tolerance, ({ toleranceMs }) => toleranceMs),
	{ name: c.firstJob, cell: ({ firstJob }) => jobLink(firstJob) },
	numbers(c.workers, ({ workers }) => (workers ? number(workers) : html`<span class="state failed">${text.queue.noWorkers}</span>`), ({ workers }) => workers),
];

/** Lanes as rows, the longest waiting first. @param {import('../api').Lane[]} lanes @param {import('../app.js').Context} context */
export const laneTable = (lanes, context) => list(context, laneColumns, lanes, { id: 'lanes', name: ({ type, queue }) => `${type} ${queue}`, kind: 'fold' });

/** @param {import('../api').Lanes} lanes @param {import('../app.js').Context} context */
export const view = ({ now: lanes, times, items }, context) => html`${heading(text.pages.lanes, { note: t.note })}
	${items.length ? section(t.history, html`<p class="legend" aria-hidden="true">${STEPS.slice(1).map((from, i) => html`<span><i class="heat-${i + 1}"></i>${t.upTo} ${duration(from)}</span>`)}<span><i class="heat-8"></i>${t.more}</span></p>
		${list(context, columns(times), items, { id: 'history', name: ({ queue, type }) => `${queue} ${type}`, kind: 'fold walk timed heat' })}`) : lanes.length ? nothing : empty('lanes', t.none, t.hint)}
	${lanes.length ? section(t.now, laneTable(lanes, context), { note: lanes.length < MOST ? '' : text.flow.most(MOST) }) : nothing}`;
