package io.rowqueue.sample.signup;

import io.rowqueue.JobQueue;
import io.rowqueue.sample.mail.WelcomeMail;
import io.rowqueue.sample.webhook.Webhook;
import io.rowqueue.sample.webhook.Webhooks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Signs up new users. */
@Service
public class SignUp {

	private static final Logger logger = LoggerFactory.getLogger(SignUp.class);

	private final Users users;

	private final JobQueue queue;

	private final Webhooks webhooks;

	SignUp(Users users, JobQueue queue, Webhooks webhooks) {
		this.users = users;
		this.queue = queue;
		this.webhooks = webhooks;
	}

	/**
	 * Stores a user and enqueues the jobs that follow, in one transaction. The mail is
	 * enqueued before the user is stored, to show that the order does not matter: if the
	 * address is taken, no worker ever sees the job.
	 * @param newUser the user who signs up
	 * @return the user
	 * @throws EmailTakenException if another user has the address
	 */
	@Transactional
	public User signUp(NewUser newUser) {
		this.queue.enqueue(new WelcomeMail(newUser.name(), newUser.email()).toJob());
		User user = this.users.add(newUser);
		this.webhooks.send(new Webhook("user.signed-up", user.createdAt(), user));
		logger.info("{} <{}> signs up as user {}", user.name(), user.email(), user.id());
		return user;
	}

}
