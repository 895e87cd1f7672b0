/**
 * Keeps a page current: it is asked for every two seconds, with an ETag, while it is seen. A page that comes into view again is
 * asked for at once.
 */

const ASK_MS = 2_000;
const ASK_SLOWLY_MS = 10_000;

export class Live {

	/** @type {(() => Promise<boolean>) | null} */
	#reload = null;

	#frozen = false;

	#asking = 0;

	constructor() {
		document.addEventListener('visibilitychange', () => (document.hidden ? clearTimeout(this.#asking) : this.#go(0)));
	}

	get frozen() {
		return this.#frozen;
	}

	/** @param {() => Promise<boolean>} reload returns whether the server answered */
	watch(reload) {
		this.#reload = reload;
		this.#go(ASK_MS);
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
		const answered = await reload?.();
		if (reload === this.#reload) {
			this.#go(answered === false ? ASK_SLOWLY_MS : ASK_MS);
		}
	}

}
