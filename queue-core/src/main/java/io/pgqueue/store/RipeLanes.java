package io.pgqueue.store;

import java.time.Duration;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Which lanes wait for more jobs.
 *
 * @param unripe those that do
 * @param next how long from now the first of them does no more; {@code null}: there are
 * none with jobs
 */
public record RipeLanes(Set<Lane> unripe, @Nullable Duration next) {

}
