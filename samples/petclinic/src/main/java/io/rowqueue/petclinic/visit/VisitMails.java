package io.rowqueue.petclinic.visit;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

import io.rowqueue.JobContext;
import io.rowqueue.JobHandler;
import io.rowqueue.petclinic.clinic.Clinic;
import io.rowqueue.petclinic.mail.Mailer;
import io.rowqueue.petclinic.owner.Owner;
import io.rowqueue.schedule.RecurringJob;
import org.springframework.stereotype.Component;

/**
 * The mails about visits. The handlers are transactional: mail and end of the job are
 * committed together, so that each mail is in the log exactly once.
 */
@Component
class VisitMails {

	private final Visits visits;

	private final Mailer mailer;

	private final Clinic clinic;

	VisitMails(Visits visits, Mailer mailer, Clinic clinic) {
		this.visits = visits;
		this.mailer = mailer;
		this.clinic = clinic;
	}

	/** The visit may have been cancelled after the job had started. */
	@JobHandler(value = VisitReminder.TYPE_NAME, transactional = true)
	void remind(VisitReminder reminder) {
		this.visits.findWithPetById(reminder.visit())
			.filter((visit) -> visit.getState() == Visit.State.BOOKED)
			.ifPresent(this::remind);
	}

	private void remind(Visit visit) {
		Owner owner = visit.getPet().getOwner();
		this.mailer.send(owner.getEmail(), "Visit of %s".formatted(visit.getPet().getName()),
				"Dear %s,%n%nwe look forward to seeing %s on %s.".formatted(owner.getName(), visit.getPet().getName(),
						this.clinic.format(visit.getStartsAt())));
	}

	/**
	 * The due time decides which day is tomorrow, also if the job runs after midnight.
	 */
	@JobHandler(value = "visits-of-tomorrow", transactional = true)
	@RecurringJob(cron = "0 0 18 * * *", zone = "${petclinic.zone:Europe/Berlin}", queue = "mail")
	void listTomorrow(JobContext job) {
		Instant due = Objects.requireNonNullElse(job.dueAt(), job.createdAt());
		LocalDate tomorrow = this.clinic.day(due).plusDays(1);
		List<Visit> booked = this.visits.findByStateAndStartsAtGreaterThanEqualAndStartsAtLessThanOrderByStartsAt(
				Visit.State.BOOKED, this.clinic.start(tomorrow), this.clinic.start(tomorrow.plusDays(1)));
		this.mailer.send(this.clinic.mail(), "%d visits on %s".formatted(booked.size(), tomorrow),
				booked.stream().map(this::line).collect(Collectors.joining("\n")));
	}

	private String line(Visit visit) {
		return "%s  %s (%s), %s".formatted(this.clinic.format(visit.getStartsAt()), visit.getPet().getName(),
				visit.getPet().getOwner().getName(), visit.getReason());
	}

}
