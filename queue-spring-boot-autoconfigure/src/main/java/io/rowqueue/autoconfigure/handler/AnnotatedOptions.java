package io.rowqueue.autoconfigure.handler;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

import io.rowqueue.Coalescing;
import io.rowqueue.HandlerOptions;
import io.rowqueue.JobHandler.Duplicates;
import io.rowqueue.JobHandler;
import io.rowqueue.JobType;
import io.rowqueue.PayloadCodec;
import io.rowqueue.RetryPolicy;
import io.rowqueue.engine.handler.InvalidJobHandlerException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.env.Environment;
import org.springframework.util.Assert;

/** Reads the attributes of an annotation, with placeholders resolved. */
final class AnnotatedOptions {

	private final Environment environment;

	private final RetryNotation retries;

	AnnotatedOptions(Environment environment, RetryNotation retries) {
		this.environment = environment;
		this.retries = retries;
	}

	String type(JobHandler annotation, HandlerMethod method) {
		return resolve("type", annotation.value(), method);
	}

	HandlerOptions options(JobHandler annotation, HandlerMethod method) {
		@Nullable Duration timeout = duration("timeout", annotation.timeout(), method);
		@Nullable Duration coalesceWait = duration("coalesceWait", annotation.coalesceWait(), method);
		@Nullable RetryPolicy retry = retry(resolve("retry", annotation.retry(), method), method);
		@Nullable Duration retention = duration("retention", annotation.retention(), ChronoUnit.DAYS, method);
		String window = resolve("window", annotation.window(), method);
		Class<? extends Throwable>[] errors = annotation.noRetryFor();
		try {
			HandlerOptions options = HandlerOptions.NONE;
			options = set(options, said(annotation.maxAttempts()), HandlerOptions::maxAttempts);
			options = set(options, timeout, HandlerOptions::timeout);
			options = set(options, retry, HandlerOptions::retry);
			options = set(options, (errors.length > 0) ? Set.of(errors) : null, HandlerOptions::noRetryFor);
			options = set(options, said(annotation.concurrency()), HandlerOptions::concurrency);
			options = annotation.transactional() ? options.transactional(true) : options;
			options = annotation.keepResult() ? options.keepResult(true) : options;
			options = set(options, coalescing(annotation, coalesceWait),
					(each, coalescing) -> each.coalesce(coalescing.maxJobs(), coalescing.maxWait()));
			options = set(options, retention, HandlerOptions::retention);
			return set(options, window.isBlank() ? null : window, HandlerOptions::window);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidJobHandlerException(method.description(), "has an invalid option: " + ex.getMessage(),
					"Correct it in its @JobHandler.", ex);
		}
	}

	private static @Nullable Function<Object, @Nullable String> template(String text, String type, PayloadCodec codec) {
		return text.isEmpty() ? null : new KeyTemplate(text, type, codec)::of;
	}

	private static JobType<Object> tags(JobType<Object> defaults, String[] texts, String type, PayloadCodec codec) {
		List<KeyTemplate> templates = Stream.of(texts)
			.filter((text) -> text.indexOf('{') >= 0)
			.map((text) -> new KeyTemplate(text, type, codec))
			.toList();
		JobType<Object> tagged = (templates.size() == texts.length) ? defaults
				: defaults.tags(Stream.of(texts).filter((text) -> text.indexOf('{') < 0).toArray(String[]::new));
		return templates.isEmpty() ? tagged
				: tagged.tags((payload) -> templates.stream().map((template) -> template.of(payload)).toList());
	}

	static <O, V> O set(O options, @Nullable V value, BiFunction<O, V, O> setter) {
		return (value != null) ? setter.apply(options, value) : options;
	}

	/**
	 * The defaults of the requests of a type, if the annotation has any.
	 * @throws InvalidJobHandlerException if an attribute is invalid
	 */
	@Nullable JobType<Object> jobType(JobHandler annotation, String type, HandlerMethod method, PayloadCodec codec) {
		String queue = resolve("queue", annotation.queue(), method);
		@Nullable Duration tolerance = duration("tolerance", annotation.tolerance(), method);
		@Nullable Duration uniqueFor = duration("uniqueFor", annotation.uniqueFor(), method);
		@Nullable Duration expiresIn = duration("expiresIn", annotation.expiresIn(), method);
		Duplicates duplicates = annotation.duplicates();
		JobType<Object> declared = JobType.of(type, Object.class);
		JobType<Object> defaults = declared;
		try {
			defaults = set(defaults, queue.isBlank() ? null : queue, JobType::queue);
			defaults = set(defaults, (annotation.priority() != 0) ? annotation.priority() : null, JobType::priority);
			defaults = set(defaults, tolerance, JobType::tolerance);
			defaults = set(defaults, expiresIn, JobType::expiresIn);
			defaults = set(defaults, template(annotation.uniqueKey(), type, codec), JobType::uniqueKey);
			defaults = set(defaults, uniqueFor, JobType::uniqueFor);
			defaults = set(defaults, (duplicates != Duplicates.KEEP) ? duplicates.policy() : null, JobType::duplicates);
			defaults = set(defaults, template(annotation.limitKey(), type, codec), JobType::limitKey);
			defaults = tags(defaults, annotation.tags(), type, codec);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidJobHandlerException(method.description(), "has an invalid option: " + ex.getMessage(),
					"Correct it in its @JobHandler.", ex);
		}
		return (defaults != declared) ? defaults : null;
	}

	private static @Nullable Integer said(int value) {
		return (value != JobHandler.UNSET) ? value : null;
	}

	private static @Nullable Coalescing coalescing(JobHandler annotation, @Nullable Duration maxWait) {
		@Nullable Integer maxJobs = said(annotation.coalesce());
		if (maxJobs == null) {
			Assert.isTrue(maxWait == null, "coalesceWait requires coalesce, the maximum number of jobs in one call");
			return null;
		}
		return new Coalescing(maxJobs, (maxWait != null) ? maxWait : Duration.ZERO);
	}

	private @Nullable Duration duration(String option, String given, HandlerMethod method) {
		return duration(option, given, ChronoUnit.SECONDS, method);
	}

	private @Nullable Duration duration(String option, String given, ChronoUnit unit, HandlerMethod method) {
		String text = resolve(option, given, method);
		try {
			return text.isBlank() ? null : DurationStyle.detectAndParse(text, unit);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidJobHandlerException(method.description(), "has an invalid " + option + ": '" + text + "'",
					"Set it to a duration such as 30s or 5m.", ex);
		}
	}

	private @Nullable RetryPolicy retry(String text, HandlerMethod method) {
		try {
			return text.isBlank() ? null : this.retries.read(text);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidJobHandlerException(method.description(), "has an invalid retry: " + ex.getMessage(),
					"Set it to, for example, fixed(30s) or exponential(2s, 3, 1h), or to the name of a RetryPolicy bean.",
					ex);
		}
	}

	private String resolve(String option, String text, HandlerMethod method) {
		try {
			return this.environment.resolveRequiredPlaceholders(text);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidJobHandlerException(method.description(),
					"has a " + option + " that cannot be resolved: " + ex.getMessage(),
					"Set the property, or give the placeholder a default: ${name:default}.", ex);
		}
	}

}
