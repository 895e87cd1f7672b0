/** The arithmetic of charts: ticks, stacks and paths. Nothing here knows a document. */

/** @typedef {(number | null)[]} Values */

/** Round steps from 0 to at least `max`, four at most. @param {number} max @param {boolean} [time] whether they are milliseconds */
export const ticks = (max, time = false) => {
	const steps = time
		? [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 3e4, 6e4, 12e4, 3e5, 6e5, 18e5, 36e5, 72e5, 216e5, 432e5, 864e5]
		: Array.from({ length: 40 }, (_, i) => [1, 2, 5][i % 3] * 10 ** Math.floor(i / 3));
	const step = steps.find((each) => each * 4 >= max) ?? max / 4;
	return Array.from({ length: Math.max(1, Math.ceil(max / step)) + 1 }, (_, i) => i * step);
};

/** Moments at round minutes or hours, about one for each 110 pixels. @param {number} from @param {number} until @param {number} width */
export const moments = (from, until, width) => {
	const minutes = [1 / 12, 1 / 6, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10080];
	const step = 60_000 * (minutes.find((each) => (until - from) / (each * 60_000) <= Math.max(2, width / 110)) ?? 10080);
	const first = Math.ceil(from / step) * step;
	return Array.from({ length: Math.max(0, Math.floor((until - first) / step) + 1) }, (_, i) => first + i * step);
};

/** Each series on top of those before it: pairs of bottom and top. @param {Values[]} series */
export const stack = (series) => {
	const sums = (series[0] ?? []).map(() => 0);
	return series.map((values) => values.map((value, i) => {
		const bottom = sums[i];
		sums[i] += value ?? 0;
		return value == null ? null : [bottom, sums[i]];
	}));
};

const at = (/** @type {number} */ value) => value.toFixed(1);

/** A line with its gaps. @param {number[]} xs @param {Values} ys */
export const line = (xs, ys) => {
	let path = '';
	let open = false;
	ys.forEach((y, i) => {
		path += y == null ? '' : `${open ? 'L' : 'M'}${at(xs[i])} ${at(y)}`;
		open = y != null;
	});
	return path;
};

/** The area between two lines; a gap closes it. @param {number[]} xs @param {Values} bottoms @param {Values} tops */
export const area = (xs, bottoms, tops) => {
	let path = '';
	for (let i = 0; i < tops.length; i++) {
		let end = i;
		while (end < tops.length && tops[end] != null) {
			end++;
		}
		if (end - i > 1) {
			const there = tops.slice(i, end).map((y, k) => `${k ? 'L' : 'M'}${at(xs[i + k])} ${at(/** @type {number} */ (y))}`);
			const back = bottoms.slice(i, end).map((y, k) => `L${at(xs[i + k])} ${at(/** @type {number} */ (y))}`).reverse();
			path += `${there.join('')}${back.join('')}Z`;
		}
		i = end;
	}
	return path;
};

/** Diagonal lines between two lines. @param {number} left @param {number} right @param {number} top @param {number} bottom */
export const hatch = (left, right, top, bottom) => {
	const wide = right - left;
	return Array.from({ length: Math.max(0, Math.floor((bottom - top - wide) / 6)) }, (_, i) => `M${at(left)} ${at(bottom - 6 * i)}l${at(wide)} ${at(-wide)}`).join('');
};

/** The index of the time that is nearest. @param {number[]} times @param {number} time */
export const nearest = (times, time) => times.reduce((best, each, i) => (Math.abs(each - time) < Math.abs(times[best] - time) ? i : best), 0);
