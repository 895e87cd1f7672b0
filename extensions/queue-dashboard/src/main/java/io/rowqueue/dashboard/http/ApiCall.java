package io.rowqueue.dashboard.http;

import java.util.Map;
import java.util.Objects;

import io.rowqueue.dashboard.DashboardCaller;
import io.rowqueue.dashboard.DashboardRights;
import io.rowqueue.dashboard.Level;
import org.jspecify.annotations.Nullable;

/** A request to a route of the API. */
public final class ApiCall {

	private final DashboardRequest request;

	private final Map<String, String> variables;

	private final Parameters parameters;

	private final DashboardRights rights;

	private final Json json;

	ApiCall(DashboardRequest request, Routes.Matched matched, DashboardRights rights, Json json) {
		this.request = request;
		this.variables = matched.variables();
		this.parameters = new Parameters(request.parameters(), matched.route().parameters());
		this.rights = rights;
		this.json = json;
	}

	/** Returns the parameters of the query. */
	public Parameters parameters() {
		return this.parameters;
	}

	/** Returns what the caller may do and see. */
	public DashboardRights rights() {
		return this.rights;
	}

	/** Returns who sends the request. */
	public DashboardCaller caller() {
		return this.request.caller();
	}

	/** Returns the token of the application's own security, if it wants one. */
	public @Nullable CsrfToken csrf() {
		return this.request.csrf();
	}

	/** Refuses a caller whose level is too low. */
	public void need(Level level) {
		if (!this.rights.level().includes(level)) {
			throw Problem.notAllowed(Words.of(level));
		}
	}

	/** Refuses a caller that may not see payloads. */
	public void needPayloads() {
		if (!this.rights.payloads()) {
			throw Problem.notAllowed(Words.PAYLOADS);
		}
	}

	/** Returns a variable of the path. */
	public String name(String variable) {
		return Objects.requireNonNull(this.variables.get(variable));
	}

	/** Returns a variable of the path that is an id. */
	public long id() {
		String id = name("id");
		try {
			long number = Long.parseLong(id);
			if (number > 0) {
				return number;
			}
		}
		catch (NumberFormatException ex) {
			throw Problem.Kind.NOT_FOUND.because("An id is a positive number.");
		}
		throw Problem.Kind.NOT_FOUND.because("An id is a positive number.");
	}

	/**
	 * Reads the body.
	 * @param type a record
	 * @throws ProblemException if the body has unknown fields, or is none of these
	 */
	public <T> T body(Class<T> type) {
		return this.json.read(this.request.body().bytes(), type);
	}

}
