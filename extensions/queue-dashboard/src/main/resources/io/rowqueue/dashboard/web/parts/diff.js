/** What two texts have in common, and what only one of them has, line by line. */

/** Texts that differ in more pairs of lines than these are not searched for what they have in common between the differences. */
const MOST_PAIRS = 1_000_000;

/** Equal lines that are shown before and after a difference. */
const BESIDE = 3;

/** A line of both texts, or of one of them, beside one that only the other has. @typedef {{ one: string | null, other: string | null }} Row */

/** @param {Row} row */
const differs = ({ one, other }) => one !== other;

/** How many lines two texts have in common, at most and in the same order, from a line of each on. @param {string[]} one @param {string[]} other */
const inCommon = (one, other) => {
	const width = other.length + 1;
	const lengths = new Uint16Array((one.length + 1) * width);
	for (let i = one.length - 1; i >= 0; i--) {
		for (let k = other.length - 1; k >= 0; k--) {
			const at = i * width + k;
			lengths[at] = one[i] === other[k] ? lengths[at + width + 1] + 1 : Math.max(lengths[at + width], lengths[at + 1]);
		}
	}
	return (/** @type {number} */ i, /** @type {number} */ k) => lengths[i * width + k];
};

/** Both texts beside each other. @param {string[]} one @param {string[]} other @returns {Row[]} */
export const diff = (one, other) => {
	const same = (/** @type {string} */ line) => ({ one: line, other: line });
	const shorter = Math.min(one.length, other.length);
	let start = 0;
	for (; start < shorter && one[start] === other[start]; start++);
	let end = 0;
	for (; end < shorter - start && one[one.length - 1 - end] === other[other.length - 1 - end]; end++);
	const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
	const common = left.length * right.length > MOST_PAIRS ? () => 0 : inCommon(left, right);
	/** @type {Row[]} */
	const rows = one.slice(0, start).map(same);
	for (let i = 0, k = 0; i < left.length || k < right.length; i++, k++) {
		const [gone, come] = [i, k];
		while ((i < left.length || k < right.length) && left[i] !== right[k]) {
			k === right.length || i < left.length && common(i + 1, k) >= common(i, k + 1) ? i++ : k++;
		}
		for (let n = 0; n < Math.max(i - gone, k - come); n++) {
			rows.push({ one: gone + n < i ? left[gone + n] : null, other: come + n < k ? right[come + n] : null });
		}
		i < left.length && rows.push(same(left[i]));
	}
	return [...rows, ...one.slice(one.length - end).map(same)];
};

/** @typedef {{ kind: 'same' | 'differs' | 'folded', rows: Row[] }} Part */

/** Rows of one kind that follow each other: equal ones that are not beside a difference are folded. @param {Row[]} rows @returns {Part[]} */
export const fold = (rows) => {
	/** @type {Part[]} */
	const parts = [];
	rows.forEach((row, i) => {
		const kind = differs(row) ? 'differs' : rows.slice(Math.max(0, i - BESIDE), i + BESIDE + 1).some(differs) ? 'same' : 'folded';
		const last = parts[parts.length - 1];
		last?.kind === kind ? last.rows.push(row) : parts.push({ kind, rows: [row] });
	});
	return parts;
};
