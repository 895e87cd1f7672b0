/** What people look at first: what needs attention, six figures, two charts, the queues, the latest failures. */

import { html, nothing } from '../vendor/lit-html.js';
import { api } from '../parts/api.js';
import { ago, empty, errorLine, finding, heading, jobLink, measured, section, skeleton, typeLink } from '../parts/blocks.js';
import { compact, count, duration, number, percent } from '../parts/format.js';
import { figureCharts, loadFigures } from '../parts/figures.js';
import { glyph, icon } from '../parts/icons.js';
import { MEASURED_MS } from '../parts/live.js';
import { queueTable } from '../parts/queuetable.js';
import { shardTable } from '../parts/shards.js';
import { meter } from '../parts/states.js';
import { numbers, table } from '../parts/table.js';
import { text } from '../texts/en.js';

const t = text.overview;

/** @typedef {{ overview: import('../api').Overview, figures: import('../api').Figures, shards: import('../api').Shards | null }} Data */

export const title = () => text.pages.overview;

export const every = MEASURED_MS;

/** @param {import('../app.js').Context} context @returns {Promise<Data>} */
export const load = async (context) => {
	const [overview, figures, shards] = await Promise.all([api.get('overview', context.signal), loadFigures(context),
		context.session.shards ? api.lately('shards', MEASURED_MS, context.signal) : null]);
	return { overview, figures, shards };
};

/** @param {string} name @param {unknown} value @param {unknown} under @param {string} href @param {string} [tone] */
const figure = (name, value, under, href, tone = '') => html`<a href=${href} class=${tone}><dl><dt>${name}</dt><dd class="figure ${tone}">${value}</dd><dd class="under">${under}</dd></dl></a>`;

/** @param {import('../api').Overview} overview @param {import('../api').Figures} history */
const figures = ({ jobs, slots, workers, oldestMs, rates }, { series }) => html`<div class="figures">
	${figure(t.waiting, count(jobs.queued), jobs.scheduled ? t.scheduled(count(jobs.scheduled)) : '', 'jobs?state=queued')}
	${figure(t.running, number(slots.held), html`${meter(slots.held, slots.total, `${number(slots.held)} ${t.ofSlots(slots.total)}`)}<span>${t.ofSlots(slots.total)}</span>`, 'jobs?state=running')}
	${rates ? figure(t.ended, compact(Math.round(rates.endedPerMinute)), rates.endedPerMinute || rates.retriedPerMinute ? t.perMinuteFailed(percent(rates.failedPerMinute, rates.endedPerMinute), rates.retriedPerMinute) : '', 'jobs?state=ended')
		: figure(text.states.scheduled.replace(/^s/, 'S'), count(jobs.scheduled), '', 'jobs?state=scheduled')}
	${figure(t.failing, count(jobs.failed), jobs.failed ? t.toRetry : '', 'jobs?state=failed', jobs.failed ? 'failed' : '')}
	${figure(t.oldest, duration(oldestMs), oldestMs == null ? t.nothingWaits : html`<q-chart kind="spark" label=${t.waitChart} .series=${[{ name: '', tone: 'accent', values: series.oldest ?? [] }]}></q-chart>`, 'jobs?state=queued')}
	${figure(t.workers, number(workers.alive), workers.dead ? html`<span class="state failed">${t.deadWorkers(workers.dead)}</span>` : workers.alive ? t.allAlive : t.nothingRuns, 'workers', workers.alive ? '' : 'warning')}
</div>`;

/** Attempts of a type that failed with the same error, the latest first. @typedef {{ failures: import('../api').Failure[], latest: import('../api').Failure }} Alike */

/** @param {import('../api').Failure[]} failures @returns {Alike[]} */
const alike = (failures) => {
	/** @type {Map<string, import('../api').Failure[]>} */
	const groups = new Map();
	failures.forEach((failure) => {
		const key = JSON.stringify([failure.type, failure.error]);
		groups.set(key, [...(groups.get(key) ?? []), failure]);
	});
	return [...groups.values()].map((group) => ({ failures: group, latest: group[0] }));
};

/** @type {import('../parts/table.js').Column<Alike>[]} */
const failureColumns = [
	{ name: text.columns.error, row: true, kind: 'whole', cell: ({ latest }) => errorLine(latest.error) },
	{ name: text.columns.type, cell: ({ latest }) => (latest.type ? typeLink(latest.type) : '–') },
	{ name: text.columns.jobs, cell: ({ failures }) => html`<span class="tags">${[...new Map(failures.map((failure) => [failure.job, failure])).values()].map(({ job, state }) => html`<span class="job-of">${state ? glyph(/** @type {any} */ (state)) : nothing}${jobLink(job)}</span>`)}</span>` },
	numbers(t.attempts, ({ failures }) => number(failures.length)),
	{ name: text.columns.failedAt, kind: 'tight', cell: ({ latest }) => ago(latest.failedAt) },
];

/** More findings are behind a button: the figures stay in sight. */
const MOST = 4;

/** @param {import('../api').Overview} overview @param {import('../app.js').Context} context */
const problems = ({ problems: found, measuredAt, jobs: { failed } }, { local, set }) => {
	/** @type {import('../api').Finding[]} */
	const problems = failed ? [...found, { id: 'failed', level: 'info', title: t.failedJobs(count(failed), failed.value), detail: null, advice: null, link: 'errors', since: null }] : found;
	if (!problems.length) {
		return measuredAt ? html`<p class="calm">${icon('ok')}<span>${t.calm}</span></p>` : nothing;
	}
	const shown = local.allProblems ? problems : problems.slice(0, problems.length > MOST + 1 ? MOST : MOST + 1);
	return html`<section class="attention" aria-label=${t.problems}><ul class="findings">${shown.map(finding)}</ul>
		${shown.length < problems.length ? html`<button type="button" class="quiet small" @click=${() => set({ allProblems: true })}>${t.moreProblems(problems.length - shown.length)}</button>` : nothing}</section>`;
};

/** @param {Data | null} data @param {import('../app.js').Context} context */
export const view = (data, context) => {
	if (!data) {
		return skeleton();
	}
	const { overview } = data;
	const whole = overview.queues.length === overview.knownQueues.value;
	return html`
		${heading(text.pages.overview, { note: measured(overview) })}
		${problems(overview, context)}
		${figures(overview, data.figures)}
		${figureCharts(data.figures, context, '')}
		${data.shards ? shardTable(data.shards) : nothing}
		${section(t.queues, overview.queues.length ? queueTable(overview.queues, context, { whole }) : empty('queues', text.empty.queues, t.noQueues), {
			note: whole ? '' : t.someQueues(overview.queues.length, count(overview.knownQueues)), side: html`<a class="more" href="queues">${t.allQueues}${icon('next')}</a>` })}
		${section(t.failures, overview.failures.length ? table(failureColumns, alike(overview.failures)) : html`<p class="quiet-line">${t.noFailures}</p>`,
			{ side: html`<a class="more" href="errors">${t.allErrors}${icon('next')}</a>` })}`;
};
