/** States in words, glyphs and bars. A colour never stands alone: its glyph and its word are beside it. */

import { html, svg, nothing } from '../vendor/lit-html.js';
import { count, number } from './format.js';
import { glyph } from './icons.js';
import { text } from '../texts/en.js';

/** In the order of a bar: what is urgent first. @type {import('../api').MeasuredState[]} */
export const ORDER = ['failed', 'stuck', 'running', 'starting', 'queued', 'scheduled', 'blocked'];

/** @param {import('../api').State | 'paused'} state @param {unknown} [note] */
export const stateWord = (state, note) => html`<span class="state ${state}">${glyph(state)}<span>${text.states[state]}</span>${note ?? nothing}</span>`;

const WIDTH = 120;

/** The width of each part: by the root of its share, so that ten failed ones beside a million are still seen. */
const parts = (/** @type {import('../api').StateCounts} */ jobs) => {
	const shown = ORDER.filter((state) => (jobs[state]?.value ?? 0) > 0);
	const weight = (/** @type {import('../api').MeasuredState} */ state) => Math.sqrt(/** @type {any} */ (jobs[state]).value);
	const sum = shown.reduce((total, state) => total + weight(state), 0);
	let x = 0;
	return shown.map((state) => {
		const width = Math.max(3, WIDTH * weight(state) / sum);
		const part = { state, x, width };
		x += width;
		return part;
	});
};

/** @param {import('../api').StateCounts} jobs */
const stateSentence = (jobs) => ORDER.filter((state) => (jobs[state]?.value ?? 0) > 0)
	.map((state) => `${count(jobs[state])} ${text.states[state]}`).join(', ');

/** A bar of the states of a queue. @param {import('../api').StateCounts} jobs */
export const stateBar = (jobs) => {
	const shown = parts(jobs);
	const end = shown.length ? shown[shown.length - 1].x + shown[shown.length - 1].width : WIDTH;
	const sentence = stateSentence(jobs) || text.jobs.empty.all;
	return html`<svg class="bar" viewBox="0 0 ${Math.max(end, WIDTH)} 8" preserveAspectRatio="none" role="img" aria-label=${sentence}>
		<title>${sentence}</title><rect width=${Math.max(end, WIDTH)} height="8" class="rest"/>${shown.map(({ state, x, width }) =>
			svg`<rect x=${x} width=${width} height="8" class="part ${state}"/>`)}</svg>`;
};

/** What has ended of a number of jobs, in the order in which it is drawn: the rest is open. @typedef {{ jobs: number, succeeded: number, failed: number, cancelled: number }} Progress */

/** The parts of a bar of progress in percent: as wide as their shares, from the left. @param {Progress} progress */
export const shares = ({ jobs, ...ended }) => {
	let x = 0;
	return /** @type {const} */ (['succeeded', 'failed', 'cancelled']).filter((state) => ended[state] > 0).map((state) => {
		const part = { state, x, width: 100 * ended[state] / jobs };
		x += part.width;
		return part;
	});
};

/** How much of a number of jobs has ended, and how. @param {Progress} progress */
export const progressBar = (progress) => {
	const parts = shares(progress);
	const sentence = [...parts.map(({ state }) => `${number(progress[state])} ${text.states[state]}`), text.progress.of(progress.jobs)].join(', ');
	return html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label=${sentence}><title>${sentence}</title><rect width="100" height="8" class="rest"/>${
		parts.map(({ state, x, width }) => svg`<rect x=${x} width=${width} height="8" class="part ${state}"/>`)}</svg>`;
};

/** A share of something, such as slots in use. @param {number} part @param {number} whole @param {string} label @param {string} [tone] */
export const meter = (part, whole, label, tone = 'running') => html`<svg class="bar meter" viewBox="0 0 100 6" preserveAspectRatio="none" role="img"
	aria-label=${label}><title>${label}</title><rect width="100" height="6" class="rest"/>${svg`<rect width=${whole > 0 ? Math.min(100, 100 * part / whole) : 0}
	height="6" class="part ${tone}"/>`}</svg>`;
