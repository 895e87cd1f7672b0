/** Glyphs and icons, drawn for this dashboard. A glyph says a state by its shape; its colour comes on top. */

import { html, svg } from '../vendor/lit-html.js';

/** Glyphs of states on a grid of 12. */
const GLYPHS = {
	blocked: svg`<rect x="1.5" y="1.5" width="9" height="9" rx="1.5" class="line"/><path d="M4 6h4" class="line"/>`,
	scheduled: svg`<circle cx="6" cy="6" r="4.5" class="line"/><path d="M6 3.5V6l1.8 1.2" class="line"/>`,
	queued: svg`<circle cx="6" cy="6" r="4" class="fill"/>`,
	starting: svg`<circle cx="6" cy="6" r="4.5" class="line"/><path d="M6 1.5a4.5 4.5 0 0 1 0 9z" class="fill"/>`,
	running: svg`<path d="M3 1.8v8.4a.5.5 0 0 0 .8.4l6.4-4.2a.5.5 0 0 0 0-.8L3.8 1.4a.5.5 0 0 0-.8.4z" class="fill"/>`,
	retrying: svg`<path d="M10 6a4 4 0 1 1-1.3-3" class="line"/><path d="M9.4 .8v2.6H6.8" class="line"/>`,
	succeeded: svg`<path d="M1.8 6.4 4.8 9.4 10.4 3" class="line bold"/>`,
	failed: svg`<path d="M3.8 .8h4.4l3 3v4.4l-3 3H3.8l-3-3V3.8z" class="fill"/><path d="m4.3 4.3 3.4 3.4m0-3.4L4.3 7.7" class="cut"/>`,
	stuck: svg`<path d="M5 3.5 3.6 4.9a2 2 0 0 0 2.8 2.8M7 8.5l1.4-1.4a2 2 0 0 0-2.8-2.8M2 1l1.6 1.6M10 11 8.4 9.4" class="line"/>`,
	cancelled: svg`<circle cx="6" cy="6" r="4.5" class="line"/><path d="m3 9 6-6" class="line"/>`,
	waiting: svg`<path d="M3 1.5h6M3 10.5h6M3.8 1.5c0 3 4.4 6 4.4 9M8.2 1.5c0 3-4.4 6-4.4 9" class="line"/>`,
	paused: svg`<path d="M4 2.2v7.6M8 2.2v7.6" class="line bold"/>`,
};

