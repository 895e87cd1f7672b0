package io.rowqueue.engine.handler;

import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.List;

import io.rowqueue.CoalescedJob;
import io.rowqueue.JobContext;
import io.rowqueue.PayloadCodec;
import org.jspecify.annotations.Nullable;
import org.springframework.core.GenericTypeResolver;

/**
 * Creates the list for a handler that runs several jobs in one call.
 *
 * @param jobType the type of the jobs
 * @param payloadType the type that payloads are mapped to
 * @param payloadsOnly whether the list contains payloads, and not jobs
 */
record Coalescer(String jobType, Type payloadType, boolean payloadsOnly, PayloadCodec codec) {

	/** Creates the coalescer of a method whose only parameter is the list. */
	static Coalescer of(HandlerMethod handler, String jobType, PayloadCodec codec) {
		List<Parameter> parameters = handler.parameters();
		if (parameters.size() == 1 && parameters.get(0).getType() == List.class
				&& GenericTypeResolver.resolveType(parameters.get(0).getParameterizedType(),
						handler.beanClass()) instanceof ParameterizedType list) {
			Type element = element(list);
			if (element instanceof ParameterizedType job && job.getRawType() == CoalescedJob.class) {
				return new Coalescer(jobType, job.getActualTypeArguments()[0], false, codec);
			}
			return new Coalescer(jobType, element, true, codec);
		}
		throw handler.refused("has coalesce set, but does not take a list",
				"Declare a single parameter: a List of the payload's class, or of CoalescedJob of it.");
	}

	/** Kotlin compiles lists of what can have subclasses to lists with an upper bound. */
	private static Type element(ParameterizedType list) {
		Type element = list.getActualTypeArguments()[0];
		return (element instanceof WildcardType wildcard) ? wildcard.getUpperBounds()[0] : element;
	}

	void checkPayload(@Nullable String payload) {
		this.codec.read(payload, this.payloadType, this.jobType);
	}

	/** A payload that cannot be mapped fails only its own job. */
	List<@Nullable Object> read(List<PendingJob> jobs) {
		List<@Nullable Object> list = new ArrayList<>(jobs.size());
		for (PendingJob job : jobs) {
			try {
				Object payload = this.codec.read(job.payload(), this.payloadType, this.jobType);
				list.add(this.payloadsOnly ? payload : new ReadJob(payload, job));
			}
			catch (RuntimeException ex) {
				job.fail().accept(ex);
			}
		}
		return list;
	}

	/** A job with its mapped payload. */
	private record ReadJob(@Nullable Object payload, PendingJob job) implements CoalescedJob<Object> {

		@Override
		public JobContext context() {
			return this.job.context();
		}

		@Override
		public void fail(Throwable error) {
			this.job.fail().accept(error);
		}

		@Override
		public String toString() {
			return this.job.context().toString();
		}

	}

}
