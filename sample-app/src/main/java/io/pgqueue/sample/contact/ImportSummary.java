package io.pgqueue.sample.contact;

import io.pgqueue.JobRequest;

/**
 * Payload of the job that tells by mail how an import went.
 *
 * @param importId which file
 */
record ImportSummary(long importId) {

	static final String TYPE = "import-summary";

	JobRequest toJob() {
		return JobRequest.of(TYPE, this).queue("mail");
	}

}
