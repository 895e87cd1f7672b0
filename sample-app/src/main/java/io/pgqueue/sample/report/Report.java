package io.pgqueue.sample.report;

import java.time.Instant;

/**
 * What happened in a day.
 *
 * @param until the end of the day
 * @param users how many signed up
 * @param contacts how many rows of imports were done
 */
record Report(Instant until, long users, long contacts) {

	String text() {
		return "%d sign-ups and %d imported rows in the day before %s".formatted(this.users, this.contacts, this.until);
	}

}
