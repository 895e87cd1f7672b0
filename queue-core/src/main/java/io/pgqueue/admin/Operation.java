package io.pgqueue.admin;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What somebody wants to be done, as it is recorded before it is done.
 *
 * @param who the name of the person or program
 * @param via what was used: {@code dashboard}, {@code endpoint} or a name of your own
 * @param address the address that the request came from, or {@code null}
 * @param action what to do, such as {@code retry}
 * @param kind what it is done to, such as {@code jobs}
 * @param name its id or name
 * @param reason why, or {@code null}
 * @param parameters what else was given, such as a delay; no payloads
 * @since 0.1.0
 */
public record Operation(String who, String via, @Nullable String address, String action, String kind, String name,
		@Nullable String reason, Map<String, String> parameters) {

	/** Copies the parameters. */
	public Operation {
		parameters = Map.copyOf(new LinkedHashMap<>(parameters));
	}

}
