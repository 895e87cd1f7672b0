/** The preferences of the reader, stored in this browser only. */

const KEY = 'pgqueue';

/** @typedef {{ theme: 'system' | 'light' | 'dark', zone: 'local' | 'utc' | 'server', rail: 'wide' | 'narrow', views: { name: string, href: string }[] }} Preferences */

/** @type {Preferences} */
const DEFAULTS = { theme: 'system', zone: 'local', rail: 'wide', views: [] };

const read = () => {
	try {
		return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
	}
	catch {
		return { ...DEFAULTS };
	}
};

/** @type {Preferences} */
export const preferences = read();

/** @param {Partial<Preferences>} changes */
export const prefer = (changes) => {
	Object.assign(preferences, changes);
	document.documentElement.dataset.theme = preferences.theme;
	try {
		localStorage.setItem(KEY, JSON.stringify(preferences));
	}
	catch {
		// a browser that keeps nothing: the choice holds for this page
	}
	document.dispatchEvent(new Event('preferences'));
};

/**
 * The next of some choices, for keys that go round.
 * @template T
 * @param {T[]} choices
 * @param {T} current
 */
export const nextOf = (choices, current) => choices[(choices.indexOf(current) + 1) % choices.length];
