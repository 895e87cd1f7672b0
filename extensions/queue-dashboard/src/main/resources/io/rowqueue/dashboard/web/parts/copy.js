/** The clipboard, also on plain HTTP, where browsers hide it from scripts. */

import { html } from '../vendor/lit-html.js';
import { query } from './api.js';
import { menu } from './blocks.js';
import { toast } from './toast.js';
import { text } from '../texts/en.js';

/** @param {string} value */
const byHand = (value) => {
	const area = Object.assign(document.createElement('textarea'), { value, className: 'sr' });
	document.body.append(area);
	area.select();
	const done = document.execCommand('copy');
	area.remove();
	return done;
};

/** @param {string} value @param {string} what */
export const copy = async (value, what) => {
	try {
		await navigator.clipboard.writeText(value);
		toast({ message: text.copy.done(what) });
	}
	catch {
		const done = byHand(value);
		toast(done ? { message: text.copy.done(what) } : { message: text.copy.failed, kind: 'problem' });
	}
};

/** In single quotes for a shell. @param {string} value */
const quoted = (value) => `'${value.replaceAll("'", `'\\''`)}'`;

/**
 * What was done to a thing, and a menu to copy a link, the id, JSON, curl or SQL.
 * @param {{ id?: string, api: string, data: unknown, sql?: string }} what
 */
export const copies = ({ id, api, data, sql }) => {
	const address = new URL(`api/${api}`, document.baseURI).href;
	const each = (/** @type {string} */ label, /** @type {() => string} */ value) => html`<button type="button" class="quiet" @click=${() => copy(value(), label)}>${label}</button>`;
	return html`${id ? html`<a class="more" href="activity${query({ kind: api.split('/')[0], name: id })}">${text.pages.activity}</a>` : ''}${menu(text.copy.button, html`
		${each(text.copy.link, () => location.href)}
		${id ? each(text.copy.id, () => id) : ''}
		${each(text.copy.json, () => JSON.stringify(data, null, 2))}
		${each(text.copy.curl, () => `curl -H 'Accept: application/json' ${quoted(address)}`)}
		${sql ? each(text.copy.sql, () => sql) : ''}`, 'copies')}`;
};
