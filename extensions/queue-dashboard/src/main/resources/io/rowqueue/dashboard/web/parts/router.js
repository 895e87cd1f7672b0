/** The URL is the state: links are followed without loading the shell again, and all of them are relative to `<base>`. */

import { decodeName } from './names.js';

const root = () => new URL('.', document.baseURI);

// the base that the server wrote is relative to the page it was asked for: as soon as the address changes it must be absolute
const fixBase = () => {
	const base = document.querySelector('base');
	base?.setAttribute('href', root().pathname);
};

/** The path below the dashboard's root, `jobs/42`. */
export const path = () => location.pathname.slice(root().pathname.length).replace(/\/$/, '');

/**
 * The page of a path, and what the path says.
 * @template T
 * @param {[string, T][]} routes such as `jobs/:id`
 * @param {string} path
 * @returns {{ page: T, params: Record<string, string> } | null}
 */
export const match = (routes, path) => {
	const parts = path.split('/');
	for (const [template, page] of routes) {
		const names = template.split('/');
		if (names.length === parts.length && names.every((name, i) => (name[0] === ':' ? parts[i] : name === parts[i]))) {
			const found = names.flatMap((name, i) => (name[0] === ':' ? [[name.slice(1), decodeName(parts[i])]] : []));
			return { page, params: Object.fromEntries(found) };
		}
	}
	return null;
};

/**
 * Whoever goes back is where he was.
 * @param {(moved: boolean, top?: number) => void} changed is called with whether it is another page, and how far that is scrolled
 */
export const router = (changed) => {
	fixBase();
	const go = (/** @type {string | URL} */ href, /** @type {boolean} */ replace = false) => {
		const to = new URL(href, document.baseURI);
		const other = to.pathname !== location.pathname;
		replace || history.replaceState({ top: window.scrollY }, '');
		history[replace ? 'replaceState' : 'pushState'](null, '', to);
		changed(other);
	};
	window.addEventListener('popstate', ({ state }) => changed(true, state?.top));
	document.addEventListener('click', (event) => {
		const link = event.target instanceof Element ? event.target.closest('a') : null;
		if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || link.target || link.hasAttribute('download')) {
			return;
		}
		const to = new URL(link.href);
		if (to.origin === location.origin && to.pathname.startsWith(root().pathname) && !/^(?:api|shards)\//.test(to.pathname.slice(root().pathname.length))) {
			event.preventDefault();
			go(to);
		}
	});
	return go;
};
