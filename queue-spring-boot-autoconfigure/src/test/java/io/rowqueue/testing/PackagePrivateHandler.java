package io.rowqueue.testing;

import io.rowqueue.JobHandler;

/** A superclass of handlers in other packages, which cannot override its method. */
public abstract class PackagePrivateHandler {

	@JobHandler("of a superclass")
	void handle() {
	}

}
