package io.rowqueue.petclinic.visit;

import java.time.LocalDateTime;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import org.springframework.format.annotation.DateTimeFormat;

/**
 * A visit to book.
 *
 * @param startsAt when it begins, in the time of the clinic
 * @param reason why the pet comes
 */
record VisitForm(@NotNull @DateTimeFormat(iso = DateTimeFormat.ISO.DATE_TIME) LocalDateTime startsAt,
		@NotBlank @Size(max = 200) String reason) {
}
