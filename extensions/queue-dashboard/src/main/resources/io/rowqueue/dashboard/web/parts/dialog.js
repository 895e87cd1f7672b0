/**
 * Questions, in words and with numbers. A promise of the answer; null: the reader went back. A question that does something stays open
 * until that is done: if the server refuses it, what was typed is still there beside the reason.
 */

import { html, render, nothing } from '../vendor/lit-html.js';
import { visible } from './blocks.js';
import { shardNote } from './shards.js';
import { text } from '../texts/en.js';

/**
 * @typedef {{ name: string, label: string, value?: string, placeholder?: string, inputmode?: string, lines?: number, choices?: Record<string, string>, check?: (value: string) => string | null,
 *   leads?: (value: string, fill: Fill) => unknown }} Field
 * @typedef {(name: string, value: string, note: unknown) => void} Fill sets a field unless something was typed there
 * @typedef {{ title: string, detail?: string, button: string, danger?: boolean, fields?: Field[], confirm?: string }} Question
 */

/** @param {Question} question @param {(given: Record<string, string>) => Promise<unknown>} [does] */
export const ask = (question, does) => new Promise((/** @type {(answer: Record<string, string> | null) => void} */ answer) => {
	const dialog = document.createElement('dialog');
	dialog.setAttribute('aria-labelledby', 'question');
	/** @type {Record<string, string>} */
	const values = Object.fromEntries((question.fields ?? []).map((field) => [field.name, field.value ?? '']));
	/** @type {Record<string, string | null>} */
	let wrong = {};
	let typed = '';
	let refused = '';
	/** @type {Record<string, unknown>} */
	const notes = {};
	const written = new Set();
	let waits = false;

	const close = (/** @type {Record<string, string> | null} */ given) => {
		dialog.close();
		dialog.remove();
		answer(given);
	};
	const submit = async (/** @type {Event} */ event) => {
		event.preventDefault();
		wrong = Object.fromEntries((question.fields ?? []).map((field) => [field.name, field.check?.(values[field.name]) ?? null]));
		if (Object.values(wrong).every((message) => !message) && !waits) {
			waits = true;
			draw();
			try {
				await does?.(values);
				close(values);
				return;
			}
			catch (error) {
				refused = /** @type {import('./api.js').ApiProblem} */ (error).sentence ?? String(error);
			}
			waits = false;
		}
		draw();
	};
	const write = (/** @type {any} */ { target }) => { values[target.name] = target.value; written.add(target.name); };
	/** @type {Fill} */
	const fill = (name, value, note) => {
		values[name] = written.has(name) ? values[name] : value;
		notes[name] = note;
		draw();
	};
	/** An answer for what is no longer there comes too late. @param {Field} leading */
	const lead = ({ name, leads }) => {
		const asked = values[name];
		leads?.(asked, (...to) => asked === values[name] && fill(...to));
	};
	const field = (/** @type {Field} */ each) => html`<label>${each.label}
		${each.choices ? html`<select name=${each.name} @change=${(/** @type {any} */ event) => { values[each.name] = event.target.value; }}>
			${Object.entries(each.choices).map(([value, words]) => html`<option value=${value} ?selected=${value === values[each.name]}>${words}</option>`)}</select>` : each.lines ? html`<textarea name=${each.name} rows=${each.lines} .value=${values[each.name]} spellcheck="false" aria-invalid=${Boolean(wrong[each.name])}
			aria-describedby="wrong-${each.name}" @input=${write}></textarea>` : html`<input name=${each.name} .value=${values[each.name]} placeholder=${each.placeholder ?? ''} inputmode=${each.inputmode ?? 'text'} autocomplete="off"
			aria-invalid=${Boolean(wrong[each.name])} aria-describedby="wrong-${each.name}"
			@input=${write} @change=${() => lead(each)}>`}
		<span class="wrong" id="wrong-${each.name}" aria-live="polite">${wrong[each.name] ?? ''}</span></label>${notes[each.name] ?? nothing}`;
	const draw = () => render(html`<form @submit=${submit}>
		<h2 id="question">${visible(question.title)}</h2>
		${question.detail ? html`<p>${visible(question.detail)}</p>` : nothing}${shardNote() ? html`<p class="note">${shardNote()}</p>` : nothing}
		${(question.fields ?? []).map(field)}
		${question.confirm ? html`<label>${text.actions.typeNumber(question.confirm)}<input inputmode=${/^\d+$/.test(question.confirm) ? 'numeric' : 'text'} autocomplete="off"
			@input=${(/** @type {any} */ event) => { typed = event.target.value.trim(); draw(); }}></label>` : nothing}
		<p class="wrong" role="alert">${visible(refused)}</p>
		<footer><button type="button" @click=${() => close(null)}>${text.actions.keep}</button>
		<button class=${question.danger ? 'danger' : 'primary'} ?disabled=${waits || (question.confirm ? typed !== question.confirm : false)}>${visible(question.button)}</button></footer>
	</form>`, dialog);

	dialog.addEventListener('cancel', (event) => { event.preventDefault(); close(null); });
	document.body.append(dialog);
	draw();
	dialog.showModal();
	question.fields?.forEach((each) => values[each.name] && lead(each));
});
