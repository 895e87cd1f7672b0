package io.rowqueue.sample.picture;

import io.rowqueue.FailJobException;
import org.jspecify.annotations.Nullable;

/** A file is not a supported picture. */
class NotAPictureException extends FailJobException {

	private static final long serialVersionUID = 1L;

	NotAPictureException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
