/** Job types: who handles them, with which options, and what is wrong with them. */

import { html, nothing } from '../vendor/lit-html.js';
import { api } from '../parts/api.js';
import { ago, card, empty, errorLine, fact, heading, jobLink, section, typeLink, visible } from '../parts/blocks.js';
import { copies } from '../parts/copy.js';
import { count, duration, number } from '../parts/format.js';
import { icon } from '../parts/icons.js';
import { figureCharts, loadFigures, spark } from '../parts/figures.js';
import { laneTable } from '../parts/lanetable.js';
import { MEASURED_MS } from '../parts/live.js';
import { encodeName } from '../parts/names.js';
import { pauseButton, pauseWord } from '../parts/queuetable.js';
import { stateWord } from '../parts/states.js';
import { workerTable } from '../parts/workertable.js';
import { limitButtons } from './queues.js';
import { buttons, list, numbers } from '../parts/table.js';
import { text } from '../texts/en.js';

const c = text.columns;
const t = text.type;

/** `5 attempts · timeout 30 s`: the options that were given. @param {import('../api').TypeOptions | null} options */
const optionsOf = (options) => {
	const given = Object.entries(options ?? {}).filter(([, value]) => value !== null && value !== false);
	return given.map(([name, value]) => {
		const word = t.options[/** @type {keyof typeof t.options} */ (name)] ?? name;
		return value === true ? word : `${word} ${name.endsWith('Ms') ? duration(value) : value}`;
	});
};

/** @param {import('../api').JobTypeInfo} type */
const trouble = (type) => (type.unhandled && type.unhandled.value > 0 ? html`<span class="state failed">${icon('warning')}<span>${t.unhandled(count(type.unhandled))}</span></span>` : nothing);

/** `WebhookHandler.deliver` of `com.acme.WebhookHandler.deliver(Webhook) of bean 'webhookHandler'`. @param {string} handler */
const shortName = (handler) => /([A-Z][\w$]*(?:\.\w+)?)(?:\(|$| )/.exec(handler)?.[1] ?? handler;

/** @param {import('../api').JobTypeInfo} type */
const handler = ({ handler }) => (handler ? html`<code title=${handler}>${visible(shortName(handler))}</code>` : html`<span class="note">${t.notHere}</span>`);

/** @param {import('../app.js').Context} context @returns {import('../parts/table.js').Column<import('../api').JobTypeInfo>[]} */
const columns = (context) => [
	{ name: c.type, row: true, cell: ({ name }) => typeLink(name), by: ({ name }) => name },
	{ name: c.handler, cell: handler, by: (type) => type.handler && shortName(type.handler) },
	{ name: c.options, kind: 'note options', cell: ({ options }) => html`<span class="clip" title=${visible(optionsOf(options).join(' · '))}>${visible(optionsOf(options).join(' · '))}</span>` },
	numbers(c.workers, ({ workers }) => number(workers), ({ workers }) => workers),
	numbers(c.rate, ({ rates }) => (rates ? number(rates.endedPerMinute) : '–'), ({ rates }) => rates?.endedPerMinute),
	{ name: text.figures.ended, kind: 'tight extra', unseen: true, cell: ({ name, rates }) => spark(name, rates) },
	{ name: c.limit, labelled: true, cell: ({ limit }) => (limit ? visible(limit.text) : nothing), by: ({ limit }) => limit?.text },
	{ name: c.status, cell: (type) => (type.pause ? pauseWord(type.pause, type.name) : trouble(type)), by: ({ unhandled, pause }) => (unhandled?.value ? -unhandled.value : pause ? 1 : null) },
	buttons((type) => pauseButton(context, 'type', type)),
];

/** @type {import('../parts/table.js').Column<import('../api').Failure>[]} */
const failureColumns = [
	{ name: c.failedAt, kind: 'tight', cell: ({ failedAt }) => ago(failedAt), by: ({ failedAt }) => failedAt },
	{ name: c.id, row: true, cell: ({ job }) => jobLink(job) },
	numbers(c.attempt, ({ attempt }) => attempt, ({ attempt }) => attempt),
	{ name: c.error, kind: 'whole', cell: ({ error }) => errorLine(error) },
	{ name: c.state, cell: ({ state }) => (state ? stateWord(state) : '–'), by: ({ state }) => state },
];

/** @type {import('../app.js').Page} */
export const types = {
	title: () => text.pages.types,
	every: MEASURED_MS,
	load: ({ signal }) => api.get('types', signal),
	view: (/** @type {import('../api').Types} */ { items }, context) => html`
		${heading(text.pages.types, { note: items.length ? number(items.length) : '' })}
		${items.length ? card(list(context, columns(context), items, { name: ({ name }) => name, key: ({ name }) => name })) : empty('types', text.empty.types, text.empty.typesHint)}`,
};

/** @type {import('../app.js').Page} */
export const type = {
	title: ({ params }) => visible(params.name),
	every: MEASURED_MS,
	load: async (context) => {
		const { params: { name }, signal } = context;
		const [detail, figures] = await Promise.all([api.get(`types/${encodeName(name)}`, signal), loadFigures(context, { type: name })]);
		return { detail, figures };
	},
	view: (/** @type {{ detail: import('../api').TypeDetail, figures: import('../api').Figures }} */ all, context) => {
		const data = all.detail;
		const { type, payload, lanes, workers, failures } = data;
		return html`${heading(visible(type.name), { above: html`<a href="types">${text.pages.types}</a>`, actions: html`${pauseButton(context, 'type', type)}${limitButtons(context, 'type', type)}${copies({ id: type.name, api: `types/${encodeName(type.name)}`, data })}` })}
			${type.pause ? html`<p class="sentence paused">${pauseWord(type.pause, type.name)}</p>` : nothing}
			${type.unhandled?.value ? html`<p class="sentence failed">${t.unhandled(count(type.unhandled))}.</p>` : nothing}
			${card(html`<dl class="facts">
				${fact(c.handler, type.handler ? html`<code title=${type.handler}>${visible(shortName(type.handler))}</code>` : t.notHere)}
				${type.handler ? fact(text.job.payload, payload ? html`<code>${visible(payload.type)}</code>` : t.noPayload) : nothing}
				${fact(c.options, visible(optionsOf(type.options).join(' · ') || t.defaults))}
				${fact(c.limit, visible(type.limit?.text ?? '–'))}
					${fact(c.workers, number(type.workers))}
				${fact(c.jobs, /** @type {const} */ (['failed', 'running', 'queued']).map((state) => html`<a href="jobs?${new URLSearchParams({ state, type: type.name })}">${stateWord(state)}</a> `))}
				${fact(text.pages.errors, html`<a href="errors?${new URLSearchParams({ type: type.name })}">${text.page.show}</a>`)}</dl>`)}
			${figureCharts(all.figures, context, `types/${encodeName(type.name)}`)}
			${payload ? section(t.schema, payload.schema ? html`<q-json label=${t.schema} .text=${payload.schema}></q-json>` : html`<p class="quiet-line">${visible(payload.reason ?? '')}</p>`) : nothing}
			${section(text.queue.lanes, lanes.length ? laneTable(lanes, context) : html`<p class="quiet-line">${text.empty.lanes}</p>`, { note: text.queue.lanesNote })}
			${section(text.overview.failures, failures.length ? list(context, failureColumns, failures, { id: 'failures', name: ({ job }) => String(job), kind: 'fold' }) : html`<p class="quiet-line">${text.overview.noFailures}</p>`)}
			${section(text.queue.workers, workers.length ? workerTable(workers, context) : empty('workers', text.empty.workers, text.empty.workersHint))}`;
	},
};
