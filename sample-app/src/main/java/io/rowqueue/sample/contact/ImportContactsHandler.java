package io.rowqueue.sample.contact;

import java.util.List;
import java.util.Locale;

import io.rowqueue.JobContext;
import io.rowqueue.JobHandler;
import io.rowqueue.JobQueue;
import io.rowqueue.flow.Batch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Reads a file and enqueues a job for each of its rows, as a batch. */
@Component
class ImportContactsHandler {

	private static final Logger logger = LoggerFactory.getLogger(ImportContactsHandler.class);

	private static final List<String> HEADER = List.of("name", "email");

	private final ImportStore store;

	private final JobQueue queue;

	ImportContactsHandler(ImportStore store, JobQueue queue) {
		this.store = store;
		this.queue = queue;
	}

	/**
	 * The rows are enqueued and counted exactly once, because this job ends in the same
	 * transaction. The mail is sent when the last row was processed or rejected.
	 */
	@JobHandler(value = ImportContacts.TYPE, transactional = true)
	void readFile(ImportContacts contacts, JobContext context) {
		long id = contacts.importId();
		List<CsvRow> rows = CsvRow.read(this.store.csv(id)).stream().filter((row) -> !isHeader(row)).toList();
		Batch batch = Batch.named("import " + id).onFinish(new ImportSummary(id).toJob());
		this.queue.enqueueBatch(batch, rows.stream().map((row) -> new ImportContact(id, row).toJob()));
		this.store.setRows(id, rows.size());
		context.log().info("{} rows are imported, the header is skipped", rows.size());
		logger.info("Import {}: {} rows are enqueued", id, rows.size());
	}

	private static boolean isHeader(CsvRow row) {
		return row.line() == 1
				&& row.fields().stream().map((field) -> field.toLowerCase(Locale.ROOT)).toList().equals(HEADER);
	}

}
