package io.rowqueue.test.shop;

import io.rowqueue.JobHandler;

/** What is common to all that clean up. */
abstract class AbstractCleaning {

	@JobHandler("clean-up")
	void cleanUp() {
	}

}
