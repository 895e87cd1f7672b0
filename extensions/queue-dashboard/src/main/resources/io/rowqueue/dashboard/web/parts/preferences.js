/** The preferences of the reader, stored in this browser only. */

const KEY = 'rowqueue';

/** @typedef {{ theme: 'system' | 'light' | 'dark', zone: 'local' | 'utc' | 'server', views: { name: string, href: string }[] }} Preferences */

/** @type {Preferences} */
const DEFAULTS = { theme: 'system', zone: 'local', views: [] };

/** What this browser has stored, also from another tab. @returns {Partial<Preferences>} */
const stored = () => {
	try {
		return JSON.parse(localStorage.getItem(KEY) ?? '{}');
	}
	catch {
		return {};
	}
};

/** @type {Preferences} */
export const preferences = { ...DEFAULTS, ...stored() };

/** @param {Partial<Preferences>} changes */
const apply = (changes) => {
	Object.assign(preferences, stored(), changes);
	document.documentElement.dataset.theme = preferences.theme;
	document.dispatchEvent(new Event('preferences'));
};

/** @param {Partial<Preferences>} changes */
export const prefer = (changes) => {
	apply(changes);
	try {
		localStorage.setItem(KEY, JSON.stringify(preferences));
	}
	catch {
		// a browser that keeps nothing: the choice holds for this page
	}
};

// another tab has changed them
window.addEventListener('storage', ({ key }) => key === KEY && apply({}));

/**
 * The next of some choices, for keys that go round.
 * @template T
 * @param {T[]} choices
 * @param {T} current
 */
export const nextOf = (choices, current) => choices[(choices.indexOf(current) + 1) % choices.length];
