package io.rowqueue.petclinic.invoice;

import io.rowqueue.JobHandler;
import io.rowqueue.petclinic.clinic.Clinic;
import io.rowqueue.petclinic.clinic.NotFoundException;
import io.rowqueue.petclinic.mail.Mailer;
import io.rowqueue.petclinic.owner.Owner;
import io.rowqueue.petclinic.visit.Visit;
import io.rowqueue.petclinic.visit.Visits;
import org.springframework.stereotype.Component;

/** Writes an invoice, stores it and mails it. */
@Component
class InvoiceWriter {

	private final Visits visits;

	private final Invoices invoices;

	private final Mailer mailer;

	private final Clinic clinic;

	InvoiceWriter(Visits visits, Invoices invoices, Mailer mailer, Clinic clinic) {
		this.visits = visits;
		this.invoices = invoices;
		this.mailer = mailer;
		this.clinic = clinic;
	}

	@JobHandler(value = WriteInvoice.TYPE_NAME, transactional = true)
	void write(WriteInvoice job) {
		Visit visit = this.visits.findWithPetById(job.visit())
			.orElseThrow(() -> new NotFoundException("visit " + job.visit()));
		Owner owner = visit.getPet().getOwner();
		String text = text(visit, owner);
		this.invoices.save(new Invoice(job.visit(), text));
		this.mailer.send(owner.getEmail(), "Invoice %d".formatted(job.visit()), text);
	}

	private String text(Visit visit, Owner owner) {
		return """
				Invoice %d

				%s
				%s

				%-40s %10s
				%-40s %10s
				""".formatted(visit.requiredId(), owner.getName(), owner.getEmail(),
				"%s, %s".formatted(visit.getPet().getName(), visit.getReason()), visit.getFee(),
				"Visit of " + this.clinic.format(visit.getStartsAt()), "EUR");
	}

}
