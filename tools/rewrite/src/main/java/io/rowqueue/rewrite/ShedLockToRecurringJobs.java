package io.rowqueue.rewrite;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import org.openrewrite.ExecutionContext;
import org.openrewrite.Option;
import org.openrewrite.Preconditions;
import org.openrewrite.ScanningRecipe;
import org.openrewrite.TreeVisitor;
import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.search.UsesType;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;

/**
 * Replaces {@code @Scheduled} and ShedLock's {@code @SchedulerLock} on a method by
 * {@code @RecurringJob}. A method that it cannot translate stays as it is, with a comment
 * that states the reason.
 *
 * @since 0.1.0
 */
public class ShedLockToRecurringJobs extends ScanningRecipe<ShedLockToRecurringJobs.LockNames> {

	@Option(displayName = "Time zone",
			description = "The time zone of cron expressions without one. `@Scheduled` takes that of the machine then, "
					+ "and `@RecurringJob` takes UTC. Without this option, such methods are not changed.",
			example = "Europe/Berlin", required = false)
	private final @Nullable String zone;

	/**
	 * Creates the recipe.
	 * @param zone the time zone of cron expressions without one, or {@code null} to leave
	 * such methods alone
	 */
	@JsonCreator
	public ShedLockToRecurringJobs(@JsonProperty("zone") @Nullable String zone) {
		this.zone = zone;
	}

	/**
	 * Returns the time zone of cron expressions without one.
	 * @return the time zone, or {@code null} to leave such methods alone
	 */
	public @Nullable String getZone() {
		return this.zone;
	}

	@Override
	public String getDisplayName() {
		return "Replace `@Scheduled` with ShedLock by `@RecurringJob`";
	}

	@Override
	public String getDescription() {
		return "Makes a recurring job of each method with `@Scheduled` and ShedLock's `@SchedulerLock`. "
				+ "Methods that it cannot translate stay as they are, with a comment that states the reason.";
	}

	@Override
	public LockNames getInitialValue(ExecutionContext context) {
		return new LockNames();
	}

	@Override
	public TreeVisitor<?, ExecutionContext> getScanner(LockNames names) {
		return new JavaIsoVisitor<>() {

			@Override
			public J.MethodDeclaration visitMethodDeclaration(J.MethodDeclaration method, ExecutionContext context) {
				Annotations.find(method, Annotations.SCHEDULER_LOCK)
					.map((lock) -> Annotations.attributes(lock).get("name"))
					.ifPresent(names::add);
				return super.visitMethodDeclaration(method, context);
			}

			@Override
			public J.VariableDeclarations.NamedVariable visitVariable(J.VariableDeclarations.NamedVariable variable,
					ExecutionContext context) {
				names.addConstant(variable);
				return super.visitVariable(variable, context);
			}

		};
	}

	@Override
	public TreeVisitor<?, ExecutionContext> getVisitor(LockNames names) {
		return Preconditions.check(new UsesType<>(Annotations.SCHEDULER_LOCK, false),
				new LockedMethods(this.zone, names));
	}

	/** The names of the locks of all methods, and the constants that they are made of. */
	public static final class LockNames {

		private final ConstantTexts constants = new ConstantTexts();

		private final List<String> uses = new ArrayList<>();

		void add(Expression name) {
			this.uses.add(ConstantTexts.write(name));
		}

		void addConstant(J.VariableDeclarations.NamedVariable variable) {
			this.constants.add(variable);
		}

		boolean isShared(Expression name) {
			String resolved = this.constants.resolve(ConstantTexts.write(name));
			return this.uses.stream().filter((use) -> this.constants.resolve(use).equals(resolved)).count() > 1;
		}

	}

}
