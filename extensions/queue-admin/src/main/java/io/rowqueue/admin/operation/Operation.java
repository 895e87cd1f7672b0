package io.rowqueue.admin.operation;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * An operation, as {@link Operations} records it before it is performed. Immutable: every
 * method that sets a value returns a changed copy.
 *
 * @since 0.1.0
 */
public final class Operation {

	private final Actor actor;

	private final String action;

	private final String kind;

	private final String name;

	private final @Nullable String reason;

	private final Map<String, String> parameters;

	private Operation(Actor actor, String action, String kind, String name, @Nullable String reason,
			Map<String, String> parameters) {
		this.actor = actor;
		this.action = action;
		this.kind = kind;
		this.name = name;
		this.reason = reason;
		this.parameters = Map.copyOf(parameters);
	}

	/**
	 * Creates an operation.
	 * @param who the name of the person or program
	 * @param via what was used: {@code dashboard}, {@code endpoint} or a name of your own
	 * @param action what to do, such as {@code retry}
	 * @param kind what it is done to, such as {@code jobs}
	 * @param name its id or name
	 * @return the operation
	 */
	public static Operation of(String who, String via, String action, String kind, String name) {
		return new Operation(new Actor(who, via, null), action, kind, name, null, Map.of());
	}

	/**
	 * Sets the address that the request came from.
	 * @param address the address, or {@code null}
	 * @return a changed copy
	 */
	public Operation address(@Nullable String address) {
		return new Operation(new Actor(who(), via(), address), this.action, this.kind, this.name, this.reason,
				this.parameters);
	}

	/**
	 * Sets the reason.
	 * @param reason the reason, or {@code null}
	 * @return a changed copy
	 */
	public Operation reason(@Nullable String reason) {
		return new Operation(this.actor, this.action, this.kind, this.name, reason, this.parameters);
	}

	/**
	 * Sets what else was given, such as a delay.
	 * @param parameters the values by name; no payloads
	 * @return a changed copy
	 */
	public Operation parameters(Map<String, String> parameters) {
		return new Operation(this.actor, this.action, this.kind, this.name, this.reason, parameters);
	}

	/** Returns the name of the person or program. */
	public String who() {
		return this.actor.who;
	}

	/** Returns what was used. */
	public String via() {
		return this.actor.via;
	}

	/** Returns the address that the request came from, or {@code null}. */
	public @Nullable String address() {
		return this.actor.address;
	}

	/** Returns what to do. */
	public String action() {
		return this.action;
	}

	/** Returns what it is done to. */
	public String kind() {
		return this.kind;
	}

	/** Returns the id or name of what it is done to. */
	public String name() {
		return this.name;
	}

	/** Returns the reason, or {@code null}. */
	public @Nullable String reason() {
		return this.reason;
	}

	/** Returns what else was given. */
	public Map<String, String> parameters() {
		return this.parameters;
	}

	@Override
	public String toString() {
		return "Operation[" + this.action + " " + this.kind + " " + this.name + "]";
	}

	/** Who acts, with what, and from where. */
	record Actor(String who, String via, @Nullable String address) {

	}

}
