package io.pgqueue.engine.admin;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.pgqueue.admin.JobFilter;
import io.pgqueue.admin.JobListState;
import io.pgqueue.admin.TimeRange;
import io.pgqueue.engine.database.Sql;
import org.jspecify.annotations.Nullable;

/** What a row {@code j} has to meet so that a filter selects it. */
final class FilterCondition {

	/** Looked up by the job, whatever else leads to it. */
	private static final String LABEL = """
			exists (select from {schema}.job_tag t where t.job_id = j.id and t.name = ? and t.value = ?)""";

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
		condition.add(Part.PRIORITY, "j.priority >= ?", filter.minPriority());
		condition.add(Part.PRIORITY, "j.priority <= ?", filter.maxPriority());
		condition.range(Part.CREATED, "j.created_at", filter.created());
		condition.range(Part.DUE, "j.run_at", filter.due());
		condition.range(Part.STARTED, "j.leased_at", filter.started());
		condition.range(Part.ENDED, "j.finished_at", filter.ended());
		filter.tags().forEach((tag) -> condition.label("", tag));
		filter.headers().forEach(condition::label);
		if (filter.text() != null) {
			String pattern = "%" + filter.text().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%";
			condition.add(Part.TEXT, "(j.payload::text ilike ? or j.last_error ilike ?)", pattern);
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
		String labels = states.stream()
			.map((state) -> "'" + state.label() + "'")
			.sorted()
			.collect(Collectors.joining(", "));
		String retrying = states.contains(JobListState.RETRYING) ? " or (j.state::text = 'scheduled' and j.attempt > 0)"
				: "";
		this.parts.add(Part.STATE);
		if (states.contains(JobListState.RETRYING) && !states.contains(JobListState.SCHEDULED)) {
			this.parts.add(Part.RETRYING);
		}
		String waiting = states.contains(JobListState.WAITING)
				? " or (j.state::text = 'scheduled' and exists (select from"
						+ " {schema}.job_wait w join {schema}.job l on l.id = w.job_id and l.lease = w.lease where w.job_id = j.id))"
				: "";
		if (states.contains(JobListState.WAITING) && !states.contains(JobListState.SCHEDULED)) {
			this.parts.add(Part.WAITING);
		}
		this.conditions.add("(" + JobRowStatement.STATE + " in (" + labels + ")" + retrying + waiting + ")");
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

		STATE, RETRYING, WAITING, QUEUE, TYPE, KEY, WORKER, PRIORITY, CREATED, DUE, STARTED, ENDED, TEXT, LABEL

	}

}
