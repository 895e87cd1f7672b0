package io.rowqueue.engine.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.rowqueue.admin.filter.ErrorMatch;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.engine.database.Sql;
import org.jspecify.annotations.Nullable;

/** The values of a filter by their names in statements. */
final class NamedParameters {

	/** A cast has two colons. */
	private static final Pattern NAME = Pattern.compile("(?<!:):([a-zA-Z]\\w*)");

	/** Stands for the condition of the filter. */
	private static final String FILTER = "filter";

	private final FilterCondition condition;

	private final Map<String, @Nullable Object> values = new HashMap<>();

	NamedParameters(JobFilter filter, FilterCondition condition) {
		this.condition = condition;
		this.values.put("queues", texts(filter.queues()));
		this.values.put("types", texts(filter.types()));
		this.values.put("ids", filter.ids().toArray(Long[]::new));
		this.values.put("uniqueKey", filter.uniqueKey());
		this.values.put("limitKey", filter.limitKey());
		this.values.put("batch", filter.batch());
		this.values.put("flow", filter.flow());
		this.values.put("worker", filter.worker());
		Map.Entry<String, String> label = filter.tags()
			.stream()
			.findFirst()
			.map((tag) -> Map.entry("", tag))
			.or(() -> filter.headers().entrySet().stream().findFirst())
			.orElse(Map.entry("", ""));
		this.values.put("labelName", label.getKey());
		this.values.put("labelValue", label.getValue());
		this.values.put("minPriority", filter.priority().min());
		this.values.put("maxPriority", filter.priority().max());
		ErrorMatch error = filter.error();
		this.values.put("fingerprint", (error != null && error.isFingerprint()) ? error.fingerprint() : null);
		this.values.put("dueFrom", Sql.text(filter.due().from()));
		this.values.put("dueUntil", Sql.text(filter.due().until()));
	}

	/** Sets a value that is none of the filter. */
	NamedParameters with(String name, Object value) {
		this.values.put(name, value);
		return this;
	}

	/** Puts positions in place of names. */
	Bound bind(String sql) {
		List<@Nullable Object> arguments = new ArrayList<>();
		String bound = NAME.matcher(sql).replaceAll((name) -> {
			if (name.group(1).equals(FILTER)) {
				arguments.addAll(this.condition.arguments());
				return Matcher.quoteReplacement(this.condition.sql());
			}
			arguments.add(this.values.get(name.group(1)));
			return "?";
		});
		return new Bound(bound, arguments);
	}

	private static String @Nullable [] texts(Set<String> values) {
		return values.isEmpty() ? null : values.toArray(String[]::new);
	}

	/**
	 * A statement whose parameters have positions.
	 *
	 * @param sql the statement
	 * @param arguments the values by position
	 */
	record Bound(String sql, List<@Nullable Object> arguments) {

	}

}
