package io.pgqueue.postgres;

/**
 * A database on a development server.
 *
 * @param url JDBC URL
 * @param username the owner of the database
 * @param password the user's password
 */
public record Database(String url, String username, String password) {

}
