/** A heat map: how long the first job of each queue and type had been due, in each minute of the last hour; and the lanes now. */

import { html, nothing } from '../vendor/lit-html.js';
import { api } from '../parts/api.js';
import { empty, heading, queueLink, section, typeLink } from '../parts/blocks.js';
import { clock, duration } from '../parts/format.js';
import { now } from '../parts/clock.js';
import { laneTable } from '../parts/lanetable.js';
import { MEASURED_MS } from '../parts/live.js';
import { table } from '../parts/table.js';
import { text } from '../texts/en.js';

const t = text.lanes;

/** Where each step of the scale begins, in milliseconds. */
const STEPS = [1, 1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000];

/** @param {number | null} age */
const step = (age) => (age === null ? 'gap' : `heat-${STEPS.filter((from) => age >= from).length}`);

export const every = MEASURED_MS;

export const title = () => text.pages.lanes;

/** @param {import('../app.js').Context} context */
export const load = ({ signal }) => api.get('lanes', signal);

/** @param {import('../api').Lanes} lanes */
export const view = ({ now: lanes, times, items }) => html`${heading(text.pages.lanes, { note: t.note })}
	${items.length ? section(t.history, html`<p class="legend" aria-hidden="true">${STEPS.slice(1).map((from, i) => html`<span><i class="heat-${i + 1}"></i>${t.upTo} ${duration(from)}</span>`)}<span><i class="heat-8"></i>${t.more}</span></p>
	${table([text.columns.queue, text.columns.type, t.lastHour, [text.columns.oldest]], items.map(({ queue, type, agesMs }) => {
		const last = agesMs.at(-1) ?? agesMs.at(-2) ?? null;
		const max = Math.max(...agesMs.map((age) => age ?? 0));
		return html`<tr><th scope="row">${queueLink(queue)}</th><td>${typeLink(type)}</td>
			<td class="cells"><div role="img" aria-label="${t.max} ${duration(max)}">${agesMs.map((age, i) => html`<i class=${step(age)} title="${clock(times[i], now())} · ${age === null ? t.gap : duration(age)}"></i>`)}</div></td>
			<td class="number">${duration(last || null)}</td></tr>`;
	}), 'heat walk')}`) : lanes.length ? nothing : empty(t.none, t.hint)}
	${lanes.length ? section(t.now, laneTable(lanes)) : nothing}`;
