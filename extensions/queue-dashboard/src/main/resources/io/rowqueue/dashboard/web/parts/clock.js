/**
 * The database's clock, as far as this page knows it: each answer says when it was read. Ages are counted by it, so that a
 * laptop whose clock is wrong shows right ones.
 */

/** Clocks that differ so much more than before were set in the meantime. */
const SET_MS = 60_000;

let ahead = 0;
let known = false;
let stopped = 0;

/** @param {string | undefined} at the time of an answer */
export const learn = (at) => {
	const measured = at ? Date.parse(at) - Date.now() : NaN;
	if (!Number.isNaN(measured)) {
		// an answer is always a little late: the largest difference is the nearest one
		ahead = known && Math.abs(measured - ahead) < SET_MS ? Math.max(measured, ahead - 5) : measured;
		known = true;
	}
};

/** The database's time in milliseconds; it stands still while the page is frozen. */
export const now = () => stopped || Date.now() + ahead;

/** @param {boolean} frozen */
export const freeze = (frozen) => {
	stopped = 0;
	stopped = frozen ? now() : 0;
};
