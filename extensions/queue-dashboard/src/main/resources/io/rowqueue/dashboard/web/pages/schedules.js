/** Recurring jobs, and one of them with its next times. */

import { html, nothing } from '../vendor/lit-html.js';
import { onSchedule } from '../parts/actions.js';
import { api } from '../parts/api.js';
import { ago, card, clock, empty, fact, heading, jobLink, mayBeHidden, queueLink, scheduleLink, section, typeLink, visible } from '../parts/blocks.js';
import { copies } from '../parts/copy.js';
import { inWords } from '../parts/cron.js';
import { duration, number } from '../parts/format.js';
import { glyph, icon } from '../parts/icons.js';
import { encodeName } from '../parts/names.js';
import { isHome } from '../parts/shards.js';
import { stateWord } from '../parts/states.js';
import { buttons as buttonsOf, list } from '../parts/table.js';
import { text } from '../texts/en.js';

const c = text.columns;
const t = text.schedule;

/** @typedef {import('../api').Schedule} Schedule */

/** @param {Schedule} schedule */
const state = ({ state, pauseReason, undeclaredAt }) => {
	const marks = { active: 'succeeded', paused: 'paused', disabled: 'blocked', ended: 'cancelled' };
	return html`<span class="state ${state}">${glyph(/** @type {any} */ (marks[state]))}<span>${t.states[state]}</span></span>
		<span class="note">${state === 'paused' && pauseReason ? `· ${visible(pauseReason)}` : state === 'disabled' ? html`· ${t.disabled} ${ago(undeclaredAt)}` : nothing}</span>`;
};

/** @param {Schedule} schedule */
const rhythm = ({ rhythm, zone }) => {
	const words = inWords(rhythm);
	return html`${words ? html`<span class="words" title=${visible(rhythm)}>${words}</span>` : html`<code>${visible(rhythm)}</code>`}${zone ? html` <span class="note">${visible(zone)}</span>` : nothing}`;
};

/** @param {Schedule} schedule @param {import('../app.js').Context} context @param {boolean} small */
const buttons = (schedule, context, small) => {
	if (!context.may('operate')) {
		return nothing;
	}
	const actions = onSchedule(context, schedule);
	const size = small ? 'small quiet verb' : '';
	return html`<button type="button" class=${size} aria-label="${text.actions.trigger}: ${schedule.name}" title=${text.actions.trigger} @click=${actions.trigger}>${icon('play')}<span>${text.actions.trigger}</span></button>
		${schedule.state === 'paused' ? html`<button type="button" class=${small ? 'small' : ''} @click=${actions.resume}>${text.actions.resume}</button>`
			: schedule.state === 'active' ? html`<button type="button" class=${size} aria-label="${text.actions.pause}: ${schedule.name}" title=${text.actions.pause} @click=${actions.pause}>${icon('pause')}<span>${text.actions.pause}</span></button>` : nothing}
		${small ? nothing : html`<button type="button" @click=${actions.backfill}>${text.actions.backfill}</button>`}
		${small || !context.may('admin') ? nothing : html`<button type="button" class="danger" @click=${actions.remove}>${text.actions.remove}</button>`}`;
};

/** @param {Schedule} schedule */
const lastRun = ({ lastJob, lastRunAt }) => (lastRunAt ? html`${ago(lastRunAt)} ${lastJob ? jobLink(lastJob.id) : nothing}` : html`<span class="note">${t.never}</span>`);

/** @type {import('../parts/table.js').Column<import('../api').ScheduleRun>[]} */
const runs = [
	{ name: t.columns.due, row: true, cell: ({ dueAt }) => clock(dueAt), by: ({ dueAt }) => dueAt },
	{ name: t.columns.job, labelled: true, cell: ({ id }) => jobLink(id) },
	{ name: t.columns.state, cell: ({ state }) => (state ? stateWord(state) : html`<span class="note">${t.gone}</span>`), by: ({ state }) => state },
	{ name: t.columns.started, kind: 'tight', labelled: true, cell: ({ startedAt }) => (startedAt ? clock(startedAt) : '–') },
	{ name: t.columns.took, kind: 'number', cell: (run) => duration(took(run)), by: (run) => took(run) },
	{ name: t.columns.origin, labelled: true, cell: ({ origin }) => t.origin[origin], by: ({ origin }) => origin },
];

/** @param {import('../api').ScheduleRun} run */
const took = ({ startedAt, endedAt }) => (startedAt && endedAt ? Date.parse(endedAt) - Date.parse(startedAt) : null);

