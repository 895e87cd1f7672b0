/** `<q-graph .jobs=${jobs} label="…">`: the jobs of a flow from left to right, with their states. Each node is a link. */

import { html, nothing, render, svg } from '../vendor/lit-html.js';
import { visible } from '../parts/blocks.js';
import { glyphPath } from '../parts/icons.js';
import { fold, layers } from '../parts/layers.js';
import { text } from '../texts/en.js';

const NODE = { width: 164, height: 44 };
const GAP = { x: 40, y: 14 };
const LETTERS = 18;

const t = text.flow;

/** So many layers are made smaller until they fit; more are scrolled. */
const MOST_FITTED = 7;

/** Narrow windows scroll a graph rather than make it smaller than this. */
const LEAST_FITTED = 0.7;

const short = (/** @type {string} */ name) => (name.length > LETTERS ? `${name.slice(0, LETTERS - 1)}…` : name);

class QGraph extends HTMLElement {

	/** @type {any[]} */
	#nodes = [];

	/** 0: as large as it fits. */
	#zoom = 0;

	/** Nodes are told apart by their positions, since names may be hidden. */
	set jobs(/** @type {import('../api').FlowJob[]} */ jobs) {
		this.#nodes = jobs.map((job, i) => ({ ...job, title: job.name, name: String(i), after: job.predecessors.map(String) }));
		this.draw();
	}

	connectedCallback() {
		this.draw();
	}

	#zoomBy = (/** @type {number} */ factor) => {
		this.#zoom = factor ? Math.min(2, Math.max(0.25, (this.#zoom || 1) * factor)) : 0;
		this.draw();
	};

	/** The first node of a state comes into view. */
	#show = (/** @type {string} */ state) => this.querySelector(`.node.${state}`)?.scrollIntoView({ block: 'nearest', inline: 'center' });

	/** The ground is moved by the pointer; a touch scrolls anyway. */
	#drag = (/** @type {PointerEvent} */ event) => {
		const ground = /** @type {HTMLElement} */ (event.currentTarget);
		if (event.pointerType !== 'mouse' || event.button || /** @type {Element} */ (event.target).closest('a')) {
			return;
		}
		const move = (/** @type {PointerEvent} */ { movementX, movementY }) => ground.scrollBy(-movementX, -movementY);
		ground.setPointerCapture(event.pointerId);
		ground.addEventListener('pointermove', move);
		ground.addEventListener('lostpointercapture', () => ground.removeEventListener('pointermove', move), { once: true });
	};

	draw() {
		if (!this.isConnected) {
			return;
		}
		const all = layers(fold(this.#nodes));
		const rows = Math.max(1, ...all.map((layer) => layer.length));
		const width = all.length * (NODE.width + GAP.x) - GAP.x + 4;
		const height = rows * (NODE.height + GAP.y) - GAP.y + 4;
		const x = (/** @type {any} */ each) => 2 + each.layer * (NODE.width + GAP.x);
		const y = (/** @type {any} */ each) => 2 + (each.row + (rows - all[each.layer].length) / 2) * (NODE.height + GAP.y);
		const placed = new Map(all.flat().map((each) => [each.node.name, each]));
		const edge = (/** @type {any} */ from, /** @type {any} */ to) => {
			const [x1, y1, x2, y2] = [x(from) + NODE.width, y(from) + NODE.height / 2, x(to), y(to) + NODE.height / 2];
			const middle = (x1 + x2) / 2;
			const [source, target] = [from.node.to ? placed.get(from.node.from) : from, to.node.to ?? to.node];
			const waits = target.state === 'blocked' && !['succeeded', 'cancelled'].includes(source.node.state);
			const fails = source.node.state === 'failed' || source.node.state === 'cancelled';
			return svg`<path class="edge ${fails ? 'fails' : waits ? 'waits' : ''}" d="M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}${to.node.to ? `h${NODE.width}` : ''}"/>`;
		};
		const node = (/** @type {any} */ each) => svg`<a href="jobs/${each.node.job}" aria-label="${visible(each.node.title)}, ${text.states[/** @type {keyof typeof text.states} */ (each.node.state)]}${each.node.times ? `, ${text.flow.folded(each.node.times)}` : ''}">
			<g class="node ${each.node.state}" transform="translate(${x(each)} ${y(each)})"><title>${visible(each.node.title)}</title>
			${each.node.times ? svg`<rect class="behind" x="4" y="4" width=${NODE.width} height=${NODE.height} rx="6"/>` : nothing}
			<rect width=${NODE.width} height=${NODE.height} rx="6"/><svg class="glyph ${each.node.state}" x="12" y="16" width="12" height="12" viewBox="0 0 12 12">${glyphPath(each.node.state)}</svg>
			<text x="34" y="19" class="name">${short(visible(each.node.title))}</text><text x="34" y="34">${each.node.times ? `${text.flow.folded(each.node.times)} ` : ''}${text.states[/** @type {keyof typeof text.states} */ (each.node.state)]}</text></g></a>`;
		const there = ['failed', 'running'].filter((state) => this.#nodes.some((node) => node.state === state));
		const button = (/** @type {string} */ label, /** @type {() => void} */ does) => html`<button type="button" class="small" @click=${does}>${label}</button>`;
		render(html`<div class="tool-row"><span class="ranges" role="group" aria-label=${t.zoom}>${button('−', () => this.#zoomBy(0.8))}${button(t.fit, () => this.#zoomBy(0))}${button('+', () => this.#zoomBy(1.25))}</span>
				${there.map((state) => button(t.showState(text.states[/** @type {keyof typeof text.states} */ (state)]), () => this.#show(state)))}</div>
			<div class="scroll" tabindex="0" role="group" aria-label=${this.getAttribute('label') ?? t.graph} @pointerdown=${this.#drag}><svg class=${all.length <= MOST_FITTED && !this.#zoom ? 'fits' : ''} viewBox="0 0 ${width} ${height}" width=${width * (this.#zoom || 1)} height=${height * (this.#zoom || 1)}>
			${all.flat().map((each) => each.node.after.flatMap((/** @type {string} */ name) => (placed.has(name) ? [edge(placed.get(name), each)] : [])))}
			${all.flat().filter((each) => !each.node.to).map(node)}</svg></div>`, this);
		/** @type {SVGElement} */ (this.querySelector('.scroll > svg')).style.minWidth = this.#zoom ? '' : `${Math.round(width * LEAST_FITTED)}px`;
	}

}

customElements.define('q-graph', QGraph);
