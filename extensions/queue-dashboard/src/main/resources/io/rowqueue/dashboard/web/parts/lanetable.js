import { html } from '../vendor/lit-html.js';
import { jobLink, queueLink, typeLink } from './blocks.js';
import { duration, number } from './format.js';
import { table } from './table.js';
import { text } from '../texts/en.js';

const c = text.columns;

/** @param {import('../api').Lane} lane */
const tolerance = ({ ageMs, toleranceMs }) => (toleranceMs && ageMs > toleranceMs ? html`<span class="state failed">${duration(toleranceMs)}, ${text.queue.late(duration(ageMs - toleranceMs))}</span>` : duration(toleranceMs || null));

/** Lanes as rows, the longest waiting first. @param {import('../api').Lane[]} lanes */
export const laneTable = (lanes) => table([c.type, c.queue, [c.priority], [c.oldest], [c.tolerance], c.firstJob, [c.workers]],
	lanes.map((lane) => html`<tr><th scope="row">${typeLink(lane.type)}</th><td>${queueLink(lane.queue)}</td>
		<td class="number" data-label=${c.priority}>${lane.priority}</td>
		<td class="number" data-label=${c.oldest}>${duration(lane.ageMs)}</td>
		<td class="number" data-label=${c.tolerance}>${tolerance(lane)}</td>
		<td>${jobLink(lane.firstJob)}</td>
			<td class="number" data-label=${c.workers}>${lane.workers ? number(lane.workers) : html`<span class="state failed">${text.queue.noWorkers}</span>`}</td></tr>`));
