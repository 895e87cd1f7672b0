/**
 * The figures that this tab has seen, for charts where the server keeps no history: kept for fifteen minutes, also when the page is
 * loaded again.
 */

const KEY = 'pgqueue.samples';
const KEPT_MS = 15 * 60_000;
const STEP_MS = 1_900;

/** @typedef {{ at: number, queued: number, running: number, scheduled: number, failed: number, oldest: number, queues: Record<string, number> }} Sample */

/** @returns {Sample[]} */
const read = () => {
	try {
		return JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
	}
	catch {
		return [];
	}
};

let samples = read();

/** @param {import('../api').Overview} overview @returns {Sample[]} all of them, with this one */
export const sampled = ({ at, jobs, oldestMs, queues }) => {
	const time = Date.parse(at);
	const last = samples[samples.length - 1];
	if (!last || Math.abs(time - last.at) >= STEP_MS) {
		const value = (/** @type {import('../api').State} */ state) => jobs[state]?.value ?? 0;
		samples = [...samples.filter((sample) => sample.at > time - KEPT_MS && sample.at < time), { at: time, queued: value('queued'),
			running: value('running') + value('starting'), scheduled: value('scheduled') + value('retrying'), failed: value('failed'),
			oldest: oldestMs ?? 0, queues: Object.fromEntries(queues.slice(0, 20).map(({ name, waiting }) => [name, waiting.value])) }];
		try {
			sessionStorage.setItem(KEY, JSON.stringify(samples));
		}
		catch {
			// a browser that keeps nothing: the samples last as long as this page
		}
	}
	return samples;
};
