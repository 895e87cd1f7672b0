package io.rowqueue.engine.search;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.rowqueue.admin.filter.ErrorMatch;
import io.rowqueue.admin.filter.JobExclusions;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.admin.filter.JobListState;
import io.rowqueue.admin.filter.NumberRange;
import io.rowqueue.admin.filter.TimeRange;
import io.rowqueue.engine.database.Sql;
import org.jspecify.annotations.Nullable;

/** What a row {@code j} has to meet so that a filter selects it. */
final class FilterCondition {

	/** The handler of the job waits. */
	private static final String WAITING = """
			(j.state::text = 'scheduled' and exists (
				select from {schema}.job_wait w join {schema}.job l on l.id = w.job_id and l.lease = w.lease where w.job_id = j.id))""";

	/** Looked up by the job, whatever else leads to it. */
	private static final String LABEL = """
			exists (select from {schema}.job_tag t where t.job_id = j.id and t.name = ? and t.value = ?)""";

	/**
	 * The fingerprint of the error of the last attempt that failed. A job without an
	 * error costs no probe.
	 */
	private static final String LAST_ERROR_GROUP = """
			case when j.last_error is not null then (
				select f.error_group from {schema}.job_failure f where f.job_id = j.id order by f.failed_at desc limit 1) end""";

	private final List<String> conditions = new ArrayList<>();

	private final List<Object> arguments = new ArrayList<>();

	private final Set<Part> parts = EnumSet.noneOf(Part.class);

	private FilterCondition() {
	}

	static FilterCondition of(JobFilter filter) {
		FilterCondition condition = new FilterCondition();
		condition.states(filter.states());
		condition.any(Part.QUEUE, "j.queue = any (?::text[])", filter.queues());
		condition.any(Part.TYPE, "j.type = any (?::text[])", filter.types());
		condition.add(Part.KEY, "j.unique_key = ?", filter.uniqueKey());
		condition.add(Part.WORKER, "j.worker_id = ?", filter.worker());
		condition.range(Part.PRIORITY, "j.priority", filter.priority());
		condition.range(Part.ATTEMPT, "j.attempt", filter.attempts());
		condition.range(Part.CREATED, "j.created_at", filter.created());
		condition.range(Part.DUE, "j.run_at", filter.due());
		condition.range(Part.STARTED, "j.leased_at", filter.started());
		condition.range(Part.ENDED, "j.finished_at", filter.ended());
		filter.tags().forEach((tag) -> condition.label("", tag));
		filter.headers().forEach(condition::label);
		filter.payload().forEach(condition::payload);
		condition.error(filter.error());
		condition.exclude(filter.excluded());
		if (filter.text() != null) {
			String pattern = pattern(filter.text());
			condition.add(Part.TEXT, "(j.payload::text ilike ? or j.payload::text ilike ? or j.last_error ilike ?)",
					pattern);
			condition.arguments.add(pattern(inJson(filter.text())));
			condition.arguments.add(pattern);
		}
		return condition;
	}

	/** The condition as text; its parameters are the arguments. */
	String sql() {
		return this.conditions.isEmpty() ? "true" : String.join(" and ", this.conditions);
	}

	List<Object> arguments() {
		return this.arguments;
	}

	/** Whether there is nothing in it besides these parts. */
	boolean isWithin(Set<Part> covered) {
		return covered.containsAll(this.parts);
	}

	private void states(Set<JobListState> states) {
		if (states.isEmpty()) {
			return;
		}
		this.parts.add(Part.STATE);
		if (states.contains(JobListState.RETRYING) && !states.contains(JobListState.SCHEDULED)) {
			this.parts.add(Part.RETRYING);
		}
		if (states.contains(JobListState.WAITING) && !states.contains(JobListState.SCHEDULED)) {
			this.parts.add(Part.WAITING);
		}
		this.conditions.add(stateIn(states));
	}

	private static String stateIn(Set<JobListState> states) {
		String labels = states.stream()
			.map((state) -> "'" + state.label() + "'")
			.sorted()
			.collect(Collectors.joining(", "));
		String retrying = states.contains(JobListState.RETRYING) ? " or (j.state::text = 'scheduled' and j.attempt > 0)"
				: "";
		String waiting = states.contains(JobListState.WAITING) ? " or " + WAITING : "";
		return "(" + JobRowStatement.STATE + " in (" + labels + ")" + retrying + waiting + ")";
	}

	private void error(@Nullable ErrorMatch error) {
		if (error != null && error.isFingerprint()) {
			add(Part.ERROR, LAST_ERROR_GROUP + " = ?", error.fingerprint());
		}
		else if (error != null) {
			add(Part.ERROR, "j.last_error ilike ?", pattern(error.text()));
		}
	}

	private void exclude(JobExclusions excluded) {
		if (!excluded.states().isEmpty()) {
			this.parts.add(Part.EXCLUDED);
			this.conditions.add("not " + stateIn(excluded.states()));
		}
		any(Part.EXCLUDED, "j.queue <> all (?::text[])", excluded.queues());
		any(Part.EXCLUDED, "j.type <> all (?::text[])", excluded.types());
		for (ErrorMatch error : excluded.errors()) {
			add(Part.EXCLUDED,
					error.isFingerprint() ? LAST_ERROR_GROUP + " is distinct from ?"
							: "coalesce(j.last_error not ilike ?, true)",
					error.isFingerprint() ? (Object) error.fingerprint() : pattern(error.text()));
		}
	}

	/** A text as it is in a string of JSON. */
	private static String inJson(String text) {
		return text.replace("\\", "\\\\").replace("\"", "\\\"");
	}

	private static String pattern(String text) {
		return "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%";
	}

	private void any(Part part, String condition, Set<String> values) {
		if (!values.isEmpty()) {
			add(part, condition, values.toArray(String[]::new));
		}
	}

	private void label(String name, String value) {
		add(Part.LABEL, LABEL, name);
		this.arguments.add(value);
	}

	private void payload(String path, String value) {
		add(Part.PAYLOAD, "{schema}.payload_value(j.payload, ?) = ?", path.split("\\.", -1));
		this.arguments.add(value);
	}

	private void range(Part part, String column, NumberRange range) {
		add(part, column + " >= ?", range.min());
		add(part, column + " <= ?", range.max());
	}

	private void range(Part part, String column, TimeRange range) {
		add(part, column + " >= ?::timestamptz", Sql.text(range.from()));
		add(part, column + " < ?::timestamptz", Sql.text(range.until()));
	}

	private void add(Part part, String condition, @Nullable Object argument) {
		if (argument != null) {
			this.parts.add(part);
			this.conditions.add(condition);
			this.arguments.add(argument);
		}
	}

	/** What a filter can ask for, besides what leads to the jobs. */
	enum Part {

		STATE, RETRYING, WAITING, QUEUE, TYPE, KEY, WORKER, PRIORITY, ATTEMPT, CREATED, DUE, STARTED, ENDED, ERROR,
		TEXT, LABEL, PAYLOAD, EXCLUDED

	}

}
