package io.pgqueue.autoconfigure.endpoint;

import java.util.Set;

import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the endpoint shows, and to whom.
 *
 * @param showPayloads When to show payloads, results, unique keys and stack traces
 * unsanitized.
 * @param roles Roles used to determine whether a user is authorized to be shown them.
 * When empty, all authenticated users are authorized.
 */
@ConfigurationProperties("management.endpoint.queue")
record QueueEndpointProperties(@DefaultValue("never") Show showPayloads, @DefaultValue Set<String> roles) {

}
