/** States in words, glyphs and bars. A colour never stands alone: its glyph and its word are beside it. */

import { html, svg, nothing } from '../vendor/lit-html.js';
import { count, number } from './format.js';
import { glyph } from './icons.js';
import { text } from '../texts/en.js';

/** In the order of a bar: what is urgent first. @type {import('../api').MeasuredState[]} */
export const ORDER = ['failed', 'stuck', 'running', 'starting', 'queued', 'scheduled', 'blocked'];

/** @param {import('../api').State | 'paused'} state @param {unknown} [note] */
export const stateWord = (state, note) => html`<span class="state ${state}">${glyph(state)}<span>${text.states[state]}</span>${note ?? nothing}</span>`;

const WIDTH = 100;

/** Fewer jobs than these do not fill a bar. */
const SCALE = 1_000;

/** The narrowest part that is seen. */
const NARROWEST = 1.5;

/**
 * How long the bar of some jobs is in percent of the longest one: each ten times as many jobs make it longer by the same piece.
 * @param {number} jobs @param {number} most
 */
export const barLength = (jobs, most) => (jobs ? Math.max(4, WIDTH * Math.log10(1 + jobs) / Math.log10(1 + Math.max(most, SCALE))) : 0);

/** The parts of a bar, as wide as their shares of it. @param {import('../api').StateCounts} jobs @param {number} most */
const parts = (jobs, most) => {
	const shown = ORDER.filter((state) => (jobs[state]?.value ?? 0) > 0).map((state) => ({ state, value: /** @type {import('../api').Count} */ (jobs[state]).value }));
	const all = shown.reduce((total, { value }) => total + value, 0);
	const length = barLength(all, most);
	const widths = shown.map(({ value }) => Math.max(NARROWEST, length * value / all));
	const wide = widths.reduce((total, width) => total + width, 0);
	let x = 0;
	return shown.map(({ state }, i) => {
		const part = { state, x, width: widths[i] * length / wide };
		x += part.width;
		return part;
	});
};

/** @param {import('../api').StateCounts} jobs */
const stateSentence = (jobs) => ORDER.filter((state) => (jobs[state]?.value ?? 0) > 0)
	.map((state) => `${count(jobs[state])} ${text.states[state]}`).join(', ');

/** A bar of the states of a queue. @param {import('../api').StateCounts} jobs @param {number} [most] jobs of the queue with the longest bar; without it this bar is the longest */
export const stateBar = (jobs, most) => {
	const sentence = stateSentence(jobs) || text.jobs.empty.all;
	const total = Object.values(jobs).reduce((all, { value }) => all + value, 0);
	return html`<svg class="bar" viewBox="0 0 ${WIDTH} 8" preserveAspectRatio="none" role="img" aria-label=${sentence}>
		<title>${sentence}</title><rect width=${WIDTH} height="8" class="rest"/>${parts(jobs, most ?? Math.max(SCALE, total)).map(({ state, x, width }) =>
			svg`<rect x=${x} width=${width} height="8" class="part ${state}"/>`)}</svg>`;
};

/** What the colours of some bars mean, and their length. @param {{ jobs: import('../api').StateCounts }[]} bars */
export const stateLegend = (bars) => {
	const seen = ORDER.filter((state) => bars.some(({ jobs }) => jobs[state]?.value));
	return seen.length ? html`<p class="legend">${seen.map((state) => stateWord(state))}<span>${text.page.barLength}</span></p>` : nothing;
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

/** @param {Progress} progress */
export const doneOf = ({ succeeded, failed, cancelled }) => succeeded + failed + cancelled;

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
