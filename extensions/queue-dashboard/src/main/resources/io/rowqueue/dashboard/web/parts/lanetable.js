import { html } from '../vendor/lit-html.js';
import { jobLink, queueLink, typeLink } from './blocks.js';
import { duration, number } from './format.js';
import { list, numbers } from './table.js';
import { text } from '../texts/en.js';

const c = text.columns;

/** @param {import('../api').Lane} lane */
const tolerance = ({ ageMs, toleranceMs }) => (toleranceMs && ageMs > toleranceMs ? html`<span class="state failed">${duration(toleranceMs)}, ${text.queue.late(duration(ageMs - toleranceMs))}</span>` : duration(toleranceMs || null));

/** @type {import('./table.js').Column<import('../api').Lane>[]} */
const columns = [
	{ name: c.type, row: true, cell: ({ type }) => typeLink(type), by: ({ type }) => type },
	{ name: c.queue, cell: ({ queue }) => queueLink(queue), by: ({ queue }) => queue },
	numbers(c.priority, ({ priority }) => priority, ({ priority }) => priority),
	numbers(c.oldest, ({ ageMs }) => duration(ageMs), ({ ageMs }) => ageMs),
	numbers(c.tolerance, tolerance, ({ toleranceMs }) => toleranceMs),
	{ name: c.firstJob, cell: ({ firstJob }) => jobLink(firstJob) },
	numbers(c.workers, ({ workers }) => (workers ? number(workers) : html`<span class="state failed">${text.queue.noWorkers}</span>`), ({ workers }) => workers),
];

/** Lanes as rows, the longest waiting first. @param {import('../api').Lane[]} lanes @param {import('../app.js').Context} context */
export const laneTable = (lanes, context) => list(context, columns, lanes, { id: 'lanes', name: ({ type, queue }) => `${type} ${queue}`, kind: 'fold' });
