package io.rowqueue.sample.mail;

import io.rowqueue.JobRequest;

/**
 * A mail that welcomes a new user.
 *
 * @param name the name of the user
 * @param email the address of the user
 */
public record WelcomeMail(String name, String email) {

	static final String TYPE = "welcome-mail";

	/**
	 * Returns the request for the job that sends it.
	 * @return a request to enqueue
	 */
	public JobRequest toJob() {
		return JobRequest.of(TYPE, this).queue("mail");
	}

}
