package io.rowqueue.sample.contact;

import io.rowqueue.JobRequest;

/**
 * Payload of the job that mails the summary of an import.
 *
 * @param importId the id of the import
 */
record ImportSummary(long importId) {

	static final String TYPE = "import-summary";

	JobRequest toJob() {
		return JobRequest.of(TYPE, this).queue("mail");
	}

}
