package io.rowqueue.sample.contact;

import io.rowqueue.JobRequest;

/**
 * Payload of the job that reads a file and enqueues a job for each row.
 *
 * @param importId the id of the import
 */
record ImportContacts(long importId) {

	static final String TYPE = "import-contacts";

	JobRequest toJob() {
		return JobRequest.of(TYPE, this).queue("imports");
	}

}
