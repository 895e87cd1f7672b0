package io.rowqueue.dashboard.api;

import java.time.Instant;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Supplier;

import io.rowqueue.admin.WrittenJob;
import io.rowqueue.dashboard.Level;
import io.rowqueue.dashboard.api.Actions.Action;
import io.rowqueue.dashboard.api.Actions.Done;
import io.rowqueue.dashboard.http.ApiCall;
import io.rowqueue.dashboard.http.Problem;
import io.rowqueue.dashboard.http.Route;
import org.jspecify.annotations.Nullable;

/** Routes that change something: the level is that of the action in the body. */
public final class ActionRoutes {

	private final Actions actions;

	private final Reads reads;

	/**
	 * Creates the routes.
	 * @param actions does what they are asked for
	 * @param reads reads the time
	 */
	public ActionRoutes(Actions actions, Reads reads) {
		this.actions = actions;
		this.reads = reads;
	}

	/**
	 * Creates a route.
	 * @param template its path, whose variable is the name or id
	 * @param variable that variable
	 * @param kind what it changes, such as {@code queues}
	 * @param levels the level that each action needs
	 */
	public Route post(String template, String variable, String kind, Map<String, Level> levels) {
		return Route.post(template, Level.OPERATE, (call) -> perform(call, kind, call.name(variable), levels));
	}

	/**
	 * Creates a route whose actions may concern many jobs: more than can be counted need
	 * an administrator, as for a filter.
	 * @param many whether an action on what has a name concerns as many now
	 */
	public Route post(String template, String variable, String kind, Map<String, Level> levels,
			BiPredicate<String, String> many) {
		return Route.post(template, Level.OPERATE, (call) -> {
			String action = ActionBody.of(call).action();
			if (levels.containsKey(action) && !call.rights().level().includes(Level.ADMIN)
					&& many.test(action, call.name(variable))) {
				call.need(Level.ADMIN);
			}
			return perform(call, kind, call.name(variable), levels);
		});
	}

	/** Does what the body asks for, if the caller's level is high enough. */
	public Outcome perform(ApiCall call, String kind, String name, Map<String, Level> levels) {
		ActionBody body = ActionBody.of(call);
		Level level = levels.get(body.action());
		if (level == null) {
			throw Problem.invalid("action", "must be one of " + String.join(", ", new TreeSet<>(levels.keySet())));
		}
		call.need(level);
		return outcome(() -> this.actions.perform(new Action(kind, name, body), call));
	}

	/** Enqueues a job. */
	public Outcome enqueue(ApiCall call, WrittenJob job, @Nullable String reason) {
		return outcome(() -> this.actions.enqueue(job, reason, call));
	}

	/**
	 * The time is read first: what has been done must not be answered as failed because
	 * something cannot be read afterwards.
	 */
	private Outcome outcome(Supplier<Done> action) {
		Instant at = this.reads.now();
		Done done = Reads.guarded(action);
		return new Outcome(at, done.outcome(), done.message(), done.affected(), done.job(), done.operation());
	}

	/**
	 * What was done.
	 *
	 * @param at when the request was read
	 * @param outcome one word
	 * @param message a sentence
	 * @param affected how many jobs it concerned
	 * @param job the job that it has enqueued
	 * @param operation its row in the audit
	 */
	public record Outcome(Instant at, String outcome, String message, @Nullable Integer affected, @Nullable Long job,
			@Nullable Long operation) {

	}

}
