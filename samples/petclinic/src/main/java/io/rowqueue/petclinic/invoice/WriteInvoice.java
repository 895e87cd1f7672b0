package io.rowqueue.petclinic.invoice;

import io.rowqueue.JobType;

/**
 * The payload of the job that writes an invoice.
 *
 * @param visit the id of the visit
 */
record WriteInvoice(long visit) {

	static final String TYPE_NAME = "invoice";

	static final JobType<WriteInvoice> TYPE = JobType.of(TYPE_NAME, WriteInvoice.class)
		.queue("reports")
		.uniqueKey((invoice) -> "invoice of visit " + invoice.visit());

}
