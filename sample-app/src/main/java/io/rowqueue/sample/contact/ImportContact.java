package io.rowqueue.sample.contact;

import io.rowqueue.JobRequest;

/**
 * Payload of the job that imports one row.
 *
 * @param importId the id of the import
 * @param row the row
 */
record ImportContact(long importId, CsvRow row) {

	static final String TYPE = "import-contact";

	JobRequest toJob() {
		return JobRequest.of(TYPE, this).queue("imports");
	}

}
