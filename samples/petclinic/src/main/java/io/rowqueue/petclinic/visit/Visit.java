package io.rowqueue.petclinic.visit;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;

import io.rowqueue.petclinic.owner.Pet;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Version;
import org.jspecify.annotations.Nullable;

/** An appointment of a pet. */
@Entity
public class Visit {

	@Id
	@GeneratedValue(strategy = GenerationType.IDENTITY)
	private @Nullable Long id;

	/** Of two users who change a visit at the same time, one is rejected. */
	@Version
	private int version;

	@ManyToOne(fetch = FetchType.LAZY, optional = false)
	private Pet pet;

	private Instant startsAt;

	private String reason;

	@Enumerated(EnumType.STRING)
	private State state = State.BOOKED;

	private @Nullable BigDecimal fee;

	private @Nullable Long reminderJob;

	/** For JPA. */
	@SuppressWarnings("NullAway.Init")
	protected Visit() {
	}

	Visit(Pet pet, Instant startsAt, String reason) {
		this.pet = pet;
		this.startsAt = startsAt;
		this.reason = reason;
	}

	void moveTo(Instant time) {
		checkBooked();
		this.startsAt = time;
	}

	void cancel() {
		checkBooked();
		this.state = State.CANCELLED;
	}

	void complete(BigDecimal newFee) {
		checkBooked();
		this.state = State.COMPLETED;
		this.fee = newFee;
	}

	private void checkBooked() {
		if (this.state != State.BOOKED) {
			throw new VisitException("The visit is " + this.state.text());
		}
	}

	void remindedBy(long job) {
		this.reminderJob = job;
	}

	/** Returns the id of a stored visit. */
	public long requiredId() {
		return Objects.requireNonNull(this.id);
	}

	/** Returns the pet. */
	public Pet getPet() {
		return this.pet;
	}

	/** Returns when the visit begins. */
	public Instant getStartsAt() {
		return this.startsAt;
	}

	/** Returns why the pet comes. */
	public String getReason() {
		return this.reason;
	}

	/** Returns the state. */
	public State getState() {
		return this.state;
	}

	/** Returns the price of a completed visit. */
	public @Nullable BigDecimal getFee() {
		return this.fee;
	}

	/** Returns the latest job that reminds of the visit. */
	public @Nullable Long getReminderJob() {
		return this.reminderJob;
	}

	/** The states of a visit. */
	public enum State {

		/** It has yet to take place. */
		BOOKED,

		/** It has taken place. */
		COMPLETED,

		/** It does not take place. */
		CANCELLED;

		/** Returns the word for it. */
		public String text() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
