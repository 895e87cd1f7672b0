package io.pgqueue.admin;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * An operation, as it is recorded before it is performed.
 *
 * @param who the name of the user or program
 * @param via the interface that was used: {@code dashboard}, {@code endpoint}, or a name
 * that the application chooses
 * @param address the address that the request came from, or {@code null}
 * @param action the action, such as {@code retry}
 * @param kind the kind of its target, such as {@code jobs}
 * @param name the id or name of its target
 * @param reason the reason that was given, or {@code null}
 * @param parameters further parameters, such as a delay; never payloads
 * @since 0.1.0
 */
public record Operation(String who, String via, @Nullable String address, String action, String kind, String name,
		@Nullable String reason, Map<String, String> parameters) {

	/** Copies the parameters. */
	public Operation {
		parameters = Map.copyOf(new LinkedHashMap<>(parameters));
	}

}
