package io.rowqueue.petclinic.owner;

import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;

/**
 * A new owner with the first pet.
 *
 * @param name the name of the owner
 * @param email the address for mails
 * @param pet the name of the pet
 * @param species what kind of animal it is
 */
record OwnerForm(@NotBlank @Size(max = 100) String name, @NotBlank @Email @Size(max = 200) String email,
		@NotBlank @Size(max = 100) String pet, @NotBlank @Size(max = 100) String species) {
}
