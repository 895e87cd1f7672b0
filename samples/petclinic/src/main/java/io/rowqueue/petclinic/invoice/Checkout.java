package io.rowqueue.petclinic.invoice;

import java.math.BigDecimal;

import io.rowqueue.JobQueue;
import io.rowqueue.petclinic.visit.Appointments;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Completes visits and has their invoices written. */
@Service
public class Checkout {

	private final Appointments appointments;

	private final JobQueue jobs;

	Checkout(Appointments appointments, JobQueue jobs) {
		this.appointments = appointments;
		this.jobs = jobs;
	}

	/**
	 * Completes a visit. A job of the same transaction writes the invoice.
	 * @param visit the id of the visit
	 * @param fee the price
	 */
	@Transactional
	public void complete(long visit, BigDecimal fee) {
		this.appointments.complete(visit, fee);
		this.jobs.enqueue(WriteInvoice.TYPE, new WriteInvoice(visit));
	}

}
