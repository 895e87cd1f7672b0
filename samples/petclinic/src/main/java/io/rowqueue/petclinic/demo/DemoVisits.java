package io.rowqueue.petclinic.demo;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;

import io.rowqueue.petclinic.clinic.Clinic;
import io.rowqueue.petclinic.invoice.Checkout;
import io.rowqueue.petclinic.visit.Appointments;
import io.rowqueue.petclinic.visit.Visits;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Component;

/** Books some visits at the first start; the owners and pets are in a migration. */
@Component
@ConditionalOnBooleanProperty("petclinic.demo")
class DemoVisits implements ApplicationRunner {

	private final Appointments appointments;

	private final Checkout checkout;

	private final Visits visits;

	private final Clinic clinic;

	DemoVisits(Appointments appointments, Checkout checkout, Visits visits, Clinic clinic) {
		this.appointments = appointments;
		this.checkout = checkout;
		this.visits = visits;
		this.clinic = clinic;
	}

	@Override
	public void run(ApplicationArguments args) {
		if (this.visits.count() > 0) {
			return;
		}
		Instant now = Instant.now();
		Duration soonReminded = this.clinic.remindBefore().plusSeconds(20);
		this.appointments.book(1, now.plus(soonReminded), "Vaccination");
		this.appointments.book(2, now.plus(Duration.ofDays(3)), "Teeth");
		long completed = this.appointments.book(3, now.plus(Duration.ofDays(2)), "Check-up").requiredId();
		this.checkout.complete(completed, new BigDecimal("48.50"));
	}

}
