package io.rowqueue.autoconfigure.endpoint;

import java.util.Set;

import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Which data the endpoint shows to which users.
 *
 * @param showPayloads When to show payloads, results, unique keys, limit keys, error
 * texts, progress messages, log lines and the names of flows, their jobs, batches and
 * steps. Otherwise only the class of an exception and of a limit key are visible, besides
 * names from code and configuration (queues, types, schedules, windows and workers) and
 * the reasons of pauses.
 * @param roles Roles used to determine whether a user is authorized to see them. When
 * empty, all authenticated users are authorized.
 */
@ConfigurationProperties("management.endpoint.rowqueue")
record QueueEndpointProperties(@DefaultValue("never") Show showPayloads, @DefaultValue Set<String> roles) {

}
