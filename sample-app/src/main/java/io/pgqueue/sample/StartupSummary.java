package io.pgqueue.sample;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Says where everything is and what to try. */
@Component
class StartupSummary {

	private static final Logger logger = LoggerFactory.getLogger(StartupSummary.class);

	private final OwnAddress self;

	private final DataDirectory data;

	private final DataSource dataSource;

	StartupSummary(OwnAddress self, DataDirectory data, DataSource dataSource) {
		this.self = self;
		this.data = data;
		this.dataSource = dataSource;
	}

	/** Before the demo begins to talk. */
	@EventListener(ApplicationReadyEvent.class)
	@Order(Ordered.HIGHEST_PRECEDENCE)
	void log() throws SQLException {
		logger
			.info("""
					The sample is up.

					  application  {url}
					  inbox        {url}/api/inbox
					  webhooks     {url}/demo/receiver
					  health       {url}/actuator/health
					  jobs         {url}/actuator/metrics/queue.jobs
					  database     {database}
					  files        {files}
					  process      {process}, which you may kill -9 at any time: what it was doing is done after the next start

					Try:

					  curl --json '{"name":"Ada Lovelace","email":"ada@example.org"}' {url}/api/users
					  printf 'Ada,ada@example.org\\nAlan,alan@example.org\\n' |
					    curl -H 'Content-Type: text/csv' --data-binary @- {url}/api/imports
					  curl -F file=@photo.jpg {url}/api/pictures
					"""
				.replace("{url}", this.self.of("").toString())
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
