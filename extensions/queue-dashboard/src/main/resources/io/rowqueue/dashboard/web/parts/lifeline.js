/** The life of a job as a strip: when it was created and due, its attempts as bars, its pauses as dots between them. */

import { html, nothing, svg } from '../vendor/lit-html.js';
import { clock, duration } from './format.js';
import { now } from './clock.js';
import { text } from '../texts/en.js';

/** One unit is about a pixel, so that letters stay legible in a small window. */
const widest = () => Math.max(340, Math.min(1_000, window.innerWidth - 60));
const SHORTEST = 12;

/** @typedef {import('../api').TimelineEvent} Event */

/**
 * Long pauses would leave no room for what happens between them: each stretch of time gets a width by the root of its length.
 * @param {number[]} times sorted @param {number} width
 */
const scale = (times, width) => {
	const weights = times.slice(1).map((time, i) => Math.sqrt(Math.max(1, time - times[i])));
	const sum = weights.reduce((total, weight) => total + weight, 0) || 1;
	const room = width - SHORTEST * weights.length;
	const xs = new Map([[times[0], 0]]);
	let x = 0;
	weights.forEach((weight, i) => {
		x += SHORTEST + Math.max(0, room) * weight / sum;
		xs.set(times[i + 1], Math.min(width, x));
	});
	return (/** @type {number} */ time) => xs.get(time) ?? 0;
};

/** @param {Event[]} events */
export const lifeline = (events) => {
	const at = (/** @type {Event} */ { at }) => Date.parse(at);
	const attempts = events.filter(({ kind }) => kind === 'started');
	const end = (/** @type {Event} */ attempt) => (attempt.until ? Date.parse(attempt.until) : Math.max(at(attempt) + 1, now()));
	const moments = events.filter(({ kind }) => ['created', 'due', 'succeeded', 'failed', 'cancelled'].includes(kind));
	const times = [...new Set([...moments.map(at), ...attempts.flatMap((attempt) => [at(attempt), end(attempt)])])].sort((a, b) => a - b);
	if (times.length < 2) {
		return nothing;
	}
	const width = widest();
	const x = scale(times, width);
	const ends = events.filter(({ kind, attempt }) => kind === 'failed' && attempt !== null);
	/** @returns {'failed' | 'succeeded' | 'cancelled' | 'running'} */
	const outcome = (/** @type {Event} */ attempt) => {
		// an event without a number is the end of the job, and so of its last attempt
		const over = events.find(({ kind, attempt: n }) => ['failed', 'succeeded', 'cancelled'].includes(kind)
			&& (n === attempt.attempt || n === null && attempt === attempts[attempts.length - 1]));
		return /** @type {any} */ (over?.kind) ?? (attempt.until ? 'cancelled' : 'running');
	};
	const gap = (/** @type {Event} */ attempt, /** @type {number} */ i) => {
		const next = attempts[i + 1];
		const [from, to] = [x(end(attempt)), next ? x(at(next)) : 0];
		return next && to - from > 44 ? svg`<text x=${(from + to) / 2} y="64" text-anchor="middle">${duration(at(next) - end(attempt))}</text>` : nothing;
	};
	const sentence = `${text.job.timeline}: ${attempts.length} ${text.job.attempts.toLowerCase()}, ${ends.length} ${text.states.failed}`;
	const label = (/** @type {Event} */ event) => svg`<circle class="dot" cx=${x(at(event))} cy="40" r="4"><title>${text.job.events[event.kind]} ${clock(event.at, now())}</title></circle>
		${attempts.some((attempt) => Math.abs(x(at(attempt)) - x(at(event))) < 56) ? nothing : svg`<text x=${x(at(event))} y="18" text-anchor=${x(at(event)) < 30 ? 'start' : 'middle'}>${text.job.events[event.kind]}</text>`}`;
	const first = moments.find(({ kind }) => kind === 'created');
	const due = moments.find(({ kind }) => kind === 'due');
	return html`<div class="scroll" tabindex="0" role="group" aria-label=${text.job.timeline}><svg class="timeline-strip" viewBox="-8 0 ${width + 16} 74" role="img" aria-label=${sentence}>
		<path class="axis" d="M0 40H${width}"/>
		${attempts.map((attempt, i) => svg`<g class=${outcome(attempt)}><rect class="span" x=${x(at(attempt))} y="32" width=${Math.max(5, x(end(attempt)) - x(at(attempt)))} height="16" rx="3">
			<title>${text.job.attempt(attempt.attempt ?? i + 1, null)}, ${text.states[outcome(attempt)]}, ${duration(end(attempt) - at(attempt))}${attempt.worker?.name ? `, ${attempt.worker.name}` : ''}</title></rect>
			<text x=${(x(at(attempt)) + Math.max(x(end(attempt)), x(at(attempt)) + 5)) / 2} y="24" text-anchor="middle">${attempt.attempt ?? i + 1}</text></g>${gap(attempt, i)}`)}
		${first ? label(first) : nothing}${due && (!first || x(at(due)) - x(at(first)) > 60) ? label(due) : nothing}</svg></div>`;
};
