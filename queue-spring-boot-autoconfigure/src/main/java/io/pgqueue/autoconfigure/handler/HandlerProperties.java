package io.pgqueue.autoconfigure.handler;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Set;

import io.pgqueue.HandlerOptions;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.StringUtils;

/**
 * How the jobs of single types are run; what is set here outweighs what the handlers say.
 *
 * @param types Options of single types, by type.
 */
@ConfigurationProperties("pgqueue")
record HandlerProperties(@DefaultValue Map<String, Type> types) {

	HandlerProperties {
		types.forEach((type, options) -> options.check(property(type)));
	}

	/** A key of a map in the name of a property, as it is written in a file. */
	static String key(String name) {
		return name.matches("[\\w-]+") ? "." + name : "[" + name + "]";
	}

	/** The name of a type's properties, as it is written in a file. */
	static String property(String type) {
		return "pgqueue.types" + key(type);
	}

	/**
	 * Options of one type.
	 *
	 * @param maxAttempts How often a job is tried that does not say so itself.
	 * @param timeout How long an attempt may take before it is interrupted and fails. If
	 * a duration suffix is not specified, seconds will be used.
	 * @param retry When failed jobs are tried again: fixed(30s), linear(10s, 5m),
	 * exponential(2s, 3, 1h), delays(1s, 10s, 1m) or the name of a RetryPolicy bean.
	 * @param noRetryFor Exceptions, subclasses included, after which a job is failed for
	 * good.
	 * @param concurrency How many jobs of this type run at once.
	 * @param window Window that jobs of this type are run in.
	 */
	record Type(@Nullable Integer maxAttempts, @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration timeout,
			@Nullable String retry, @Nullable Set<Class<? extends Throwable>> noRetryFor, @Nullable Integer concurrency,
			@Nullable String window) {

		/** Everything but the policy, which may be a bean. */
		HandlerOptions options() {
			HandlerOptions options = HandlerOptions.NONE;
			options = AnnotatedOptions.set(options, this.maxAttempts, HandlerOptions::maxAttempts);
			options = AnnotatedOptions.set(options, this.timeout, HandlerOptions::timeout);
			options = AnnotatedOptions.set(options, this.noRetryFor, HandlerOptions::noRetryFor);
			options = AnnotatedOptions.set(options, this.concurrency, HandlerOptions::concurrency);
			return AnnotatedOptions.set(options, StringUtils.hasText(this.window) ? this.window : null,
					HandlerOptions::window);
		}

		private void check(String property) {
			try {
				options();
			}
			catch (IllegalArgumentException ex) {
				// no cause: Boot would show its message and not this one
				throw new IllegalArgumentException(
						property + "." + String.valueOf(ex.getMessage()).replace("maxAttempts", "max-attempts"));
			}
			if (this.noRetryFor != null) {
				for (Class<?> type : this.noRetryFor) {
					if (!Throwable.class.isAssignableFrom(type)) {
						throw new IllegalArgumentException(
								property + ".no-retry-for: " + type.getName() + " is no exception");
					}
				}
			}
		}

	}

}