/** Icons on a grid of 16, all of them lines. */
const ICONS = {
	overview: svg`<path d="M2.5 9.5h4v4h-4zM9.5 2.5h4v4h-4zM2.5 2.5h4v4h-4zM9.5 9.5h4v4h-4z"/>`,
	jobs: svg`<path d="M2.5 4h.01M5.5 4h8M2.5 8h.01M5.5 8h8M2.5 12h.01M5.5 12h8"/>`,
	queues: svg`<path d="M2.5 3.5h11v3h-11zM2.5 9.5h7v3h-7zM12 9.5h1.5v3H12"/>`,
	types: svg`<path d="M2.5 2.5h5l6 6-5 5-6-6zM5.4 5.4h.01"/>`,
	schedules: svg`<path d="M13.5 8a5.5 5.5 0 1 1-1.8-4.1M13.5 2v3h-3M8 5v3.2l2 1.3"/>`,
	flows: svg`<path d="M2.5 6.2h3v3.6h-3zM10.5 2.2h3v3.6h-3zM10.5 10.2h3v3.6h-3zM5.5 8c3 0 2-4 5-4M5.5 8c3 0 2 4 5 4"/>`,
	batches: svg`<path d="M2.5 5.5 8 2.5l5.5 3L8 8.5zM2.5 8.2 8 11.2l5.5-3M2.5 11 8 14l5.5-3"/>`,
	limits: svg`<path d="M2.5 11.5a6 6 0 1 1 11 0M8 10l2.8-4"/>`,
	workers: svg`<path d="M4 4h8v8H4zM6.5 1.5V4m3-2.5V4m-3 8v2.5m3-2.5v2.5M1.5 6.5H4m-2.5 3H4m8-3h2.5m-2.5 3h2.5"/>`,
	health: svg`<path d="M1.5 8.5h3l2-5 3 9 2-4h3"/>`,
	activity: svg`<path d="M3.5 2.5h9v11h-9zM6 5.5h4M6 8h4M6 10.5h2.5"/>`,
	lanes: svg`<path d="M2.5 2.5h3v3h-3zM6.5 2.5h3v3h-3zM10.5 2.5h3v3h-3zM2.5 6.5h3v3h-3zM10.5 6.5h3v3h-3zM2.5 10.5h3v3h-3zM6.5 10.5h3v3h-3z"/>`,
	errors: svg`<path d="M5 6a3 3 0 0 1 6 0v4a3 3 0 0 1-6 0zM5 8h6M2.5 5 5 6.5M2 9h3M2.5 13 5 11M13.5 5 11 6.5M14 9h-3M13.5 13 11 11M6.5 3.5 5.5 2M9.5 3.5l1-1.5"/>`,
	calendar: svg`<path d="M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3m5-3v3M5.5 9.2h2m1.5 0h2"/>`,
	search: svg`<path d="M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3l3.2 3.2"/>`,
	sun: svg`<path d="M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM8 1.5v1.3m0 10.4v1.3M1.5 8h1.3m10.4 0h1.3M3.4 3.4l.9.9m7.4 7.4.9.9M3.4 12.6l.9-.9m7.4-7.4.9-.9"/>`,
	moon: svg`<path d="M13.3 9.7A5.7 5.7 0 0 1 6.3 2.7a5.7 5.7 0 1 0 7 7z"/>`,
	system: svg`<path d="M2.5 8a5.5 5.5 0 1 0 11 0 5.5 5.5 0 0 0-11 0zM8 2.5v11" /><path d="M8 2.5a5.5 5.5 0 0 1 0 11z" fill="currentColor"/>`,
	copy: svg`<path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3"/>`,
	close: svg`<path d="m4 4 8 8m0-8-8 8"/>`,
	warning: svg`<path d="M8 2.2 14.2 13H1.8zM8 6.4v3m0 1.8v.1"/>`,
	critical: svg`<path d="M5.3 1.8h5.4l3.5 3.5v5.4l-3.5 3.5H5.3l-3.5-3.5V5.3zM8 4.8v3.8m0 2.2v.1"/>`,
	info: svg`<path d="M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.4V11M8 5v.1"/>`,
	ok: svg`<path d="M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM5.3 8.2l1.9 1.9 3.5-3.9"/>`,
	next: svg`<path d="m6 3.5 4.5 4.5L6 12.5"/>`,
	back: svg`<path d="M10 3.5 5.5 8l4.5 4.5"/>`,
	more: svg`<path d="M3 8h.01M8 8h.01M13 8h.01"/>`,
	up: svg`<path d="m4.5 9.5 3.5-4 3.5 4"/>`,
	down: svg`<path d="m4.5 6.5 3.5 4 3.5-4"/>`,
	sort: svg`<path d="m5.5 6.5 2.5-3 2.5 3m-5 3 2.5 3 2.5-3"/>`,
	versions: svg`<path d="M8 2.5v11M8 5 5 8M8 5l3 3M3 13.5h10"/>`,
	retry: svg`<path d="M13 8a5 5 0 1 1-1.6-3.7M13 2v3h-3"/>`,
	pause: svg`<path d="M5.5 3.5v9m5-9v9"/>`,
	play: svg`<path d="M4.5 3v10l8-5z"/>`,
};

/** @param {import('../api').State | 'paused'} state */
export const glyph = (state) => html`<svg class="glyph ${state}" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">${GLYPHS[state]}</svg>`;

/** @param {keyof typeof GLYPHS} state a glyph within another drawing */
export const glyphPath = (state) => GLYPHS[state];

/** @param {keyof typeof ICONS} name */
export const icon = (name) => html`<svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">${ICONS[name]}</svg>`;

/** The mark of rowqueue: three jobs that wait. */
export const mark = () => html`<svg class="mark" viewBox="0 0 32 32" width="22" height="22" aria-hidden="true"><rect width="32" height="32" rx="7"
	class="ground"/><g class="bars"><rect x="6" y="8" width="14" height="4" rx="2"/><rect x="6" y="14" width="20" height="4" rx="2"
	opacity=".8"/><rect x="6" y="20" width="9" height="4" rx="2" opacity=".6"/></g></svg>`;
