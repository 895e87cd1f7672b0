/** Recurring jobs, and one of them with its next times. */

import { html, nothing } from '../vendor/lit-html.js';
import { onSchedule } from '../parts/actions.js';
import { api } from '../parts/api.js';
import { ago, clock, empty, fact, heading, jobLink, mayBeHidden, queueLink, scheduleLink, section, typeLink, visible } from '../parts/blocks.js';
import { copies } from '../parts/copy.js';
import { duration } from '../parts/format.js';
import { glyph, icon } from '../parts/icons.js';
import { encodeName } from '../parts/names.js';
import { isHome } from '../parts/shards.js';
import { stateWord } from '../parts/states.js';
import { byName, table } from '../parts/table.js';
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
const rhythm = ({ rhythm, zone }) => html`<code>${visible(rhythm)}</code>${zone ? html` <span class="note">${visible(zone)}</span>` : nothing}`;

/** @param {Schedule} schedule @param {import('../app.js').Context} context @param {boolean} small */
const buttons = (schedule, context, small) => {
	if (!context.may('operate')) {
		return nothing;
	}
	const actions = onSchedule(context, schedule);
	const size = small ? 'small quiet' : '';
	return html`<button type="button" class=${size} aria-label="${text.actions.trigger}: ${schedule.name}" title=${text.actions.trigger} @click=${actions.trigger}>${icon('play')}${small ? nothing : text.actions.trigger}</button>
		${schedule.state === 'paused' ? html`<button type="button" class=${small ? 'small' : ''} @click=${actions.resume}>${text.actions.resume}</button>`
			: schedule.state === 'active' ? html`<button type="button" class=${size} aria-label="${text.actions.pause}: ${schedule.name}" title=${text.actions.pause} @click=${actions.pause}>${icon('pause')}${small ? nothing : text.actions.pause}</button>` : nothing}
		${small ? nothing : html`<button type="button" @click=${actions.backfill}>${text.actions.backfill}</button>`}
		${small || !context.may('admin') ? nothing : html`<button type="button" class="danger" @click=${actions.remove}>${text.actions.remove}</button>`}`;
};

/** @param {Schedule} schedule */
const lastRun = ({ lastJob, lastRunAt }) => (lastRunAt ? html`${ago(lastRunAt)} ${lastJob ? jobLink(lastJob.id) : nothing}` : html`<span class="note">${t.never}</span>`);

/** @param {import('../api').ScheduleRun} run */
const run = ({ id, dueAt, state, startedAt, endedAt, origin }) => html`<tr><th scope="row">${clock(dueAt)}</th><td data-label=${t.columns.job}>${jobLink(id)}</td>
	<td>${state ? stateWord(state) : html`<span class="note">${t.gone}</span>`}</td><td class="tight" data-label=${t.columns.started}>${startedAt ? clock(startedAt) : '–'}</td>
	<td class="tight" data-label=${t.columns.took}>${startedAt && endedAt ? duration(Date.parse(endedAt) - Date.parse(startedAt)) : '–'}</td>
	<td data-label=${t.columns.origin}>${t.origin[origin]}</td></tr>`;

/** @type {import('../app.js').Page} */
export const schedules = {
	title: () => text.pages.schedules,
	load: ({ signal }) => api.get('schedules', signal),
	view: (/** @type {import('../api').SchedulesList} */ { items }, context) => {
		const { field, found } = byName(context, items);
		return html`${heading(text.pages.schedules)}${field}
		${items.length ? table([c.name, c.rhythm, c.next, c.last, c.type, c.queue, c.status, [c.actions, '', true]],
			found.map((schedule) => html`<tr><th scope="row">${scheduleLink(schedule.name)}</th><td>${rhythm(schedule)}</td>
				<td class="tight" data-label=${c.next}>${schedule.state === 'active' ? ago(schedule.nextRunAt) : '–'}</td>
				<td class="tight" data-label=${c.last}>${lastRun(schedule)}</td>
				<td>${typeLink(schedule.type)}</td><td>${queueLink(schedule.queue)}</td><td>${state(schedule)}</td>
					<td class="actions">${buttons(schedule, context, true)}</td></tr>`), 'fold walk') : empty(text.empty.schedules, isHome() ? text.empty.schedulesHint : text.shard.noSchedules)}`;
	},
};

/** @type {import('../app.js').Page} */
export const schedule = {
	title: ({ params }) => visible(params.name),
	load: ({ params, signal }) => api.get(`schedules/${encodeName(params.name)}`, signal),
	view: (/** @type {import('../api').ScheduleDetail} */ data, context) => {
		const { schedule, fires, runs } = data;
		return html`${heading(visible(schedule.name), { above: html`<a href="schedules">${text.pages.schedules}</a>`, note: state(schedule), actions: html`${buttons(schedule, context, false)}${copies({ id: schedule.name, api: `schedules/${encodeName(schedule.name)}`, data })}` })}
			<dl class="facts">
				${fact(c.rhythm, rhythm(schedule))}${fact(c.next, schedule.nextRunAt ? html`${clock(schedule.nextRunAt)} <span class="note">${ago(schedule.nextRunAt)}</span>` : '–')}${fact(c.last, lastRun(schedule))}
				${fact(c.type, typeLink(schedule.type))}${fact(c.queue, queueLink(schedule.queue))}${fact(c.priority, schedule.priority)}
				${fact(t.words.missed, t.missed[schedule.missed])}${fact(t.words.overlap, t.overlap[schedule.overlap])}${fact(t.words.tolerance, duration(schedule.toleranceMs))}${schedule.jitterMs ? fact(t.words.jitter, duration(schedule.jitterMs)) : nothing}
				${schedule.from ? fact(t.words.from, clock(schedule.from)) : nothing}${schedule.until ? fact(t.words.until, clock(schedule.until)) : nothing}
				${schedule.calendar && schedule.excluded ? fact(t.words.calendar, html`${visible(schedule.calendar)} <span class="note">${t.excluded[schedule.excluded]}</span>`) : nothing}
				${fact(t.words.source, t.source[schedule.source])}${schedule.lastSkippedAt ? fact(t.skippedAt, clock(schedule.lastSkippedAt)) : nothing}</dl>
			<div class="split">${section(t.fires, fires.length ? html`<ol class="events">${fires.map((at) => html`<li>${clock(at)}${glyph('scheduled')}<span class="note">${ago(at)}</span></li>`)}</ol>` : html`<p class="quiet-line">${t.never}</p>`)}
			${schedule.payload ? section(t.payload, mayBeHidden(schedule.payload, (plain) => html`<q-json .text=${plain}></q-json>`)) : nothing}</div>
			${section(t.runs, runs.length ? table([t.columns.due, t.columns.job, t.columns.state, t.columns.started, t.columns.took, t.columns.origin],
				runs.map(run), 'fold walk') : html`<p class="quiet-line">${t.noRuns}</p>`)}`;
	},
};
