package io.pgqueue.sample.contact;

import io.pgqueue.JobRequest;

/**
 * Payload of the job that imports one row.
 *
 * @param importId which file
 * @param row the row
 */
record ImportContact(long importId, CsvRow row) {

	static final String TYPE = "import-contact";

	/**
	 * The key keeps a file that is read a second time from enqueueing what still waits.
	 */
	JobRequest toJob() {
		return JobRequest.of(TYPE, this)
			.queue("imports")
			.uniqueKey("import-%d-line-%d".formatted(this.importId, this.row.line()));
	}

}
