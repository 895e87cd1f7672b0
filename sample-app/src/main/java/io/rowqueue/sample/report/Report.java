package io.rowqueue.sample.report;

import java.time.Instant;

/**
 * The numbers of a day.
 *
 * @param until the end of the day
 * @param users the number of users who signed up
 * @param contacts the number of imported rows
 */
record Report(Instant until, long users, long contacts) {

	String text() {
		return "%d sign-ups and %d imported rows in the day before %s".formatted(this.users, this.contacts, this.until);
	}

}
