package io.rowqueue.sample.picture;

import io.rowqueue.JobRequest;

/**
 * A thumbnail to create.
 *
 * @param picture the path of the original in the data directory
 * @param size the longer side, in pixels
 */
record Thumbnail(String picture, int size) {

	static final String TYPE = "thumbnail";

	JobRequest toJob() {
		return JobRequest.of(TYPE, this).queue("pictures");
	}

}
