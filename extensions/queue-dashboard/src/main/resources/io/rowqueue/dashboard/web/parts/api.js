/** The JSON API. A GET whose response has not changed costs the server an ETag and returns the same object, so that the page is not rendered again. */

import { learn } from './clock.js';

const MOST_KEPT = 60;

/** A server that has not answered by then is away, although it may still hold the connection. */
const PATIENCE_MS = 30_000;

/** @type {Map<string, { tag: string, body: any, at: number }>} */
const kept = new Map();

/** How often something was changed from this page. */
let changes = 0;

/** @type {import('../api').Session['csrf']} */
let csrf = null;

/** An answer that is not a success. Its message is the sentence of the server. */
export class ApiProblem extends Error {
	/** @param {import('../api').Problem} problem */
	constructor(problem) {
		super(problem.detail ?? problem.title);
		this.problem = problem;
		this.code = problem.type.replace('urn:rowqueue:problem:', '');
	}

	/** What happened, and what is known of it. */
	get sentence() {
		return [this.problem.title, this.problem.detail].filter(Boolean).join('. ').replaceAll('..', '.');
	}
}

const away = () => new ApiProblem({ type: 'urn:rowqueue:problem:server-away', title: 'The application does not answer',
	status: 0, detail: 'It restarts, or the network is away. This page tries again by itself.' });

/** @param {Response} response */
const problemOf = async (response) => {
	try {
		const body = await response.json();
		if (body.title) {
			return new ApiProblem({ retryAfter: Number(response.headers.get('Retry-After')) || undefined, ...body,
				type: String(body.type ?? ''), status: response.status });
		}
	}
	catch {
		// no JSON: a proxy or a login page answered
	}
	if (response.type === 'opaqueredirect' || response.ok || response.status === 401) {
		return new ApiProblem({ type: 'urn:rowqueue:problem:signed-out', status: 401, title: 'You are not signed in',
			detail: 'Your session may have ended: reload the page to sign in again.' });
	}
	// what the dashboard does not have is a problem in JSON; without one, it does not answer this browser
	return response.status === 404 ? new ApiProblem({ type: 'urn:rowqueue:problem:signed-out', status: 401, title: 'The dashboard does not answer',
		detail: 'The application may have been started again: open the link in its log.' })
		: new ApiProblem({ type: 'urn:rowqueue:problem:http', status: response.status, title: `The server answered ${response.status}`, detail: null });
};

/** What a response says, unless it is a problem or a page to sign in. @param {Response} response */
const bodyOf = async (response) => {
	if (!response.ok || !response.headers.get('Content-Type')?.includes('json')) {
		throw await problemOf(response);
	}
	return response.json();
};

/** @param {string} path @param {RequestInit} options */
const send = async (path, options) => {
	try {
		// the API redirects nowhere: who is redirected has to sign in, maybe on another server
		return await fetch(new URL(`api/${path}`, document.baseURI), { credentials: 'same-origin', redirect: 'manual', ...options });
	}
	catch (error) {
		throw /** @type {any} */ (error).name === 'AbortError' ? error : away();
	}
};

/** @param {string} path @param {AbortSignal} [signal] */
const get = async (path, signal) => {
	const known = kept.get(path);
	/** @type {Record<string, string>} */
	const headers = { Accept: 'application/json', ...(known ? { 'If-None-Match': known.tag } : {}) };
	const late = AbortSignal.timeout(PATIENCE_MS);
	const response = await send(path, { signal: signal ? AbortSignal.any([signal, late]) : late, headers });
	if (response.status === 304 && known) {
		known.at = Date.now();
		return known.body;
	}
	const body = await bodyOf(response);
	learn(body.at);
	const tag = response.headers.get('ETag');
	kept.delete(path);
	if (tag) {
		kept.set(path, { tag, body, at: Date.now() });
	}
	if (kept.size > MOST_KEPT) {
		kept.delete(/** @type {string} */ (kept.keys().next().value));
	}
	return body;
};

/** What changes less often than its page is asked for. @param {string} path @param {number} ms how old it may be @param {AbortSignal} [signal] */
const lately = async (path, ms, signal) => {
	const known = kept.get(path);
	return known && Date.now() - known.at < ms ? known.body : get(path, signal);
};

const session = async () => {
	/** @type {import('../api').Session} */
	const found = await get('session');
	csrf = found.csrf;
	return found;
};

/** @param {string} path @param {object} body @param {boolean} [again] */
const post = async (path, body, again = false) => {
	const response = await send(path, {
		method: 'POST', body: JSON.stringify(body),
		headers: { 'Content-Type': 'application/json', 'Queue-Dashboard': '1', ...(csrf ? { [csrf.header]: csrf.token } : {}) },
	});
	if (response.status !== 403) {
		const body = await bodyOf(response);
		// what was read before shows nothing of the change
		kept.forEach((each) => { each.at = 0; });
		changes++;
		return body;
	}
	const problem = await problemOf(response);
	// the token of the host's security was renewed: ask for it once more, and repeat once
	if (problem.code !== 'not-allowed' && !again) {
		kept.delete('session');
		await session();
		return post(path, body, true);
	}
	throw problem;
};

/** @param {Promise<any>} read of a part that may be missing */
export const orNothing = (read) => read.catch((error) => {
	if (error instanceof ApiProblem && [403, 404].includes(error.problem.status)) {
		return null;
	}
	throw error;
});

/** A query from its defined values; arrays repeat. @param {Record<string, any>} values */
export const query = (values) => {
	const parameters = new URLSearchParams();
	for (const [name, value] of Object.entries(values)) {
		for (const one of [value].flat()) {
			if (one != null && one !== '') {
				parameters.append(name, String(one));
			}
		}
	}
	const text = parameters.toString();
	return text ? `?${text}` : '';
};

export const api = { get, lately, post, session, changes: () => changes };
