package io.rowqueue.dashboard.autoconfigure;

import java.util.Map;
import java.util.Objects;

import io.rowqueue.admin.WrittenJob;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.autoconfigure.admin.AdminCommand;
import io.rowqueue.autoconfigure.admin.AdminCommands;
import io.rowqueue.autoconfigure.admin.Caller;
import io.rowqueue.autoconfigure.admin.CommandResult;
import io.rowqueue.autoconfigure.admin.PayloadCommands;
import io.rowqueue.dashboard.DashboardCaller;
import io.rowqueue.dashboard.api.ActionBody;
import io.rowqueue.dashboard.api.Actions;
import io.rowqueue.dashboard.api.health.AboutDashboard;
import io.rowqueue.dashboard.http.ApiCall;
import io.rowqueue.dashboard.http.Problem;
import org.jspecify.annotations.Nullable;

/** Performs the commands that callers of the API ask for. */
final class CommandActions implements Actions {

	private static final Map<String, String> DONE = Map.ofEntries(Map.entry("pause", "paused"),
			Map.entry("resume", "resumed"), Map.entry("retry", "queued"), Map.entry("limit", "limited"),
			Map.entry("unlimit", "unlimited"), Map.entry("quiet", "quieted"), Map.entry("slots", "changed"),
			Map.entry("restart", "restarting"), Map.entry("trigger", "triggered"), Map.entry("backfill", "queued"),
			Map.entry("remove", "removed"), Map.entry("cancel", "cancelled"), Map.entry("close", "closed"),
			Map.entry("reschedule", "rescheduled"), Map.entry("prioritize", "prioritized"),
			Map.entry("stop", "stopped"), Map.entry("edit", "edited"), Map.entry("replay", "queued"),
			Map.entry("enqueue", "queued"), Map.entry("resolve", "resolved"), Map.entry("ignore", "ignored"),
			Map.entry("reopen", "reopened"), Map.entry("note", "noted"), Map.entry("hold", "held"),
			Map.entry("release", "released"), Map.entry("erase", "erased"), Map.entry("signal", "signalled"),
			Map.entry("stack", "requested"), Map.entry("weight", "weighted"));

	private final AdminCommands commands;

	private final PayloadCommands payloads;

	private final AboutDashboard about;

	CommandActions(AdminCommands commands, PayloadCommands payloads, AboutDashboard about) {
		this.commands = commands;
		this.payloads = payloads;
		this.about = about;
	}

	@Override
	public Done perform(Action action, ApiCall call) {
		ActionBody body = action.body();
		Caller caller = caller(call.caller());
		return done(action, switch (body.action()) {
			case "edit" -> this.payloads.edit(call.id(), body.required("payload"), body.text("revision"),
					body.text("reason"), caller);
			case "replay" -> this.payloads.replay(call.id(), body.text("payload"), body.text("reason"), caller);
			case "signal" -> this.payloads.signal(call.id(), body.required("signal"), body.text("payload"),
					body.text("reason"), caller);
			default ->
				this.commands.via(call.caller().via()).operate(request(action.kind(), action.name(), body), caller);
		});
	}

	@Override
	public Done enqueue(WrittenJob job, @Nullable String reason, ApiCall call) {
		Action action = new Action("types", job.type(), ActionBody.of("enqueue"));
		return done(action, this.payloads.enqueue(job, reason, caller(call.caller())));
	}

	@Override
	public long start(ActionBody body, JobFilter filter, @Nullable Long mostJobs, ApiCall call) {
		Action action = new Action("jobs", "", body);
		CommandResult result = this.commands.via(call.caller().via())
			.startAll(request("jobs", "", body), filter, mostJobs, caller(call.caller()));
		return Objects.requireNonNull(done(action, result).operation());
	}

	private static AdminCommand request(String kind, String name, ActionBody body) {
		AdminCommand request = AdminCommand.of(kind, name, body.action());
		for (Map.Entry<String, Object> parameter : body.parameters().entrySet()) {
			request = switch (parameter.getKey()) {
				case "delayMs" -> request.with("delay", parameter.getValue() + "ms");
				case "payload", "revision", "signal" -> request; // not for the record
				default -> request.with(parameter.getKey(), parameter.getValue());
			};
		}
		return request;
	}

	private Caller caller(DashboardCaller caller) {
		return new Caller(this.about.who(caller), caller.address());
	}

	private static Done done(Action action, CommandResult result) {
		String message = sentence(result.message());
		return switch (result.outcome()) {
			case DONE -> done(DONE.getOrDefault(action.body().action(), "done"), message, result);
			case UNCHANGED -> done("unchanged", message, result);
			case NOT_FOUND -> throw Problem.Kind.NOT_FOUND.because(message);
			case KEY_TAKEN -> throw Problem.Kind.KEY_TAKEN.because(message);
			case CHANGED -> throw Problem.Kind.CHANGED.because(message);
			case CONFLICT -> throw conflict(action).because(message);
			case UNAVAILABLE -> throw Problem.later(Problem.Kind.DATABASE_AWAY, message, 5);
			case INVALID -> throw Problem.Kind.INVALID_REQUEST.because(message);
			case FAILED -> throw Problem.Kind.FAILED.because(message);
		};
	}

	private static Problem.Kind conflict(Action action) {
		if (!action.kind().equals("jobs")) {
			return Problem.Kind.CONFLICT;
		}
		return action.body().action().equals("retry") ? Problem.Kind.NOT_FAILED : Problem.Kind.NOT_WAITING;
	}

	private static Done done(String outcome, String message, CommandResult result) {
		return new Done(outcome, message, result.jobs(), result.job(), result.operation());
	}

	private static String sentence(String text) {
		return text.isEmpty() ? text
				: Character.toUpperCase(text.charAt(0)) + text.substring(1) + (text.endsWith("?") ? "" : ".");
	}

}
