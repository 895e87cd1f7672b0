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
const HOUR = 3_600;
const DAY = 24 * HOUR;

/**
 * When the days of this zone begin, in seconds after a time: they are not always 24 hours long, and no time is on the hour by itself.
 * @param {number} begin @param {number} days
 */
export const midnights = (begin, days) => {
	const dayAt = (/** @type {number} */ second) => dayName(begin + second * 1_000);
	return Array.from({ length: days * 24 }, (_, hour) => hour * HOUR).filter((second) => dayAt(second) !== dayAt(second + HOUR)).map((second) => {
		let [before, after] = [second, second + HOUR];
		while (after - before > 1) {
			const middle = Math.floor((before + after) / 2);
			[before, after] = dayAt(middle) === dayAt(second) ? [middle, after] : [before, middle];
		}
		return after;
	});
};

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
	const x = (/** @type {number} */ second) => (WIDTH * Math.max(0, Math.min(days * DAY, second))) / (days * DAY);
	const at = (/** @type {number} */ second) => begin + second * 1_000;
	const marks = days === 1 ? Array.from({ length: 8 }, (_, i) => i * 3 * HOUR) : midnights(begin, days);
	const grid = marks.map((second) => svg`<path class="grid" d="M${x(second).toFixed(1)} 0V${HEIGHT}"/>`);
	const strip = (/** @type {string} */ label, /** @type {unknown} */ content) => html`<svg class="strip" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label=${label}>${grid}${content}</svg>`;
	const next = (/** @type {number[]} */ seconds) => seconds.slice(0, 3).map((second) => clock(at(second), now())).join(', ');
	return html`${heading(text.pages.calendar, { note: t.note, actions: html`<nav class="ranges" aria-label=${text.figures.range}>${[1, 7].map((each) => html`<a href="calendar?days=${each}" aria-current=${each === days ? 'true' : 'false'}>${t.days(each)}</a>`)}</nav>${copies({ api: `calendar?days=${days}`, data: calendar })}` })}
		${windows.length || schedules.length ? html`<div class="card"><div class="scroll"><table class="rows calendar"><thead><tr><th scope="col">${text.columns.name}</th>
			<th scope="col" class="axis"><span class="sr">${t.times}</span><svg height="18" role="presentation">${marks.filter((second) => x(second) < 0.94 * WIDTH).map((second) => svg`<text x="${(100 * x(second) / WIDTH).toFixed(2)}%" dx="3" y="13">${days === 1 ? clock(at(second), at(second)).slice(0, 5) : dayName(at(second)).slice(0, 6)}</text>`)}</svg></th>
			<th scope="col" class="number">${t.times}</th><th scope="col">${text.columns.next}</th></tr></thead>
		<tbody>
			${windows.map(({ name, targets, seconds }) => html`<tr><th scope="row">${visible(name)} <span class="note">${text.columns.window.toLowerCase()} · ${visible(targets.slice(0, 3).join(', '))}</span></th>
				<td class="axis">${strip(t.openings(seconds.length / 2), seconds.map((second, i) => (i % 2 ? nothing : svg`<rect class="open" x=${x(second)} width=${Math.max(1, x(seconds[i + 1]) - x(second))} y="5" height="16"><title>${clock(at(second), now())} – ${clock(at(seconds[i + 1]), now())}</title></rect>`)))}</td>
				<td class="number">${number(seconds.length / 2)}</td><td class="tight">${next(seconds.filter((second, i) => i % 2 === 0 && second > 0))}</td></tr>`)}
			${schedules.map(({ name, state, seconds, complete }) => html`<tr class=${state === 'active' ? '' : 'is-paused'}><th scope="row">${scheduleLink(name)} ${state === 'active' ? nothing : html`<span class="note">${text.schedule.states[state]}</span>`}</th>
				<td class="axis">${strip(t.due(seconds.length), seconds.length > 400
					? svg`<rect class="dense" x=${x(seconds[0])} width=${x(complete ? seconds[seconds.length - 1] : days * DAY) - x(seconds[0])} y="9" height="8"/>`
					: svg`<path class="ticks" d=${seconds.map((second) => `M${x(second).toFixed(1)} 5v16`).join('')}/>`)}</td>
				<td class="number">${number(seconds.length)}${complete ? '' : '+'}</td><td class="tight">${next(seconds)}</td></tr>`)}</tbody></table></div></div>`
			: empty('calendar', t.none, text.empty.schedulesHint)}`;
};
