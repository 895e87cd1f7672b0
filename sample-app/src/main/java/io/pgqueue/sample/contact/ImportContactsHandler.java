package io.pgqueue.sample.contact;

import java.util.List;
import java.util.Locale;

import io.pgqueue.JobHandler;
import io.pgqueue.JobQueue;
import io.pgqueue.JobRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Reads a file and enqueues a job for each of its rows. */
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
	 * All rows are enqueued and counted, or none. Whoever dies between the commit and the
	 * end of this job does it all again; then rows that are still waiting are not
	 * enqueued twice because of their keys, and rows that are done are done once more
	 * without effect.
	 */
	@JobHandler(ImportContacts.TYPE)
	@Transactional
	void readFile(ImportContacts contacts) {
		long id = contacts.importId();
		List<CsvRow> rows = CsvParser.parse(this.store.csv(id)).stream().filter((row) -> !isHeader(row)).toList();
		List<JobRequest> jobs = rows.stream().map((row) -> new ImportContact(id, row).toJob()).toList();
		this.queue.enqueueAll(jobs);
		this.store.setRows(id, rows.size());
		logger.info("Import {}: {} rows to go", id, rows.size());
	}

	private static boolean isHeader(CsvRow row) {
		return row.line() == 1
				&& row.fields().stream().map((field) -> field.toLowerCase(Locale.ROOT)).toList().equals(HEADER);
	}

}
