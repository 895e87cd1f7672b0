/** `<q-json .text=${payload}>`: a payload, indented and coloured where it is JSON, else as it is. */

import { html, nothing, render } from '../vendor/lit-html.js';
import { visible } from '../parts/blocks.js';
import { copy } from '../parts/copy.js';
import { tokens } from '../parts/json.js';
import { text as words } from '../texts/en.js';

const MOST_COLOURED = 60_000;

class QJson extends HTMLElement {

	#text = '';

	#raw = false;

	set text(/** @type {string} */ text) {
		this.#text = text;
		this.draw();
	}

	connectedCallback() {
		this.draw();
	}

	draw() {
		if (!this.isConnected) {
			return;
		}
		const found = this.#text.length > MOST_COLOURED ? null : tokens(this.#text);
		const label = this.getAttribute('label') ?? words.job.payload;
		render(html`<div class="code-tools">${found ? html`<button type="button" class="small quiet" aria-pressed=${this.#raw} @click=${() => { this.#raw = !this.#raw; this.draw(); }}>${words.job.raw}</button>` : nothing}
			<button type="button" class="small quiet" @click=${() => copy(this.#text, label)}>${words.copy.label} ${words.copy.json}</button></div>
			<pre class="code" tabindex="0" role="group" aria-label=${label}>${found && !this.#raw ? found.map(({ kind, text }) => (kind === 'mark' || kind === 'blank' ? text : html`<span class=${kind}>${visible(text)}</span>`)) : visible(this.#text)}</pre>`, this);
	}

}

customElements.define('q-json', QJson);
