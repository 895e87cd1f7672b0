package io.rowqueue.rewrite;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.TypeTree;
import org.openrewrite.java.tree.TypeUtils;

/**
 * What becomes of the two annotations of a method.
 *
 * @param attributes those of {@code @RecurringJob}: an expression of the old annotations
 * or, as text, a new literal
 * @param removed attributes without a counterpart, as they stand in the source
 */
record Translation(Map<String, Object> attributes, List<String> removed) {

	private static final List<String> RATES = List.of("fixedRate", "fixedRateString", "fixedDelay", "fixedDelayString");

	private static final Set<String> WITHOUT_COUNTERPART = Set.of("initialDelay", "initialDelayString", "scheduler");

	private static final List<String> ASYNCHRONOUS = List.of("java.util.concurrent.Future",
			"java.util.concurrent.CompletionStage", "org.reactivestreams.Publisher");

	/**
	 * Translates the annotations of a method.
	 * @throws NotTranslatableException if the method has to stay as it is
	 */
	static Translation of(J.MethodDeclaration method, J.Annotation lock, @Nullable String zone,
			ShedLockToRecurringJobs.LockNames names) throws NotTranslatableException {
		checkMethod(method);
		Map<String, Expression> locked = Annotations.attributes(lock);
		Map<String, Expression> scheduled = Annotations.attributes(scheduled(method));
		Map<String, Object> attributes = new LinkedHashMap<>();
		attributes.put("name", name(locked.get("name"), names));
		Expression cron = scheduled.get("cron");
		if (cron != null) {
			attributes.put("cron", cron);
			attributes.put("zone", zone(scheduled.get("zone"), zone));
		}
		else {
			String rate = RATES.stream()
				.filter(scheduled::containsKey)
				.findFirst()
				.orElseThrow(() -> new NotTranslatableException(
						"it runs once, after the start: enqueue a job there instead"));
			attributes.put("every",
					Interval.of(Objects.requireNonNull(scheduled.get(rate)), scheduled.get("timeUnit")));
		}
		return new Translation(attributes, removed(locked, scheduled));
	}

	private static void checkMethod(J.MethodDeclaration method) throws NotTranslatableException {
		if (method.hasModifier(J.Modifier.Type.Private)) {
			throw new NotTranslatableException("it is private: handlers are at least package-private");
		}
		if (method.hasModifier(J.Modifier.Type.Static)) {
			throw new NotTranslatableException("it is static: handlers are instance methods");
		}
		if (Annotations.find(method, Annotations.ASYNC).isPresent()) {
			throw new NotTranslatableException("it is @Async: remove that, since each job runs in a thread of its own");
		}
		@Nullable TypeTree returned = method.getReturnTypeExpression();
		@Nullable JavaType type = (returned != null) ? returned.getType() : null;
		if (ASYNCHRONOUS.stream().anyMatch((each) -> TypeUtils.isAssignableTo(each, type))) {
			throw new NotTranslatableException("its work begins after it has returned: wait for it in the method");
		}
	}

	private static J.Annotation scheduled(J.MethodDeclaration method) throws NotTranslatableException {
		List<J.Annotation> scheduled = Annotations.all(method, Annotations.SCHEDULED);
		if (scheduled.size() > 1 || Annotations.find(method, Annotations.SCHEDULES).isPresent()) {
			throw new NotTranslatableException(
					"it has several @Scheduled: give each a @RecurringJob with a name, and the method a @JobHandler");
		}
		if (scheduled.isEmpty()) {
			throw new NotTranslatableException(
					"it has no @Scheduled: enqueue a job with a unique key where the method is called");
		}
		return scheduled.get(0);
	}

	private static Expression name(@Nullable Expression name, ShedLockToRecurringJobs.LockNames names)
			throws NotTranslatableException {
		if (name == null) {
			throw new NotTranslatableException("its lock has no name");
		}
		@Nullable String text = Annotations.text(name);
		if (text != null && text.contains("#")) {
			throw new NotTranslatableException("the name of its lock is an expression");
		}
		if (names.isShared(name)) {
			throw new NotTranslatableException(
					"other methods have the same lock: give each @RecurringJob a name, and all the same limitKey");
		}
		return name;
	}

	private static Object zone(@Nullable Expression own, @Nullable String other) throws NotTranslatableException {
		if (own != null && !"".equals(Annotations.text(own))) {
			return own;
		}
		if (other == null) {
			throw new NotTranslatableException(
					"it has no zone, so that the machine's applies, and @RecurringJob takes UTC: set the zone, or the option"
							+ " zone of this recipe");
		}
		return other;
	}

	private static List<String> removed(Map<String, Expression> locked, Map<String, Expression> scheduled) {
		List<String> removed = new ArrayList<>();
		new TreeMap<>(locked).forEach((name, value) -> {
			if (!name.equals("name")) {
				removed.add(inOneLine(name, value));
			}
		});
		new TreeMap<>(scheduled).forEach((name, value) -> {
			boolean ofDelay = name.equals("timeUnit")
					&& (scheduled.containsKey("initialDelay") || scheduled.containsKey("initialDelayString"));
			if (WITHOUT_COUNTERPART.contains(name) || ofDelay) {
				removed.add(inOneLine(name, value));
			}
		});
		return removed;
	}

	/** The comment that it becomes ends with its line. */
	private static String inOneLine(String name, Expression value) {
		return name + " = " + value.toString().replaceAll("\\s+", " ");
	}

}
