package io.rowqueue.petclinic.visit;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;

import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.petclinic.OnPostgres;
import io.rowqueue.petclinic.PetclinicTest;
import io.rowqueue.petclinic.clinic.Clinic;
import io.rowqueue.petclinic.mail.SentMail;
import io.rowqueue.petclinic.mail.SentMails;
import io.rowqueue.test.QueueTester;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A visit and its reminder. */
@PetclinicTest
class VisitReminderTests implements OnPostgres {

	private static final long PIXEL = 1;

	private final Instant inTenDays = Instant.now().plus(Duration.ofDays(10));

	@Autowired
	Appointments appointments;

	@Autowired
	Visits visits;

	@Autowired
	SentMails mails;

	@Autowired
	QueueTester tester;

	@Autowired
	JobQueue queue;

	@Autowired
	Clinic clinic;

	@Autowired
	PlatformTransactionManager transactions;

	@Test
	void anOwnerIsRemindedADayBeforeTheVisit() {
		book();

		assertThat(this.tester.runDue()).isEmpty();
		this.tester.advance(Duration.ofDays(9));
		this.tester.runDue();

		assertThat(this.tester).hasJob("visit-reminder").hasSucceeded();
		assertThat(this.mails.findAll()).singleElement()
			.extracting(SentMail::getRecipient, SentMail::getSubject)
			.containsExactly("ada@example.org", "Visit of Pixel");
	}

	@Test
	@Transactional(propagation = Propagation.NOT_SUPPORTED)
	void aBookingThatIsRolledBackLeavesNeitherVisitNorReminder() {
		new TransactionTemplate(this.transactions).executeWithoutResult((status) -> {
			book();
			assertThat(this.tester).hasJobs(1);
			status.setRollbackOnly();
		});

		assertThat(this.tester).hasNoJobs();
		assertThat(this.visits.count()).isZero();
	}

	@Test
	void aRescheduledVisitMovesItsReminder() {
		Visit visit = book();

		this.appointments.reschedule(visit.requiredId(), this.inTenDays.plus(Duration.ofDays(5)));
		this.tester.advance(Duration.ofDays(9));

		assertThat(this.tester.runDue()).isEmpty();
		this.tester.advance(Duration.ofDays(5));
		assertThat(this.tester.runDue()).hasSize(1);
		assertThat(this.mails.count()).isOne();
	}

	@Test
	void anOwnerWhoWasRemindedIsRemindedAgainAfterAReschedule() {
		Visit visit = book();
		this.tester.advance(Duration.ofDays(9));
		this.tester.runDue();

		this.appointments.reschedule(visit.requiredId(), this.inTenDays.plus(Duration.ofDays(5)));

		assertThat(this.tester).hasJobs("visit-reminder", 2);
	}

	@Test
	void aCancelledVisitCancelsItsReminder() {
		Visit visit = book();

		this.appointments.cancel(visit.requiredId());

		assertThat(this.tester).hasJob("visit-reminder").hasState(JobState.CANCELLED);
		assertThatExceptionOfType(VisitException.class)
			.isThrownBy(() -> this.appointments.reschedule(visit.requiredId(), this.inTenDays));
	}

	@Test
	void theListOfTomorrowNamesBookedVisitsOnly() {
		LocalDate today = this.clinic.day(Instant.now());
		// two days: midnight may pass during the test
		for (int day = 1; day <= 2; day++) {
			Instant noon = this.clinic.time(today.plusDays(day).atTime(12, 0));
			this.appointments.book(PIXEL, noon, "Vaccination");
			this.appointments.cancel(this.appointments.book(PIXEL, noon, "Teeth").requiredId());
		}

		this.queue.enqueue(JobRequest.of("visits-of-tomorrow"));
		this.tester.runDue("visits-of-tomorrow");

		assertThat(this.mails.findAll()).singleElement()
			.satisfies((mail) -> assertThat(mail.getRecipient()).isEqualTo("desk@clinic.example.org"))
			.extracting(SentMail::getText)
			.asString()
			.contains("Pixel (Ada Lovelace), Vaccination")
			.doesNotContain("Teeth");
	}

	private Visit book() {
		return this.appointments.book(PIXEL, this.inTenDays, "Vaccination");
	}

}
