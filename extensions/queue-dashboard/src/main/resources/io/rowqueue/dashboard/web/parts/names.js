/**
 * Names in paths. Queues and types may be called anything; hosts refuse `%2F` and `;` in a path. So each byte outside of
 * A-Z a-z 0-9 . _ : - is written as `~` and two hexadecimal digits; so are the dots of `.` and `..`, which browsers follow.
 */

const PLAIN = /[A-Za-z0-9._:-]/;

/** @param {string} name */
export const encodeName = (name) => Array.from(new TextEncoder().encode(name), (byte) => {
	const character = String.fromCharCode(byte);
	return byte < 128 && PLAIN.test(character) && name !== '.' && name !== '..' ? character : `~${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}).join('');

/** Percent-encoding, which mail and chat programs add, is undone first. @param {string} text */
const plain = (text) => {
	try {
		return decodeURIComponent(text);
	}
	catch {
		return text;
	}
};

/** @param {string} text */
export const decodeName = (text) => {
	const written = new TextEncoder().encode(plain(text));
	const bytes = [];
	for (let i = 0; i < written.length; i++) {
		if (written[i] === 126) {
			bytes.push(parseInt(String.fromCharCode(...written.slice(i + 1, i + 3)), 16));
			i += 2;
		}
		else {
			bytes.push(written[i]);
		}
	}
	return new TextDecoder().decode(new Uint8Array(bytes));
};
