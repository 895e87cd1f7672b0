package io.rowqueue.sample.signup;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** Another user has the address. */
class EmailTakenException extends ErrorResponseException {

	private static final long serialVersionUID = 1L;

	EmailTakenException(String email, Throwable cause) {
		super(HttpStatus.CONFLICT,
				ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, "There is a user with the address " + email),
				cause);
	}

}
