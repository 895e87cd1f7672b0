/** All queues, and one of them with its lanes and workers. */

import { html, nothing } from '../vendor/lit-html.js';
import { onClaims, onLimit } from '../parts/actions.js';
import { api, query } from '../parts/api.js';
import { card, empty, fact, heading, measured, section, visible } from '../parts/blocks.js';
import { copies } from '../parts/copy.js';
import { count, duration, number } from '../parts/format.js';
import { figureCharts, loadFigures } from '../parts/figures.js';
import { laneTable } from '../parts/lanetable.js';
import { MEASURED_MS } from '../parts/live.js';
import { encodeName } from '../parts/names.js';
import { pauseButton, pauseWord, queueTable } from '../parts/queuetable.js';
import { ORDER, stateBar, stateWord } from '../parts/states.js';
import { workerTable } from '../parts/workertable.js';
import { text } from '../texts/en.js';

/** @type {import('../app.js').Page} */
export const queues = {
	title: () => text.pages.queues,
	every: MEASURED_MS,
	load: ({ signal }) => api.get('queues', signal),
	view: (/** @type {import('../api').Queues} */ data, context) => html`${heading(text.pages.queues, { note: measured(data) })}
			${data.items.length ? card(queueTable(data.items, context, data)) : empty('queues', text.empty.queues, text.empty.queuesHint)}`,
};

/** The limit of a queue or type, and its buttons. @param {import('../app.js').Context} context @param {'queue' | 'type'} kind @param {{ name: string, limit: import('../api').LimitValue | null }} what */
export const limitButtons = (context, kind, { name, limit }) => {
	if (!context.may('admin')) {
		return nothing;
	}
	const actions = onLimit(context, kind, name, limit?.text);
	return html`<button type="button" @click=${actions.set}>${text.actions.limit}</button>
		${limit ? html`<button type="button" @click=${actions.remove}>${text.actions.unlimit}</button>` : nothing}`;
};

/** @type {import('../app.js').Page} */
export const queue = {
	title: ({ params }) => visible(params.name),
	every: MEASURED_MS,
	load: async (context) => {
		const { params: { name }, signal } = context;
		const [detail, figures] = await Promise.all([api.get(`queues/${encodeName(name)}`, signal), loadFigures(context, { queue: name })]);
		return { detail, figures };
	},
	view: (/** @type {{ detail: import('../api').QueueDetail, figures: import('../api').Figures }} */ all, context) => {
		const data = all.detail;
		const { queue, lanes, workers } = data;
		const failed = queue.jobs.failed;
		return html`
			${heading(visible(queue.name), { above: html`<a href="queues">${text.pages.queues}</a>`, note: measured(data), actions: html`${pauseButton(context, 'queue', queue)}${limitButtons(context, 'queue', queue)}
				${failed && context.may('operate') ? html`<button type="button" @click=${() => onClaims(context, 'queue', queue.name).retry(failed)}>${text.queue.retryAll}</button>` : nothing}${copies({ id: queue.name, api: `queues/${encodeName(queue.name)}`, data })}` })}
			${queue.pause ? html`<p class="sentence paused">${pauseWord(queue.pause, queue.name)}</p>` : nothing}
			${card(html`<dl class="facts">
				${ORDER.filter((state) => queue.jobs[state]).map((state) => fact(stateWord(state), html`<a class="strong" href="jobs${query({ state, queue: queue.name })}">${count(queue.jobs[state])}</a>`))}
				${fact(text.columns.oldest, duration(queue.oldestMs))}
					${fact(text.columns.workers, number(queue.workers))}
					${fact(text.columns.slots, number(queue.slots))}
				${fact(text.columns.limit, visible(queue.limit?.text ?? '–'))}</dl>
			${Object.keys(queue.jobs).length ? stateBar(queue.jobs) : nothing}`)}
			${figureCharts(all.figures, context, `queues/${encodeName(queue.name)}`)}
			${section(text.queue.lanes, lanes.length ? laneTable(lanes, context) : html`<p class="quiet-line">${text.empty.lanes}</p>`, { note: text.queue.lanesNote })}
			${section(text.queue.workers, workers.length ? workerTable(workers, context) : empty('workers', text.empty.workers, text.empty.workersHint))}`;
	},
};
