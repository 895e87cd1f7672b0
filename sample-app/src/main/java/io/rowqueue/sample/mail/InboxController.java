package io.rowqueue.sample.mail;

import java.util.List;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Shows received mails over HTTP. */
@RestController
class InboxController {

	private final ObjectProvider<Inbox> inbox;

	InboxController(ObjectProvider<Inbox> inbox) {
		this.inbox = inbox;
	}

	@GetMapping("/api/inbox")
	List<Mail> mails() {
		Inbox embedded = this.inbox.getIfAvailable();
		if (embedded == null) {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND,
					"spring.mail.host is set; only the embedded SMTP server has an inbox");
		}
		return embedded.mails();
	}

}
