package io.rowqueue.sample.signup;

import java.time.Instant;

/**
 * A user who has signed up.
 *
 * @param id the id
 * @param name the name
 * @param email the address, which is unique, ignoring case
 * @param createdAt when they signed up
 */
public record User(long id, String name, String email, Instant createdAt) {

}
