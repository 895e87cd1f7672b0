package io.rowqueue.rewrite;

/** A method has to stay as it is. Its message is the comment that says why. */
final class NotTranslatableException extends Exception {

	NotTranslatableException(String reason) {
		super(reason);
	}

}
