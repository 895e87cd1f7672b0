/**
 * Names in paths. Queues and types may be called anything; hosts refuse `%2F` and `;` in a path. So each byte outside of
 * A-Z a-z 0-9 . _ : - is written as `~` and two hexadecimal digits.
 */

const PLAIN = /[A-Za-z0-9._:-]/;

/** @param {string} name */
export const encodeName = (name) => Array.from(new TextEncoder().encode(name), (byte) => {
	const character = String.fromCharCode(byte);
	return byte < 128 && PLAIN.test(character) ? character : `~${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}).join('');

/** @param {string} text */
export const decodeName = (text) => {
	const bytes = [];
	for (let i = 0; i < text.length; i++) {
		if (text[i] === '~') {
			bytes.push(parseInt(text.slice(i + 1, i + 3), 16));
			i += 2;
		}
		else {
			bytes.push(text.charCodeAt(i));
		}
	}
	return new TextDecoder().decode(new Uint8Array(bytes));
};
