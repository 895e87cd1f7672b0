package io.pgqueue.postgres;

/**
 * A database on a development server, and how to reach it.
 *
 * @param url JDBC URL
 * @param username user who owns the database
 * @param password the user's password
 */
public record Database(String url, String username, String password) {

}
