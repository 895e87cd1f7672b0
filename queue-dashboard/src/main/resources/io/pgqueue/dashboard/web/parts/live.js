/**
 * Keeps a page current: by the server's stream where there is one, else by asking every two seconds with an ETag. Only a page that
 * is seen asks; one that was hidden for ten seconds closes its stream, since a browser has six connections for a host.
 */

const ASK_MS = 2_000;
const ASK_SLOWLY_MS = 10_000;
const SILENT_MS = 5_000;
const HIDDEN_MS = 10_000;

/** @typedef {{ topics: string[], stream: boolean, reload: () => Promise<boolean>, receive: (topic: string, body: any) => void }} Source */

export class Live {

	/** @type {Source | null} */
	#source = null;

	/** @type {EventSource | null} */
	#stream = null;

	#frozen = false;

	#heardAt = 0;

	#asking = 0;

	#hiding = 0;

	constructor() {
		document.addEventListener('visibilitychange', () => {
			clearTimeout(this.#hiding);
			if (document.hidden) {
				this.#hiding = setTimeout(() => this.#stop(), HIDDEN_MS);
			}
			else {
				this.#go();
			}
		});
	}

	get frozen() {
		return this.#frozen;
	}

	/** @param {Source} source */
	watch(source) {
		this.#stop();
		this.#source = source;
		this.#go();
	}

	/** @param {boolean} frozen */
	freeze(frozen) {
		this.#frozen = frozen;
		frozen ? this.#stop() : this.#go(true);
	}

	#stop() {
		this.#stream?.close();
		this.#stream = null;
		clearTimeout(this.#asking);
	}

	#go(atOnce = false) {
		if (this.#frozen || document.hidden || !this.#source) {
			return;
		}
		clearTimeout(this.#asking);
		if (this.#source.stream && this.#source.topics.length && !this.#stream) {
			this.#listen(this.#source);
		}
		this.#asking = setTimeout(() => this.#ask(), atOnce ? 0 : ASK_MS);
	}

	/** @param {Source} source */
	#listen(source) {
		const topics = source.topics.map(encodeURIComponent).join(',');
		const stream = new EventSource(new URL(`api/stream?topics=${topics}`, document.baseURI));
		for (const topic of source.topics) {
			stream.addEventListener(topic, (event) => {
				this.#heardAt = Date.now();
				source.receive(topic, JSON.parse(event.data));
			});
		}
		this.#stream = stream;
	}

	async #ask() {
		const source = this.#source;
		let answered = true;
		if (source && Date.now() - this.#heardAt > SILENT_MS) {
			answered = await source.reload();
		}
		if (source === this.#source && !this.#frozen && !document.hidden) {
			this.#asking = setTimeout(() => this.#ask(), answered ? ASK_MS : ASK_SLOWLY_MS);
		}
	}

}
