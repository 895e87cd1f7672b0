package io.rowqueue.lab.verify.process;

import java.io.Serial;

/** The failure of a handler that its payload requests. */
final class FailureOnPurpose extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	FailureOnPurpose() {
		super("fails on purpose");
	}

}
