package io.pgqueue.sample.mail;

import io.pgqueue.JobRequest;

/**
 * A mail that welcomes a new user.
 *
 * @param name how to address them
 * @param email where to send it
 */
public record WelcomeMail(String name, String email) {

	static final String TYPE = "welcome-mail";

	/**
	 * The job that sends it.
	 * @return a request to enqueue
	 */
	public JobRequest toJob() {
		return JobRequest.of(TYPE, this).queue("mail");
	}

}
