/** All queues, and one of them with its lanes and workers. */

import { html, nothing } from '../vendor/lit-html.js';
import { api } from '../parts/api.js';
import { card, empty, fact, heading, measured, section, visible } from '../parts/blocks.js';
import { copies } from '../parts/copy.js';
import { duration, number } from '../parts/format.js';
import { figureCharts, loadFigures } from '../parts/figures.js';
import { MEASURED_MS } from '../parts/live.js';
import { encodeName } from '../parts/names.js';
import { claimButtons, jobFacts, pauseWord, queueTable } from '../parts/queuetable.js';
import { stateBar } from '../parts/states.js';
import { workerTable } from '../parts/workertable.js';
import { laneTable } from './lanes.js';
import { text } from '../texts/en.js';

/** @type {import('../app.js').Page} */
export const queues = {
	title: () => text.pages.queues,
	every: MEASURED_MS,
	load: ({ signal }) => api.get('queues', signal),
	view: (/** @type {import('../api').Queues} */ data, context) => html`${heading(text.pages.queues, { note: measured(data) })}
			${data.items.length ? card(queueTable(data.items, context, data)) : empty('queues', text.empty.queues, text.empty.queuesHint)}`,
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
		return html`
			${heading(visible(queue.name), { above: html`<a href="queues">${text.pages.queues}</a>`, note: measured(data), actions: html`${claimButtons(context, 'queue', queue)}${copies({ id: queue.name, api: `queues/${encodeName(queue.name)}`, data })}` })}
			${queue.pause ? html`<p class="sentence paused">${pauseWord(queue.pause, queue.name)}</p>` : nothing}
			${card(html`<dl class="facts">
				${jobFacts('queue', queue)}
				${fact(text.columns.oldest, duration(queue.oldestMs))}
				${fact(text.columns.workers, number(queue.workers))}
				${fact(text.columns.slots, number(queue.slots))}
				${fact(text.columns.limit, visible(queue.limit?.text ?? '–'))}</dl>
			${Object.keys(queue.jobs).length ? stateBar(queue.jobs) : nothing}`)}
			${figureCharts(all.figures, context, `queues/${encodeName(queue.name)}`)}
			${section(text.queue.lanes, lanes.length ? laneTable(lanes, context) : html`<p class="quiet-line">${text.empty.lanes}</p>`, { note: text.queue.lanesNote })}
			${section(text.queue.workers, workers.length ? workerTable(workers, context, false) : html`<p class="quiet-line">${text.queue.unserved}</p>`)}`;
	},
};
