package io.rowqueue.sample.contact;

import io.rowqueue.JobContext;
import io.rowqueue.JobHandler;
import io.rowqueue.JobQueue;
import io.rowqueue.flow.BatchProgress;
import org.springframework.mail.javamail.JavaMailSender;
import org.springframework.mail.javamail.MimeMessageHelper;
import org.springframework.stereotype.Component;

/** Mails the summary of an import when the batch of its rows has finished. */
@Component
class ImportSummaryHandler {

	private static final int ERRORS = 20;

	private final JavaMailSender sender;

	private final ImportStore store;

	private final JobQueue queue;

	ImportSummaryHandler(JavaMailSender sender, ImportStore store, JobQueue queue) {
		this.sender = sender;
		this.store = store;
		this.queue = queue;
	}

	@JobHandler(ImportSummary.TYPE)
	void send(ImportSummary summary, JobContext job) {
		BatchProgress batch = this.queue.findBatch(job.batchId().orElseThrow()).orElseThrow();
		String errors = String.join("\n", this.store.errors(summary.importId(), ERRORS));
		this.sender.send((message) -> {
			MimeMessageHelper helper = new MimeMessageHelper(message, "UTF-8");
			helper.setFrom("hello@sample.example.org");
			helper.setTo("imports@sample.example.org");
			helper.setSubject("Import %d is complete".formatted(summary.importId()));
			helper.setText("%d rows, %d of them refused\n%s".formatted(batch.total(), batch.failed(), errors));
			message.setHeader("Message-ID", "<import-summary-" + job.id() + "@sample.example.org>");
		});
	}

}
