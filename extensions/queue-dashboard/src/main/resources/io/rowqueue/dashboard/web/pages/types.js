/** Job types: who handles them, with which options, and what is wrong with them. */

import { html, nothing } from '../vendor/lit-html.js';
import { api } from '../parts/api.js';
import { ago, empty, errorLine, fact, heading, jobLink, section, typeLink, visible } from '../parts/blocks.js';
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
import { byName, table } from '../parts/table.js';
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

/** @type {import('../app.js').Page} */
export const types = {
	title: () => text.pages.types,
	every: MEASURED_MS,
	load: ({ signal }) => api.get('types', signal),
	view: (/** @type {import('../api').Types} */ { items }, context) => {
		const { field, found } = byName(context, items);
		return html`${heading(text.pages.types, { note: items.length ? number(items.length) : '' })}${field}
		${items.length ? table([c.type, c.handler, c.options, [c.workers], [c.rate], [text.figures.ended, '', true], c.limit, c.status, [c.actions, '', true]],
			found.map((type) => html`<tr><th scope="row">${typeLink(type.name)}</th><td>${handler(type)}</td>
			<td class="note options"><span class="clip" title=${visible(optionsOf(type.options).join(' · '))}>${visible(optionsOf(type.options).join(' · '))}</span></td>
			<td class="number" data-label=${c.workers}>${number(type.workers)}</td>
			<td class="number" data-label=${c.rate}>${type.rates ? number(type.rates.endedPerMinute) : '–'}</td><td class="tight">${spark(type.name, type.rates)}</td><td>${visible(type.limit?.text ?? '')}</td><td>${type.pause ? pauseWord(type.pause) : trouble(type)}</td>
				<td class="actions">${pauseButton(context, 'type', type)}</td></tr>`), 'fold walk') : empty(text.empty.types, text.empty.typesHint)}`;
	},
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
		const { type, lanes, workers, failures } = data;
		return html`${heading(visible(type.name), { above: html`<a href="types">${text.pages.types}</a>`, actions: html`${pauseButton(context, 'type', type)}${limitButtons(context, 'type', type)}${copies({ id: type.name, api: `types/${encodeName(type.name)}`, data })}` })}
			${type.pause ? html`<p class="sentence paused">${pauseWord(type.pause)}</p>` : nothing}
			${type.unhandled?.value ? html`<p class="sentence failed">${t.unhandled(count(type.unhandled))}.</p>` : nothing}
			<dl class="facts">
				${fact(c.handler, type.handler ? html`<code title=${type.handler}>${visible(shortName(type.handler))}</code>` : t.notHere)}
				${fact(c.options, visible(optionsOf(type.options).join(' · ') || t.defaults))}
				${fact(c.limit, visible(type.limit?.text ?? '–'))}
					${fact(c.workers, number(type.workers))}
				${fact(c.jobs, /** @type {const} */ (['failed', 'running', 'queued']).map((state) => html`<a href="jobs?${new URLSearchParams({ state, type: type.name })}">${stateWord(state)}</a> `))}
				${fact(text.pages.errors, html`<a href="errors?${new URLSearchParams({ type: type.name })}">${text.page.show}</a>`)}
					</dl>
			${figureCharts(all.figures, context, `types/${encodeName(type.name)}`)}
			${section(text.queue.lanes, lanes.length ? laneTable(lanes) : html`<p class="quiet-line">${text.empty.lanes}</p>`, { note: text.queue.lanesNote })}
			${section(text.overview.failures, failures.length ? table([c.failedAt, c.id, [c.attempt], c.error, c.state],
				failures.map((failure) => html`<tr><td class="tight">${ago(failure.failedAt)}</td>
					<th scope="row">${jobLink(failure.job)}</th><td class="number" data-label=${c.attempt}>${failure.attempt}</td>
					<td class="whole">${errorLine(failure.error)}</td>
					<td>${failure.state ? stateWord(failure.state) : '–'}</td></tr>`)) : html`<p class="quiet-line">${text.overview.noFailures}</p>`)}
			${section(text.queue.workers, workers.length ? workerTable(workers) : empty(text.empty.workers, text.empty.workersHint))}`;
	},
};
