/** What people look at first: what needs attention, six figures, two charts, the queues, the latest failures. */

import { html, nothing } from '../vendor/lit-html.js';
import { api } from '../parts/api.js';
import { ago, empty, errorLine, finding, heading, jobLink, measured, queueLink, section, skeleton, typeLink } from '../parts/blocks.js';
import { compact, count, duration, number, percent } from '../parts/format.js';
import { figureCharts, loadFigures } from '../parts/figures.js';
import { MEASURED_MS } from '../parts/live.js';
import { queueTable } from '../parts/queuetable.js';
import { shardTable } from '../parts/shards.js';
import { meter, stateWord } from '../parts/states.js';
import { table } from '../parts/table.js';
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
const figure = (name, value, under, href, tone = '') => html`<a href=${href}><dl><dt>${name}</dt><dd class="figure ${tone}">${value}</dd><dd class="under">${under}</dd></dl></a>`;

/** @param {import('../api').Overview} overview @param {import('../api').Figures} history */
const figures = ({ jobs, slots, workers, oldestMs, rates }, { series }) => html`<div class="figures">
	${figure(t.waiting, count(jobs.queued), jobs.scheduled ? t.scheduled(count(jobs.scheduled)) : '', 'jobs?state=queued')}
	${figure(t.running, number(slots.held), html`${meter(slots.held, slots.total, `${number(slots.held)} ${t.ofSlots(slots.total)}`)}<span>${t.ofSlots(slots.total)}</span>`, 'jobs?state=running')}
	${rates ? figure(t.ended, compact(Math.round(rates.endedPerMinute)), t.perMinuteFailed(percent(rates.failedPerMinute, rates.endedPerMinute), rates.retriedPerMinute), 'jobs?state=ended')
		: figure(text.states.scheduled.replace(/^s/, 'S'), count(jobs.scheduled), '', 'jobs?state=scheduled')}
	${figure(t.failing, count(jobs.failed), jobs.failed ? t.toRetry : '', 'jobs?state=failed', jobs.failed ? 'failed' : '')}
	${figure(t.oldest, duration(oldestMs), oldestMs == null ? t.nothingWaits : html`<q-chart kind="spark" label=${t.waitChart} .series=${[{ name: '', tone: 'accent', values: series.oldest ?? [] }]}></q-chart>`, 'jobs?state=queued')}
	${figure(t.workers, number(workers.alive), workers.dead ? html`<span class="state failed">${t.deadWorkers(workers.dead)}</span>` : workers.alive ? t.allAlive : t.nothingRuns, 'workers', workers.alive ? '' : 'warning')}
</div>`;

/** @param {import('../api').Failure[]} failures */
const failureTable = (failures) => table([text.columns.failedAt, text.columns.id, text.columns.type, text.columns.queue, [text.columns.attempt], text.columns.error, text.columns.state],
	failures.map((failure) => html`<tr><td class="tight">${ago(failure.failedAt)}</td><th scope="row">${jobLink(failure.job)}</th>
		<td>${failure.type ? typeLink(failure.type) : '–'}</td><td>${failure.queue ? queueLink(failure.queue) : '–'}</td>
			<td class="number" data-label=${text.columns.attempt}>${failure.attempt}</td>
		<td class="whole">${errorLine(failure.error)}</td>
			<td>${failure.state ? stateWord(failure.state) : '–'}</td></tr>`));

/** @param {import('../api').Overview} overview */
const problems = (overview) => (overview.problems.length
	? html`<ul class="findings" aria-label=${t.problems}>${overview.problems.map(finding)}</ul>` : nothing);

/** @param {Data | null} data @param {import('../app.js').Context} context */
export const view = (data, context) => {
	if (!data) {
		return skeleton();
	}
	const { overview } = data;
	return html`
		${heading(text.pages.overview, { note: measured(overview) })}
		${problems(overview)}
		${figures(overview, data.figures)}
		${figureCharts(data.figures, context, '')}
		${data.shards ? shardTable(data.shards) : nothing}
		${section(t.queues, overview.queues.length ? queueTable(overview.queues, context) : empty(text.empty.queues, t.noQueues), { note: overview.queues.length < overview.knownQueues ? t.someQueues(overview.queues.length, overview.knownQueues) : '', side: html`<a class="more" href="queues">${text.page.all}</a>` })}
		${section(t.failures, overview.failures.length ? failureTable(overview.failures) : html`<p class="quiet-line">${t.noFailures}</p>`,
			{ side: html`<a class="more" href="jobs?state=failed">${text.states.failed}</a>` })}`;
};
