package io.rowqueue.autoconfigure;

import java.util.Map;

import io.rowqueue.engine.control.DefaultJobLimits;
import io.rowqueue.engine.support.PropertyCheck;
import io.rowqueue.engine.support.PropertyName;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.Limit.Rate;
import io.rowqueue.limit.LimitKind;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * Limits of the whole cluster. They are stored when a process starts; a limit that was
 * changed at run time takes precedence.
 *
 * @param queues Limits of queues, by name.
 * @param types Limits of types, by type.
 * @param keys Limits of the keys of a class, by class.
 */
record LimitProperties(@DefaultValue Map<String, Entry> queues, @DefaultValue Map<String, Entry> types,
		@DefaultValue Map<String, Entry> keys) {

	public LimitProperties {
		queues.forEach((name, entry) -> entry.check("rowqueue.limits.queues", name, LimitKind.QUEUE));
		types.forEach((name, entry) -> entry.check("rowqueue.limits.types", name, LimitKind.TYPE));
		keys.forEach((name, entry) -> entry.check("rowqueue.limits.keys", name, LimitKind.KEY));
	}

	/** Stores the limits. */
	public void applyTo(JobLimits limits) {
		this.queues.forEach((name, entry) -> limits.configure(LimitKind.QUEUE, name, entry.limit()));
		this.types.forEach((name, entry) -> limits.configure(LimitKind.TYPE, name, entry.limit()));
		this.keys.forEach((name, entry) -> limits.configure(LimitKind.KEY, name, entry.limit()));
	}

	/**
	 * One limit.
	 *
	 * @param concurrency Maximum number of jobs that run at once.
	 * @param rate Maximum number of jobs that start in a period, such as 100/1m.
	 * @param burst Maximum number of jobs that may start at once after a pause; by
	 * default the number in the rate.
	 * @param ordered Whether the jobs of each key run strictly one after another.
	 */
	record Entry(@Nullable Integer concurrency, @Nullable String rate, @Nullable Integer burst,
			@DefaultValue("false") boolean ordered) {

		Limit limit() {
			Integer jobs = (this.concurrency == null && this.ordered) ? Integer.valueOf(1) : this.concurrency;
			return Limit.of(jobs, (this.rate != null) ? rate(this.rate) : none()).ordered(this.ordered);
		}

		private @Nullable Rate none() {
			Assert.isTrue(this.burst == null, "burst requires a rate");
			return null;
		}

		private Rate rate(String text) {
			Rate given = Rate.of(text);
			return (this.burst != null) ? new Rate(given.jobs(), given.period(), this.burst) : given;
		}

		private void check(String group, String name, LimitKind kind) {
			PropertyCheck.value(PropertyName.of(group, name), () -> DefaultJobLimits.check(kind, name, limit()));
		}

	}

}
