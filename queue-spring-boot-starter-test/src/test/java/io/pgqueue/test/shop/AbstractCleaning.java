package io.pgqueue.test.shop;

import io.pgqueue.JobHandler;

/** What is common to all that clean up. */
abstract class AbstractCleaning {

	@JobHandler("clean-up")
	void cleanUp() {
	}

}
