package io.rowqueue.sample.report;

import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import io.rowqueue.JobContext;
import io.rowqueue.schedule.RecurringJob;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.mail.SimpleMailMessage;
import org.springframework.mail.javamail.JavaMailSender;
import org.springframework.stereotype.Component;

/** Mails a report about the previous day every night. */
@Component
class NightlyReport {

	private static final Logger logger = LoggerFactory.getLogger(NightlyReport.class);

	private final JdbcClient jdbc;

	private final JavaMailSender sender;

	NightlyReport(JdbcClient jdbc, JavaMailSender sender) {
		this.jdbc = jdbc;
		this.sender = sender;
	}

	/**
	 * Its queue has a window in {@code application.yml}. The numbers are counted in a
	 * step: if the mail server is not available, the retry mails the same numbers.
	 */
	@RecurringJob(name = "nightly-report", cron = "0 30 2 * * *", zone = "Europe/Berlin", queue = "reports")
	void write(JobContext job) throws Exception {
		Instant until = Objects.requireNonNullElse(job.dueAt(), job.createdAt());
		Report report = Objects.requireNonNull(job.step("count", () -> count(until), Report.class));
		job.step("mail", () -> mail(report));
		logger.info("Report: {}", report.text());
	}

	private Report count(Instant until) {
		return new Report(until, count("select count(*) from users where created_at >= ? and created_at < ?", until),
				count("select coalesce(sum(done), 0) from contact_import where created_at >= ? and created_at < ?",
						until));
	}

	private long count(String sql, Instant until) {
		return this.jdbc.sql(sql)
			.param(Timestamp.from(until.minus(Duration.ofDays(1))))
			.param(Timestamp.from(until))
			.query(Long.class)
			.single();
	}

	private void mail(Report report) {
		SimpleMailMessage message = new SimpleMailMessage();
		message.setFrom("reports@sample.example.org");
		message.setTo("owner@sample.example.org");
		message.setSubject("The day before " + report.until());
		message.setText(report.text());
		this.sender.send(message);
	}

}
