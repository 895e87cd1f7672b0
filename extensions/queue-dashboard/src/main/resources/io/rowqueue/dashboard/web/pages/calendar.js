/** The next days: when windows are open and recurring jobs are due, in the chosen time zone. */

import { html, nothing, svg } from '../vendor/lit-html.js';
import { api } from '../parts/api.js';
import { ago, card, clock as time, empty, heading, scheduleLink, visible } from '../parts/blocks.js';
import { clock, dayName, minute, number } from '../parts/format.js';
import { now } from '../parts/clock.js';
import { list, numbers } from '../parts/table.js';
import { windowState } from './limits.js';
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
export const view = (calendar, context) => {
	const { from, windows, schedules } = calendar;
	const days = daysOf(context.query);
	const begin = Date.parse(from);
	const x = (/** @type {number} */ second) => (WIDTH * Math.max(0, Math.min(days * DAY, second))) / (days * DAY);
	const at = (/** @type {number} */ second) => begin + second * 1_000;
	const marks = days === 1 ? Array.from({ length: 8 }, (_, i) => i * 3 * HOUR) : midnights(begin, days);
	const grid = marks.map((second) => svg`<path class="grid" d="M${x(second).toFixed(1)} 0V${HEIGHT}"/>`);
	const strip = (/** @type {string} */ label, /** @type {unknown} */ content) => html`<svg class="strip" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label=${label}>${grid}${content}</svg>`;
	const iso = (/** @type {number} */ second) => (second === undefined ? null : new Date(at(second)).toISOString());
	const rows = [
		...windows.map(({ name, targets, seconds }) => {
			const open = seconds[0] <= 0;
			const openings = seconds.length / 2;
			return { name, next: seconds[open ? 1 : 0], title: html`${visible(name)} <span class="note">${visible(targets.slice(0, 3).join(', '))}</span>`, state: windowState({ open, openFrom: iso(seconds[0]), openUntil: iso(seconds[1]) }),
				times: number(openings), shown: strip(t.openings(openings), seconds.map((second, i) => (i % 2 ? nothing : svg`<rect class="open" x=${x(second)} width=${Math.max(1, x(seconds[i + 1]) - x(second))} y="5" height="16"><title>${clock(at(second), now())} – ${clock(at(seconds[i + 1]), now())}</title></rect>`))) };
		}),
		...schedules.map(({ name, state, seconds, complete }) => {
			const active = state === 'active';
			return { name, next: active ? seconds[0] : undefined, title: scheduleLink(name), state: active ? html`${ago(iso(seconds[0]))} <span class="note">· ${time(iso(seconds[0]))}</span>` : html`<span class="state paused">${text.schedule.states[state]}</span>`,
				times: `${number(seconds.length)}${complete ? '' : '+'}`, shown: strip(t.due(seconds.length), seconds.length > 400
					? svg`<rect class="dense" x=${x(seconds[0])} width=${x(complete ? seconds[seconds.length - 1] : days * DAY) - x(seconds[0])} y="9" height="8"/>`
					: svg`<path class="ticks" d=${seconds.map((second) => `M${x(second).toFixed(1)} 5v16`).join('')}/>`) };
		}),
	].sort((one, other) => (one.next ?? Infinity) - (other.next ?? Infinity) || 0);
	const axis = html`<span class="sr">${t.times}</span><svg height="18" role="presentation">${marks.filter((second) => x(second) < 0.9 * WIDTH).map((second) => svg`<text x="${(100 * x(second) / WIDTH).toFixed(2)}%" dx="3" y="13">${days === 1 ? minute(at(second)) : dayName(at(second)).slice(0, 6)}</text>`)}</svg>`;
	/** @type {import('../parts/table.js').Column<typeof rows[0]>[]} */
	const columns = [
		{ name: text.columns.name, row: true, cell: ({ title }) => title },
		{ name: text.columns.next, kind: 'tight', cell: ({ state }) => state },
		{ name: axis, kind: 'axis', cell: ({ shown }) => shown },
		numbers(t.times, ({ times }) => times),
	];
	return html`${heading(text.pages.calendar, { note: t.note, actions: html`<nav class="ranges" aria-label=${text.figures.range}>${[1, 7].map((each) => html`<a href="calendar?days=${each}" aria-current=${each === days ? 'true' : 'false'}>${t.days(each)}</a>`)}</nav>` })}
		${rows.length ? card(list(context, columns, rows, { name: ({ name }) => name, kind: 'fold walk timed' })) : empty('calendar', t.none, text.empty.schedulesHint)}`;
};
