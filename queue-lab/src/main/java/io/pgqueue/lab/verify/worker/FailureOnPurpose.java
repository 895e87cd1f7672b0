package io.pgqueue.lab.verify.worker;

import java.io.Serial;

/** A handler fails because its job says so. */
final class FailureOnPurpose extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	FailureOnPurpose() {
		super("fails on purpose");
	}

}
