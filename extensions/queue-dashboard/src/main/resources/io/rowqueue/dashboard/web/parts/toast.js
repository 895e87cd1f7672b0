/** Short messages after an action, read out by screen readers; what can be undone offers it for eight seconds. */

import { html, render, nothing } from '../vendor/lit-html.js';
import { repeat } from '../vendor/directives/repeat.js';
import { visible } from './blocks.js';
import { icon } from './icons.js';
import { keepFocus } from './keys.js';
import { text } from '../texts/en.js';

const STAYS_MS = 8_000;

/** @typedef {{ message: string, kind?: 'done' | 'problem', undo?: () => void, href?: string, label?: string }} Toast */

/** @type {(Toast & { id: number })[]} */
let shown = [];
let last = 0;

const draw = () => {
	let place = document.getElementById('toasts');
	if (!place) {
		place = Object.assign(document.createElement('div'), { id: 'toasts' });
		place.setAttribute('role', 'status');
		place.setAttribute('aria-live', 'polite');
		document.body.append(place);
	}
	render(repeat(shown, (toast) => toast.id, (toast) => html`<div class="toast ${toast.kind ?? 'done'}">
		${icon(toast.kind === 'problem' ? 'critical' : 'ok')}<span>${visible(toast.message)}</span>
		${toast.href ? html`<a href=${toast.href} @click=${() => remove(toast.id)}>${toast.label}</a>` : nothing}
		${toast.undo ? html`<button type="button" class="undo" @click=${() => { remove(toast.id); toast.undo?.(); }}>${text.actions.undo}</button>` : nothing}
		<button type="button" class="quiet" aria-label="Close" @click=${() => remove(toast.id)}>${icon('close')}</button></div>`), place);
};

const remove = (/** @type {number} */ id) => {
	shown = shown.filter((toast) => toast.id !== id);
	keepFocus(draw);
};

/** @param {Toast} given */
export const toast = (given) => {
	const id = ++last;
	shown = [...shown.slice(-2), { ...given, id }];
	draw();
	if (given.kind !== 'problem') {
		setTimeout(() => remove(id), STAYS_MS);
	}
};
