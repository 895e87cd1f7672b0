package io.pgqueue.testing;

import io.pgqueue.JobHandler;

/** A superclass of handlers in other packages, which cannot override its method. */
public abstract class PackagePrivateHandler {

	@JobHandler("of a superclass")
	void handle() {
	}

}
