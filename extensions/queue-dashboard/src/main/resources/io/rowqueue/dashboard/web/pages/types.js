/** Job types: who handles them, with which options, and what is wrong with them. */

import { html, nothing } from '../vendor/lit-html.js';
import { api, query } from '../parts/api.js';
import { card, empty, fact, heading, section, typeLink, visible } from '../parts/blocks.js';
import { copies } from '../parts/copy.js';
import { count, duration, number } from '../parts/format.js';
import { icon } from '../parts/icons.js';
import { figureCharts, loadFigures } from '../parts/figures.js';
import { MEASURED_MS } from '../parts/live.js';
import { encodeName } from '../parts/names.js';
import { claimButtons, jobColumns, jobFacts, limitNote, pauseButton, pauseWord } from '../parts/queuetable.js';
import { stateBar, stateLegend } from '../parts/states.js';
import { workerTable } from '../parts/workertable.js';
import { buttons, list, numbers } from '../parts/table.js';
import { errorColumns, short } from './errors.js';
import { laneTable } from './lanes.js';
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
const trouble = (type) => (type.unhandled && type.unhandled.value > 0 ? html`<span class="state failed">${icon('warning')}${text.queue.noWorkers}</span>` : nothing);

/** `WebhookHandler.deliver` of `com.acme.WebhookHandler.deliver(Webhook) of bean 'webhookHandler'`. @param {string} handler */
const shortName = (handler) => /([A-Z][\w$]*(?:\.\w+)?)(?:\(|$| )/.exec(handler)?.[1] ?? handler;

/** @param {import('../api').JobTypeInfo} type */
const handlerOf = ({ handler }) => (handler ? html`<code title=${handler}>${visible(shortName(handler))}</code>` : html`<span class="note">${t.notHere}</span>`);

/** @param {import('../app.js').Context} context @param {import('../api').JobTypeInfo[]} all @returns {import('../parts/table.js').Column<import('../api').JobTypeInfo>[]} */
const columns = (context, all) => [
	{ name: c.type, row: true, cell: ({ name }) => typeLink(name), by: ({ name }) => name },
	...jobColumns('type', all),
	numbers(c.workers, ({ workers }) => number(workers), ({ workers }) => workers, { kind: 'number extra' }),
	{ name: c.status, kind: 'wide', cell: (type) => html`${type.pause ? pauseWord(type.pause, type.name) : trouble(type)}${limitNote(type.limit)}`, by: ({ unhandled, pause }) => (unhandled?.value ? -unhandled.value : pause ? 1 : null) },
	buttons((type) => pauseButton(context, 'type', type)),
];

/** @type {import('../app.js').Page} */
export const types = {
	title: () => text.pages.types,
	every: MEASURED_MS,
	load: ({ signal }) => api.get('types', signal),
	view: (/** @type {import('../api').Types} */ { items }, context) => html`
		${heading(text.pages.types, { note: items.length ? number(items.length) : '' })}
		${items.length ? card(list(context, columns(context, items), items, { name: ({ name }) => name, key: ({ name }) => name, above: stateLegend(items) })) : empty('types', text.empty.types, text.empty.typesHint)}`,
};

/** @type {import('../app.js').Page} */
export const type = {
	title: ({ params }) => visible(params.name),
	every: MEASURED_MS,
	load: async (context) => {
		const { params: { name }, signal } = context;
		const [detail, figures, errors] = await Promise.all([api.get(`types/${encodeName(name)}`, signal), loadFigures(context, { type: name }), api.get(`errors${query({ status: 'open', type: name })}`, signal)]);
		return { detail, figures, errors };
	},
	view: (/** @type {{ detail: import('../api').TypeDetail, figures: import('../api').Figures, errors: import('../api').Errors }} */ all, context) => {
		const data = all.detail;
		const { type, payload, lanes, workers } = data;
		const { items: errors } = all.errors;
		return html`${heading(visible(type.name), { above: html`<a href="types">${text.pages.types}</a>`, actions: html`${claimButtons(context, 'type', type)}${copies({ id: type.name, api: `types/${encodeName(type.name)}`, data })}` })}
			${type.pause ? html`<p class="sentence paused">${pauseWord(type.pause, type.name)}</p>` : nothing}
			${type.unhandled?.value ? html`<p class="sentence failed">${t.unhandled(count(type.unhandled))}.</p>` : nothing}
			${card(html`<dl class="facts">
				${jobFacts('type', type)}
				${fact(c.workers, number(type.workers))}
				${fact(c.limit, visible(type.limit?.text ?? '–'))}
				${fact(c.options, visible(optionsOf(type.options).join(' · ') || t.defaults))}
				${fact(c.handler, handlerOf(type))}
				${type.handler ? fact(text.job.payload, payload ? html`<code title=${payload.type}>${short(payload.type)}</code>` : t.noPayload) : nothing}</dl>
			${Object.keys(type.jobs).length ? stateBar(type.jobs) : nothing}`)}
			${figureCharts(all.figures, context, `types/${encodeName(type.name)}`)}
			${section(text.pages.errors, errors.length ? list(context, errorColumns.filter(({ name }) => name !== c.type), errors, { id: 'errors', name: ({ exception }) => exception }) : html`<p class="quiet-line">${text.errors.none.open}.</p>`, { side: html`<a class="more" href="errors${query({ type: type.name })}">${text.overview.allErrors}${icon('next')}</a>` })}
			${section(text.queue.lanes, lanes.length ? laneTable(lanes, context) : html`<p class="quiet-line">${text.empty.lanes}</p>`, { note: text.queue.lanesNote })}
			${section(text.queue.workers, workers.length ? workerTable(workers, context, false) : html`<p class="quiet-line">${text.queue.unserved}</p>`)}
			${payload ? section(t.schema, payload.schema ? html`<q-json label=${t.schema} .text=${payload.schema}></q-json>` : html`<p class="quiet-line">${visible(payload.reason ?? '')}</p>`) : nothing}`;
	},
};
