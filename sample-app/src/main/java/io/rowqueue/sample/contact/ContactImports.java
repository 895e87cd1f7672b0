package io.rowqueue.sample.contact;

import io.rowqueue.JobQueue;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Accepts CSV files. */
@Service
public class ContactImports {

	private final ImportStore store;

	private final JobQueue queue;

	ContactImports(ImportStore store, JobQueue queue) {
		this.store = store;
		this.queue = queue;
	}

	/**
	 * Stores a file and enqueues its import.
	 * @param csv rows of name and mail address, with or without a header
	 * @return which import and which job
	 */
	@Transactional
	public Started start(String csv) {
		long id = this.store.add(csv);
		return new Started(id, this.queue.enqueue(new ImportContacts(id).toJob()).id());
	}

	/**
	 * An import that was taken.
	 *
	 * @param id id of the import
	 * @param job id of the job that reads the file
	 */
	public record Started(long id, long job) {

	}

}
