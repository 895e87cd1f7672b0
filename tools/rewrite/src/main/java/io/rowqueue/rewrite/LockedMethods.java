package io.rowqueue.rewrite;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.openrewrite.Cursor;
import org.openrewrite.ExecutionContext;
import org.openrewrite.internal.ListUtils;
import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.JavaParser;
import org.openrewrite.java.JavaTemplate;
import org.openrewrite.java.MethodMatcher;
import org.openrewrite.java.tree.Comment;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaSourceFile;
import org.openrewrite.java.tree.Space;
import org.openrewrite.java.tree.Statement;
import org.openrewrite.java.tree.TextComment;
import org.openrewrite.marker.Markers;
import org.openrewrite.marker.SearchResult;

/** Changes the methods with a lock of ShedLock. */
class LockedMethods extends JavaIsoVisitor<ExecutionContext> {

	private static final MethodMatcher ASSERT_LOCKED = new MethodMatcher(
			"net.javacrumbs.shedlock.core.LockAssert assertLocked()");

	private static final MethodMatcher EXTEND_LOCK = new MethodMatcher(
			"net.javacrumbs.shedlock.core.LockExtender *(..)");

	/** What the recipe needs of the annotation, which is not on its class path. */
	static final String RECURRING_JOB = """
			package io.rowqueue.schedule;
			public @interface RecurringJob {
				String name() default "";
				String cron() default "";
				String zone() default "UTC";
				String every() default "";
			}
			""";

	private final @Nullable String zone;

	private final ShedLockToRecurringJobs.LockNames names;

	LockedMethods(@Nullable String zone, ShedLockToRecurringJobs.LockNames names) {
		this.zone = zone;
		this.names = names;
	}

	@Override
	public J.MethodDeclaration visitMethodDeclaration(J.MethodDeclaration declaration, ExecutionContext context) {
		J.MethodDeclaration method = super.visitMethodDeclaration(declaration, context);
		J.@Nullable Annotation lock = Annotations.find(method, Annotations.SCHEDULER_LOCK).orElse(null);
		if (lock == null || !(getCursor().firstEnclosing(JavaSourceFile.class) instanceof J.CompilationUnit)) {
			return method;
		}
		try {
			checkBody(method);
			return translate(method, lock, Translation.of(method, lock, this.zone, this.names));
		}
		catch (NotTranslatableException ex) {
			String reason = "rowqueue: " + ex.getMessage();
			return method.withLeadingAnnotations(ListUtils.map(method.getLeadingAnnotations(),
					(each) -> each.equals(lock) ? SearchResult.found(each, reason) : each));
		}
	}

	private static void checkBody(J.MethodDeclaration method) throws NotTranslatableException {
		List<String> reasons = new ArrayList<>();
		new JavaIsoVisitor<List<String>>() {

			@Override
			public J.MethodInvocation visitMethodInvocation(J.MethodInvocation call, List<String> found) {
				if (EXTEND_LOCK.matches(call)) {
					found.add("it extends its lock: a worker extends the lease of a job by itself");
				}
				else if (ASSERT_LOCKED.matches(call)
						&& !(getCursor().getParentTreeCursor().getValue() instanceof J.Block)) {
					found.add("it calls assertLocked() in an expression: remove the call, which fails without a lock");
				}
				return super.visitMethodInvocation(call, found);
			}

		}.visit(method, reasons);
		if (!reasons.isEmpty()) {
			throw new NotTranslatableException(reasons.get(0));
		}
	}

	private J.MethodDeclaration translate(J.MethodDeclaration method, J.Annotation lock, Translation translation) {
		Space first = method.getLeadingAnnotations().get(0).getPrefix();
		List<J.Annotation> annotations = new ArrayList<>();
		for (J.Annotation annotation : method.getLeadingAnnotations()) {
			if (Annotations.is(annotation, Annotations.SCHEDULED)) {
				annotations.add(recurringJob(annotation, translation.attributes()));
			}
			else if (!annotation.equals(lock)) {
				annotations.add(annotation);
			}
		}
		annotations.set(0, annotations.get(0).withPrefix(first));
		maybeAddImport(Annotations.RECURRING_JOB);
		maybeRemoveImport(Annotations.SCHEDULED);
		maybeRemoveImport(Annotations.SCHEDULER_LOCK);
		maybeRemoveImport("java.util.concurrent.TimeUnit");
		J.MethodDeclaration changed = method.withLeadingAnnotations(annotations);
		if (!translation.removed().isEmpty()) {
			changed = changed.withPrefix(
					withComment(changed.getPrefix(), " Before rowqueue: " + String.join(", ", translation.removed())));
		}
		return withoutAssertion(changed);
	}

	private J.Annotation recurringJob(J.Annotation scheduled, Map<String, Object> attributes) {
		String template = attributes.entrySet()
			.stream()
			.map((each) -> each.getKey() + " = \""
					+ ((each.getValue() instanceof String text) ? text.replace("\"", "\\\"") : "") + "\"")
			.collect(Collectors.joining(", ", "@RecurringJob(", ")"));
		J.Annotation written = JavaTemplate.builder(template)
			.imports(Annotations.RECURRING_JOB)
			.javaParser(JavaParser.fromJavaVersion().dependsOn(RECURRING_JOB))
			.build()
			.apply(new Cursor(getCursor(), scheduled), scheduled.getCoordinates().replace());
		return written.withArguments(ListUtils.map(written.getArguments(), (argument) -> {
			J.Assignment assignment = (J.Assignment) argument;
			Object value = attributes.get(((J.Identifier) assignment.getVariable()).getSimpleName());
			return (value instanceof Expression expression)
					? assignment.withAssignment(expression.withPrefix(assignment.getAssignment().getPrefix()))
					: assignment;
		})).withPrefix(scheduled.getPrefix());
	}

	private static Space withComment(Space prefix, String text) {
		List<Comment> comments = new ArrayList<>(prefix.getComments());
		String suffix = comments.isEmpty() ? "\n" + prefix.getIndent() : comments.get(comments.size() - 1).getSuffix();
		comments.add(new TextComment(false, text, suffix, Markers.EMPTY));
		return prefix.withComments(comments);
	}

	/** There is no lock any more that could be asserted. */
	private J.MethodDeclaration withoutAssertion(J.MethodDeclaration method) {
		maybeRemoveImport("net.javacrumbs.shedlock.core.LockAssert");
		maybeRemoveImport("net.javacrumbs.shedlock.core.LockAssert.assertLocked");
		return (J.MethodDeclaration) new JavaIsoVisitor<Integer>() {

			@Override
			public J.Block visitBlock(J.Block block, Integer unused) {
				J.Block body = super.visitBlock(block, unused);
				List<Statement> kept = body.getStatements()
					.stream()
					.filter((statement) -> !(statement instanceof J.MethodInvocation call
							&& ASSERT_LOCKED.matches(call)))
					.toList();
				return (kept.size() < body.getStatements().size()) ? body.withStatements(kept) : body;
			}

		}.visitNonNull(method, 0, getCursor().getParentOrThrow());
	}

}
