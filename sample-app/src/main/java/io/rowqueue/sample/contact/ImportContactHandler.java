package io.rowqueue.sample.contact;

import io.rowqueue.JobHandler;
import jakarta.validation.Validator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Imports one row. */
@Component
class ImportContactHandler {

	private static final Logger logger = LoggerFactory.getLogger(ImportContactHandler.class);

	private final ImportStore store;

	private final ImportProperties properties;

	private final Validator validator;

	ImportContactHandler(ImportStore store, ImportProperties properties, Validator validator) {
		this.store = store;
		this.properties = properties;
		this.validator = validator;
	}

	@JobHandler(ImportContact.TYPE)
	void importRow(ImportContact contact) throws InterruptedException {
		Thread.sleep(this.properties.lookup().toMillis());
		long id = contact.importId();
		CsvRow row = contact.row();
		try {
			this.store.add(id, row.line(), Contact.of(row, this.validator)).ifPresent(ImportContactHandler::log);
		}
		catch (BadRowException ex) {
			this.store.refuse(id, row.line(), ex.reason()).ifPresent(ImportContactHandler::log);
			throw ex;
		}
	}

	private static void log(ImportProgress progress) {
		if (progress.isOver()) {
			logger.info("Import {} is complete: {} rows, {} of them rejected", progress.id(), progress.rows(),
					progress.refused());
		}
		else if (progress.done() % 50 == 0) {
			logger.info("Import {}: {} of {} rows", progress.id(), progress.done(), progress.rows());
		}
	}

}
