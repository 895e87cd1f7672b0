package io.rowqueue.sample;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Logs the addresses of the application and what to try. */
@Component
class StartupSummary {

	private static final Logger logger = LoggerFactory.getLogger(StartupSummary.class);

	private static final String SUMMARY = """
			The sample has started.

			  application  {url}
			  dashboard    the link above, with its token
			  mail         {mail}
			  webhooks     {url}/demo/receiver
			  health       {url}/actuator/health
			  jobs         {url}/actuator/rowqueue
			  database     {database}
			  files        {files}
			  process      {process}, which you can kill -9 at any time: the next start completes the work

			Try:

			  curl --json '{"name":"Ada Lovelace","email":"ada@example.org"}' {url}/api/users
			  printf 'Ada,ada@example.org\\nAlan,alan@example.org\\n' |
			    curl -H 'Content-Type: text/csv' --data-binary @- {url}/api/imports
			  curl -F file=@photo.jpg {url}/api/pictures
			  curl --json '{"action":"trigger"}' {url}/actuator/rowqueue/schedules/nightly-report
			  curl {url}/actuator/rowqueue/jobs/1
			""";

	private final OwnAddress self;

	private final DataDirectory data;

	private final DataSource dataSource;

	private final Environment environment;

	StartupSummary(OwnAddress self, DataDirectory data, DataSource dataSource, Environment environment) {
		this.self = self;
		this.data = data;
		this.dataSource = dataSource;
		this.environment = environment;
	}

	/** Runs before the demo logs anything. */
	@EventListener(ApplicationReadyEvent.class)
	@Order(Ordered.HIGHEST_PRECEDENCE)
	void log() throws SQLException {
		String url = this.self.of("").toString();
		logger.info(SUMMARY.replace("{url}", url)
			.replace("{mail}", this.environment.getProperty("spring.mail.host", url + "/api/inbox"))
			.replace("{database}", databaseUrl())
			.replace("{files}", this.data.path().toString())
			.replace("{process}", Long.toString(ProcessHandle.current().pid())));
	}

	private String databaseUrl() throws SQLException {
		try (Connection connection = this.dataSource.getConnection()) {
			return connection.getMetaData().getURL();
		}
	}

}
