package io.pgqueue.autoconfigure;

import java.util.Map;

import io.pgqueue.engine.admin.DefaultJobLimits;
import io.pgqueue.limit.JobLimits;
import io.pgqueue.limit.Limit;
import io.pgqueue.limit.Limit.Rate;
import io.pgqueue.limit.LimitKind;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * Limits of the whole cluster. They are written down when a process starts; what somebody
 * has set at run time outweighs them.
 *
 * @param queues Limits of queues, by name.
 * @param types Limits of types, by type.
 * @param keys Limits of the keys of a class, by class.
 */
@ConfigurationProperties("pgqueue.limits")
record LimitProperties(@DefaultValue Map<String, Entry> queues, @DefaultValue Map<String, Entry> types,
		@DefaultValue Map<String, Entry> keys) {

	LimitProperties {
		queues.forEach((name, entry) -> entry.check("queues", name, LimitKind.QUEUE));
		types.forEach((name, entry) -> entry.check("types", name, LimitKind.TYPE));
		keys.forEach((name, entry) -> entry.check("keys", name, LimitKind.KEY));
	}

	/** Writes the limits down. */
	void applyTo(JobLimits limits) {
		this.queues.forEach((name, entry) -> limits.configure(LimitKind.QUEUE, name, entry.limit()));
		this.types.forEach((name, entry) -> limits.configure(LimitKind.TYPE, name, entry.limit()));
		this.keys.forEach((name, entry) -> limits.configure(LimitKind.KEY, name, entry.limit()));
	}

	/**
	 * One limit.
	 *
	 * @param concurrency How many jobs run at once.
	 * @param rate How many jobs begin in a time, such as 100/1m.
	 * @param burst How many jobs may begin at once after a rest; the rate's number unless
	 * given.
	 * @param ordered Whether the jobs of a key run strictly one after the other.
	 */
	record Entry(@Nullable Integer concurrency, @Nullable String rate, @Nullable Integer burst,
			@DefaultValue("false") boolean ordered) {

		Limit limit() {
			Integer jobs = (this.concurrency == null && this.ordered) ? Integer.valueOf(1) : this.concurrency;
			return new Limit(jobs, (this.rate != null) ? rate(this.rate) : none(), this.ordered);
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
			try {
				DefaultJobLimits.check(kind, name, limit());
			}
			catch (IllegalArgumentException ex) {
				// no cause: Boot would show its message and not this one
				throw new IllegalArgumentException(
						"pgqueue.limits." + group + PropertyCheck.key(name) + ": " + ex.getMessage());
			}
		}

	}

}
