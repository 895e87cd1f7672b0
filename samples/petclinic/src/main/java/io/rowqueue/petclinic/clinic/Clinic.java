package io.rowqueue.petclinic.clinic;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of the clinic.
 *
 * @param mail the address of the clinic
 * @param zone the time zone of its appointment book
 * @param remindBefore how long before a visit its owner is reminded
 */
@ConfigurationProperties("petclinic")
public record Clinic(@DefaultValue("desk@clinic.example.org") String mail, @DefaultValue("Europe/Berlin") ZoneId zone,
		@DefaultValue("1d") Duration remindBefore) {

	private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("EEE d MMM yyyy HH:mm", Locale.ENGLISH);

	/**
	 * Returns a time as owners and staff read it.
	 * @param time the time
	 * @return the text, in the zone of the clinic
	 */
	public String format(Instant time) {
		return TIME.format(time.atZone(this.zone));
	}

	/**
	 * Returns the time that someone has entered in a form.
	 * @param entered the local time of the clinic
	 * @return the time
	 */
	public Instant time(LocalDateTime entered) {
		return entered.atZone(this.zone).toInstant();
	}

	/**
	 * Returns the day of a time.
	 * @param time the time
	 * @return the local date of the clinic
	 */
	public LocalDate day(Instant time) {
		return LocalDate.ofInstant(time, this.zone);
	}

	/**
	 * Returns when a day begins.
	 * @param day the local date of the clinic
	 * @return the time
	 */
	public Instant start(LocalDate day) {
		return day.atStartOfDay(this.zone).toInstant();
	}

}
