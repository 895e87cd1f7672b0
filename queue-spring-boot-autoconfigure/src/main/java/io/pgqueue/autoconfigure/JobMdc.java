package io.pgqueue.autoconfigure;

import java.util.Map;

import io.pgqueue.JobContext;
import io.pgqueue.JobInterceptor;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Lets each line that a handler logs tell its job. */
@Order(Ordered.HIGHEST_PRECEDENCE)
class JobMdc implements JobInterceptor {

	static final String ID = "jobId";

	static final String TYPE = "jobType";

	static final String QUEUE = "jobQueue";

	static final String ATTEMPT = "jobAttempt";

	@Override
	public <T extends @Nullable Object> T run(JobContext job, Map<String, String> headers, Attempt<T> attempt)
			throws Exception {
		MDC.put(ID, Long.toString(job.id()));
		MDC.put(TYPE, job.type());
		MDC.put(QUEUE, job.queue());
		MDC.put(ATTEMPT, Integer.toString(job.attempt()));
		try {
			return attempt.run();
		}
		finally {
			MDC.remove(ID);
			MDC.remove(TYPE);
			MDC.remove(QUEUE);
			MDC.remove(ATTEMPT);
		}
	}

}
