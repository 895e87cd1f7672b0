package io.pgqueue.test.shop;

/** Sends mails. */
interface Mailer {

	void send(String to, String text);

}
