package io.rowqueue.test.shop;

/** Sends mails. */
interface Mailer {

	void send(String to, String text);

}
