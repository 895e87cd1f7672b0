/** The next days: when windows are open and recurring jobs are due, in the chosen time zone. */

import { html, nothing, svg } from '../vendor/lit-html.js';
import { api } from '../parts/api.js';
import { empty, heading, scheduleLink, visible } from '../parts/blocks.js';
import { copies } from '../parts/copy.js';
import { clock, dayName, number } from '../parts/format.js';
import { now } from '../parts/clock.js';
import { text } from '../texts/en.js';

const t = text.calendar;
const WIDTH = 1000;
const HEIGHT = 26;
const DAY = 1_440;

const daysOf = (/** @type {URLSearchParams} */ query) => (query.get('days') === '1' ? 1 : 7);

export const every = 60_000;

export const title = () => text.pages.calendar;

/** @param {import('../app.js').Context} context */
export const load = ({ query, signal }) => api.get(`calendar?days=${daysOf(query)}`, signal);

/** @param {import('../api').Calendar} calendar @param {import('../app.js').Context} context */
export const view = (calendar, { query }) => {
	const { from, windows, schedules } = calendar;
	const days = daysOf(query);
	const begin = Date.parse(from);
	const x = (/** @type {number} */ minute) => (WIDTH * Math.max(0, Math.min(days * DAY, minute))) / (days * DAY);
	const at = (/** @type {number} */ minute) => begin + minute * 60_000;
	/** The first of each day in this zone: days are not always 24 hours long. */
	const midnights = Array.from({ length: days * 24 }, (_, hour) => hour * 60).filter((minute) => dayName(at(minute)) !== dayName(at(minute - 60)));
	const marks = days === 1 ? Array.from({ length: 8 }, (_, i) => i * 180) : midnights;
	const grid = marks.map((minute) => svg`<path class="grid" d="M${x(minute).toFixed(1)} 0V${HEIGHT}"/>`);
	const strip = (/** @type {string} */ label, /** @type {unknown} */ content) => html`<svg class="strip" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label=${label}>${grid}${content}</svg>`;
	const next = (/** @type {number[]} */ minutes) => minutes.slice(0, 3).map((minute) => clock(at(minute), now())).join(', ');
	return html`${heading(text.pages.calendar, { note: t.note, actions: html`<nav class="ranges" aria-label=${text.figures.range}>${[1, 7].map((each) => html`<a href="calendar?days=${each}" aria-current=${each === days ? 'true' : 'false'}>${t.days(each)}</a>`)}</nav>${copies({ api: `calendar?days=${days}`, data: calendar })}` })}
		${windows.length || schedules.length ? html`<div class="scroll"><table class="rows calendar"><thead><tr><th scope="col">${text.columns.name}</th>
			<th scope="col" class="axis"><span class="sr">${t.times}</span><svg height="18" role="presentation">${marks.map((minute) => svg`<text x="${(100 * x(minute) / WIDTH).toFixed(2)}%" dx="3" y="13">${days === 1 ? clock(at(minute), at(minute)).slice(0, 5) : dayName(at(minute)).slice(0, 6)}</text>`)}</svg></th>
			<th scope="col" class="number">${t.times}</th><th scope="col">${text.columns.next}</th></tr></thead>
		<tbody>
			${windows.map(({ name, targets, minutes }) => html`<tr><th scope="row">${visible(name)} <span class="note">${text.columns.window.toLowerCase()} · ${visible(targets.slice(0, 3).join(', '))}</span></th>
				<td class="axis">${strip(t.openings(minutes.length / 2), minutes.map((minute, i) => (i % 2 ? nothing : svg`<rect class="open" x=${x(minute)} width=${Math.max(1, x(minutes[i + 1]) - x(minute))} y="5" height="16"><title>${clock(at(minute), now())} – ${clock(at(minutes[i + 1]), now())}</title></rect>`)))}</td>
				<td class="number">${number(minutes.length / 2)}</td><td class="tight">${next(minutes.filter((minute, i) => i % 2 === 0 && minute > 0))}</td></tr>`)}
			${schedules.map(({ name, state, minutes, complete }) => html`<tr class=${state === 'active' ? '' : 'is-paused'}><th scope="row">${scheduleLink(name)} ${state === 'active' ? nothing : html`<span class="note">${text.schedule.states[state]}</span>`}</th>
				<td class="axis">${strip(t.due(minutes.length), minutes.length > 400
					? svg`<rect class="dense" x=${x(minutes[0])} width=${x(complete ? minutes[minutes.length - 1] : days * DAY) - x(minutes[0])} y="9" height="8"/>`
					: svg`<path class="ticks" d=${minutes.map((minute) => `M${x(minute).toFixed(1)} 5v16`).join('')}/>`)}</td>
				<td class="number">${number(minutes.length)}${complete ? '' : '+'}</td><td class="tight">${next(minutes)}</td></tr>`)}</tbody></table></div>`
			: empty(t.none, text.empty.schedulesHint)}`;
};
