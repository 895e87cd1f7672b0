package io.rowqueue.petclinic.clinic;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;

/** There is no such row. */
@ResponseStatus(HttpStatus.NOT_FOUND)
public class NotFoundException extends RuntimeException {

	/**
	 * Creates the exception.
	 * @param what what was looked for, such as "visit 42"
	 */
	public NotFoundException(String what) {
		super("There is no " + what);
	}

}
