import { html, render } from '../vendor/lit-html.js';
import { HELP } from './keys.js';
import { text } from '../texts/en.js';

/** The keys, in a dialog. */
export const openHelp = () => {
	const dialog = Object.assign(document.createElement('dialog'), { className: 'help' });
	dialog.setAttribute('aria-labelledby', 'help');
	dialog.addEventListener('close', () => dialog.remove());
	dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
	render(html`<h2 id="help">${text.help.title}</h2>
		<div class="groups">${HELP.map(({ name, keys }) => html`<section><h3>${name}</h3><dl>${keys.map(([key, does]) => html`
			<div><dt>${key.split(' ').map((one) => html`<kbd>${one}</kbd>`)}</dt><dd>${does}</dd></div>`)}</dl></section>`)}</div>
		<footer><button type="button" @click=${() => dialog.close()}>${text.actions.keep}</button></footer>`, dialog);
	document.body.append(dialog);
	dialog.showModal();
};
