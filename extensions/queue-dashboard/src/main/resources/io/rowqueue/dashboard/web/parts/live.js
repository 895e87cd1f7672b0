/**
 * Keeps a page current: it is asked for every two seconds, with an ETag, while it is seen. A page that comes into view again is
 * asked for at once. One that takes long to read is asked for less often, so that an open page uses at most a tenth of a connection.
 */

const ASK_MS = 2_000;

/** How often that is asked for which is measured every ten seconds. */
export const MEASURED_MS = 5_000;

const ASK_AGAIN_MS = 5_000;
const REST = 10;
const MAX_REST_MS = 60_000;

export class Live {

	/** @type {(() => Promise<boolean>) | null} */
	#reload = null;

	#every = ASK_MS;

	#frozen = false;

	#asking = 0;

	constructor() {
		document.addEventListener('visibilitychange', () => (document.hidden ? clearTimeout(this.#asking) : this.#go(0)));
	}

	get frozen() {
		return this.#frozen;
	}

	/** @param {() => Promise<boolean>} reload returns whether the server answered @param {number} [every] in milliseconds */
	watch(reload, every = ASK_MS) {
		this.#reload = reload;
		this.#every = every;
		this.#go(every);
	}

	/** @param {boolean} frozen */
	freeze(frozen) {
		this.#frozen = frozen;
		this.#go(0);
	}

	#go(/** @type {number} */ after) {
		clearTimeout(this.#asking);
		if (!this.#frozen && !document.hidden) {
			this.#asking = setTimeout(() => this.#ask(), after);
		}
	}

	async #ask() {
		const reload = this.#reload;
		const began = performance.now();
		const answered = await reload?.();
		const rest = Math.min(REST * (performance.now() - began), MAX_REST_MS);
		if (reload === this.#reload) {
			// what fails costs nobody much, and is over some time
			this.#go(answered === false ? ASK_AGAIN_MS : Math.max(this.#every, rest));
		}
	}

}