/** @param {import('../app.js').Context} context @returns {import('../parts/table.js').Column<Schedule>[]} */
const columns = (context) => [
	{ name: c.name, row: true, cell: ({ name }) => scheduleLink(name), by: ({ name }) => name },
	{ name: c.rhythm, cell: rhythm, by: ({ rhythm }) => rhythm },
	{ name: c.next, kind: 'tight', labelled: true, cell: (schedule) => (schedule.state === 'active' ? ago(schedule.nextRunAt) : '–'), by: ({ state, nextRunAt }) => (state === 'active' ? nextRunAt : null) },
	{ name: c.last, kind: 'tight', labelled: true, cell: lastRun, by: ({ lastRunAt }) => lastRunAt },
	{ name: c.type, cell: ({ type }) => typeLink(type), by: ({ type }) => type },
	{ name: c.queue, kind: 'extra', cell: ({ queue }) => queueLink(queue), by: ({ queue }) => queue },
	{ name: c.status, cell: state, by: (schedule) => t.states[schedule.state] },
	buttonsOf((schedule) => buttons(schedule, context, true)),
];

/** @type {import('../app.js').Page} */
export const schedules = {
	title: () => text.pages.schedules,
	load: ({ signal }) => api.get('schedules', signal),
	view: (/** @type {import('../api').SchedulesList} */ { items }, context) => html`${heading(text.pages.schedules, { note: items.length ? number(items.length) : '' })}
		${items.length ? card(list(context, columns(context), items, { name: ({ name, type, queue }) => `${name} ${type} ${queue}`, key: ({ name }) => name }))
			: empty('schedules', text.empty.schedules, isHome() ? text.empty.schedulesHint : text.shard.noSchedules)}`,
};

/** @type {import('../app.js').Page} */
export const schedule = {
	title: ({ params }) => visible(params.name),
	load: ({ params, signal }) => api.get(`schedules/${encodeName(params.name)}`, signal),
	view: (/** @type {import('../api').ScheduleDetail} */ data, context) => {
		const { schedule, fires } = data;
		return html`${heading(visible(schedule.name), { above: html`<a href="schedules">${text.pages.schedules}</a>`, note: state(schedule), actions: html`${buttons(schedule, context, false)}${copies({ id: schedule.name, api: `schedules/${encodeName(schedule.name)}`, data })}` })}
			${card(html`<dl class="facts">
				${fact(c.rhythm, html`${rhythm(schedule)}${inWords(schedule.rhythm) ? html` <code class="note">${visible(schedule.rhythm)}</code>` : nothing}`)}${fact(c.next, schedule.nextRunAt ? html`${clock(schedule.nextRunAt)} <span class="note">${ago(schedule.nextRunAt)}</span>` : '–')}${fact(c.last, lastRun(schedule))}
				${fact(c.type, typeLink(schedule.type))}${fact(c.queue, queueLink(schedule.queue))}${fact(c.priority, schedule.priority)}
				${fact(t.words.missed, t.missed[schedule.missed])}${fact(t.words.overlap, t.overlap[schedule.overlap])}${fact(t.words.tolerance, duration(schedule.toleranceMs))}${schedule.jitterMs ? fact(t.words.jitter, duration(schedule.jitterMs)) : nothing}
				${schedule.from ? fact(t.words.from, clock(schedule.from)) : nothing}${schedule.until ? fact(t.words.until, clock(schedule.until)) : nothing}
				${schedule.calendar && schedule.excluded ? fact(t.words.calendar, html`${visible(schedule.calendar)} <span class="note">${t.excluded[schedule.excluded]}</span>`) : nothing}
				${fact(t.words.source, t.source[schedule.source])}${schedule.lastSkippedAt ? fact(t.skippedAt, clock(schedule.lastSkippedAt)) : nothing}</dl>`)}
			<div class="split">${section(t.fires, fires.length ? html`<ol class="events">${fires.map((at) => html`<li>${clock(at)}${glyph('scheduled')}<span class="note">${ago(at)}</span></li>`)}</ol>` : html`<p class="quiet-line">${t.never}</p>`)}
			${schedule.payload ? section(t.payload, mayBeHidden(schedule.payload, (plain) => html`<q-json .text=${plain}></q-json>`)) : nothing}</div>
			${section(t.runs, data.runs.length ? list(context, runs, data.runs, { name: ({ id, state }) => `${id} ${state ?? ''}` }) : html`<p class="quiet-line">${t.noRuns}</p>`)}`;
	},
};
