package io.pgqueue.sample.signup;

import java.time.Instant;

/**
 * Somebody who has signed up.
 *
 * @param id number of the user
 * @param name how to address them
 * @param email where to write to; no two users have the same, whatever its case
 * @param createdAt when they signed up
 */
public record User(long id, String name, String email, Instant createdAt) {

}
