package io.pgqueue.sample.signup;

import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

/**
 * Somebody who wants to sign up.
 *
 * @param name how to address them
 * @param email where to write to
 */
public record NewUser(
		@NotBlank @Size(max = 100) @Pattern(regexp = "\\P{Cntrl}*",
				message = "must not contain control characters") String name,
		@NotBlank @Size(max = 254) @Email String email) {

}
