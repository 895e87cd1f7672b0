package io.rowqueue.schedule.autoconfigure;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;

import io.rowqueue.schedule.ExcludedPolicy;
import io.rowqueue.schedule.Validity;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/** The restriction of the due times of a recurring job, before it is checked. */
record ValidityDraft(@Nullable String from, @Nullable String until, @Nullable String calendar,
		ExcludedPolicy excluded) {

	static final ValidityDraft NONE = new ValidityDraft(null, null, null, ExcludedPolicy.SKIP);

	/** Returns a copy in which the properties take precedence. */
	ValidityDraft with(RecurringJobProperties given) {
		return new ValidityDraft(either(given.from(), this.from), either(given.until(), this.until),
				either(given.calendar(), this.calendar), (given.excluded() != null) ? given.excluded() : this.excluded);
	}

	private static @Nullable String either(@Nullable String first, @Nullable String second) {
		return (first != null) ? first : second;
	}

	/**
	 * Returns the restriction.
	 * @throws IllegalArgumentException if a time is not valid
	 */
	Validity validity(String zone) {
		return Validity.ALWAYS.from(time("from", this.from, zone))
			.until(time("until", this.until, zone))
			.calendar(StringUtils.hasText(this.calendar) ? this.calendar : null, this.excluded);
	}

	private static @Nullable Instant time(String name, @Nullable String text, String zone) {
		if (!StringUtils.hasText(text)) {
			return null;
		}
		try {
			if (text.indexOf('T') < 0) {
				return LocalDate.parse(text).atStartOfDay(ZoneId.of(zone)).toInstant();
			}
			boolean local = text.matches("[^T]+T[0-9:.]+");
			return local ? LocalDateTime.parse(text).atZone(ZoneId.of(zone)).toInstant()
					: OffsetDateTime.parse(text).toInstant();
		}
		catch (DateTimeException ex) {
			throw new IllegalArgumentException(name
					+ " must be a time such as 2026-12-01T08:00:00Z, or a local date or time such as 2026-12-01, not '"
					+ text + "'", ex);
		}
	}

}
