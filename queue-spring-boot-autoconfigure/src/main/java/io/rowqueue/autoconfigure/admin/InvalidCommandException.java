package io.rowqueue.autoconfigure.admin;

import org.jspecify.annotations.Nullable;

/** A command makes no sense; nothing was changed. */
final class InvalidCommandException extends RuntimeException {

	private InvalidCommandException(String reason, @Nullable Throwable cause) {
		super(reason, cause);
	}

	static InvalidCommandException because(String reason) {
		return new InvalidCommandException(reason, null);
	}

	static InvalidCommandException because(String reason, Throwable cause) {
		return new InvalidCommandException(reason, cause);
	}

	/** The kind does not have this action. */
	static InvalidCommandException action(AdminCommand command, String allowed) {
		return because("the action for " + allowed + ", not '" + command.action() + "'");
	}

	CommandResult result() {
		return CommandResult.invalid(String.valueOf(getMessage()));
	}

}
