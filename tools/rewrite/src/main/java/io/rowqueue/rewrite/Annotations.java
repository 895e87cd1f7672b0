package io.rowqueue.rewrite;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.TypeUtils;

/** The annotations of a method. */
final class Annotations {

	static final String SCHEDULED = "org.springframework.scheduling.annotation.Scheduled";

	static final String SCHEDULES = "org.springframework.scheduling.annotation.Schedules";

	static final String ASYNC = "org.springframework.scheduling.annotation.Async";

	static final String SCHEDULER_LOCK = "net.javacrumbs.shedlock.spring.annotation.SchedulerLock";

	static final String RECURRING_JOB = "io.rowqueue.schedule.RecurringJob";

	private Annotations() {
	}

	static boolean is(J.Annotation annotation, String type) {
		return TypeUtils.isOfClassType(annotation.getType(), type);
	}

	static List<J.Annotation> all(J.MethodDeclaration method, String type) {
		return method.getLeadingAnnotations().stream().filter((each) -> is(each, type)).toList();
	}

	static Optional<J.Annotation> find(J.MethodDeclaration method, String type) {
		return all(method, type).stream().findFirst();
	}

	/** The attributes of an annotation, in the order of the source. */
	static Map<String, Expression> attributes(J.Annotation annotation) {
		Map<String, Expression> attributes = new LinkedHashMap<>();
		@Nullable List<Expression> arguments = annotation.getArguments();
		if (arguments != null) {
			for (Expression argument : arguments) {
				if (argument instanceof J.Assignment assignment
						&& assignment.getVariable() instanceof J.Identifier name) {
					attributes.put(name.getSimpleName(), assignment.getAssignment());
				}
				else if (!(argument instanceof J.Empty)) {
					attributes.put("value", argument);
				}
			}
		}
		return attributes;
	}

	/** The text of a literal, or {@code null} if the expression is something else. */
	static @Nullable String text(@Nullable Expression expression) {
		return (expression instanceof J.Literal literal && literal.getValue() instanceof String text) ? text : null;
	}

}
