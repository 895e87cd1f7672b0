/** JSON as tokens: numbers, order of keys and unknown escapes stay exactly as they were written. Nothing is parsed into values. */

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/gy;
/** Further levels are not indented: of JSON with thousands of levels the spaces alone would fill the memory. */
const DEEPEST = 40;
const BLANK = /\s*/y;

/** @typedef {{ kind: 'key' | 'string' | 'number' | 'word' | 'mark' | 'blank', text: string }} Token */

/** @param {string} text @returns {string[] | null} null: it is not JSON */
const split = (text) => {
	const found = [];
	let at = 0;
	while (at < text.length) {
		BLANK.lastIndex = at;
		BLANK.exec(text);
		at = BLANK.lastIndex;
		if (at === text.length) {
			break;
		}
		TOKEN.lastIndex = at;
		const token = TOKEN.exec(text);
		if (!token) {
			return null;
		}
		found.push(token[0]);
		at = TOKEN.lastIndex;
	}
	return found;
};

const kindOf = (/** @type {string} */ token, /** @type {string} */ next) => {
	if (token[0] === '"') {
		return next === ':' ? 'key' : 'string';
	}
	return /[-\d]/.test(token[0]) ? 'number' : /[a-z]/.test(token[0]) ? 'word' : 'mark';
};

/** The text, indented. @param {string} text @returns {Token[] | null} */
export const tokens = (text) => {
	const all = split(text);
	if (!all) {
		return null;
	}
	/** @type {Token[]} */
	const result = [];
	let depth = 0;
	const newLine = () => result.push({ kind: 'blank', text: `\n${'  '.repeat(Math.max(0, Math.min(DEEPEST, depth)))}` });
	all.forEach((token, i) => {
		const [before, next] = [all[i - 1], all[i + 1]];
		if ('}]'.includes(token)) {
			depth--;
			'{['.includes(before) || newLine();
		}
		result.push({ kind: kindOf(token, next), text: token });
		if ('{['.includes(token)) {
			depth++;
			next && '}]'.includes(next) || newLine();
		}
		token === ',' && newLine();
		token === ':' && result.push({ kind: 'blank', text: ' ' });
	});
	return result;
};
