package io.rowqueue.sample.signup;

import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

/**
 * A user who signs up.
 *
 * @param name the name
 * @param email the address
 */
public record NewUser(
		@NotBlank @Size(max = 100) @Pattern(regexp = "\\P{Cntrl}*",
				message = "must not contain control characters") String name,
		@NotBlank @Size(max = 254) @Email String email) {

}
