package io.rowqueue.sample.contact;

import java.util.stream.Collectors;

import jakarta.validation.Validator;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;

/**
 * A contact.
 *
 * @param name the name
 * @param email the mail address
 */
record Contact(@NotBlank(message = "is missing") String name, @NotBlank(message = "is missing") @Size(max = 254,
		message = "is longer than 254 characters") @Email(message = "is not a mail address") String email) {

	/**
	 * Reads a contact from a row.
	 * @throws BadRowException if the row is not a contact
	 */
	static Contact of(CsvRow row, Validator validator) {
		if (row.fields().size() != 2) {
			throw new BadRowException(row.line(),
					"expected 2 fields (name,email), not %d".formatted(row.fields().size()));
		}
		Contact contact = new Contact(row.fields().get(0), row.fields().get(1));
		String violations = validator.validate(contact)
			.stream()
			.map((violation) -> violation.getPropertyPath() + " " + violation.getMessage())
			.sorted()
			.collect(Collectors.joining(", "));
		if (!violations.isEmpty()) {
			throw new BadRowException(row.line(), violations);
		}
		return contact;
	}

}
