package io.rowqueue.petclinic.clinic;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Logs where the pages are. */
@Component
class StartupSummary {

	private static final Logger logger = LoggerFactory.getLogger(StartupSummary.class);

	private final String user;

	StartupSummary(@Value("${spring.security.user.name}") String user) {
		this.user = user;
	}

	@EventListener
	void log(WebServerInitializedEvent event) {
		String url = "http://localhost:" + event.getWebServer().getPort();
		logger.info("The clinic is at {}, its jobs at {}/rowqueue/. Log in as {}.", url, url, this.user);
	}

}
