package io.rowqueue.dashboard.http;

/**
 * The token that the application's own security wants with unsafe methods.
 *
 * @param header the header that carries it
 * @param token the token
 */
public record CsrfToken(String header, String token) {

}
