package io.rowqueue.petclinic.visit;

import java.math.BigDecimal;
import java.time.Instant;

import io.rowqueue.JobQueue;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.petclinic.clinic.Clinic;
import io.rowqueue.petclinic.clinic.NotFoundException;
import io.rowqueue.petclinic.owner.Pet;
import io.rowqueue.petclinic.owner.Pets;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Books and changes visits. Each method is one transaction of JPA, and its jobs are part
 * of it: a visit never lacks its reminder, and a reminder never lacks its visit.
 */
@Service
public class Appointments {

	private final Visits visits;

	private final Pets pets;

	private final JobQueue jobs;

	private final JobAdmin admin;

	private final Clinic clinic;

	Appointments(Visits visits, Pets pets, JobQueue jobs, JobAdmin admin, Clinic clinic) {
		this.visits = visits;
		this.pets = pets;
		this.jobs = jobs;
		this.admin = admin;
		this.clinic = clinic;
	}

	/**
	 * Books a visit, and a reminder.
	 * @param petId the id of the pet
	 * @param startsAt when the visit begins
	 * @param reason why the pet comes
	 * @return the visit
	 */
	@Transactional
	public Visit book(long petId, Instant startsAt, String reason) {
		Pet pet = this.pets.findById(petId).orElseThrow(() -> new NotFoundException("pet " + petId));
		checkTime(startsAt);
		Visit visit = this.visits.save(new Visit(pet, startsAt, reason));
		remind(visit);
		return visit;
	}

	/**
	 * Moves a visit, and its reminder with it. If the owner was reminded before, the
	 * owner is reminded again.
	 * @param id the id of the visit
	 * @param startsAt when the visit begins
	 */
	@Transactional
	public void reschedule(long id, Instant startsAt) {
		checkTime(startsAt);
		Visit visit = get(id);
		visit.moveTo(startsAt);
		remind(visit);
	}

	/**
	 * Cancels a visit, and its reminder with it.
	 * @param id the id of the visit
	 */
	@Transactional
	public void cancel(long id) {
		get(id).cancel();
		cancelReminder(id);
	}

	/**
	 * Completes a visit, which needs no reminder any more.
	 * @param id the id of the visit
	 * @param fee the price
	 */
	@Transactional
	public void complete(long id, BigDecimal fee) {
		get(id).complete(fee);
		cancelReminder(id);
	}

	/** A time that has passed means now: a visit of today is reminded of at once. */
	private void remind(Visit visit) {
		VisitReminder reminder = new VisitReminder(visit.requiredId());
		Instant due = visit.getStartsAt().minus(this.clinic.remindBefore());
		visit.remindedBy(this.jobs.enqueue(VisitReminder.TYPE.request(reminder).runAt(due)).id());
	}

	private void cancelReminder(long visit) {
		this.admin.job(VisitReminder.TYPE, new VisitReminder(visit).key()).cancel();
	}

	private Visit get(long id) {
		return this.visits.findById(id).orElseThrow(() -> new NotFoundException("visit " + id));
	}

	private static void checkTime(Instant startsAt) {
		if (startsAt.isBefore(Instant.now())) {
			throw new VisitException("A visit cannot begin in the past");
		}
	}

}
