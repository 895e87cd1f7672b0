package io.pgqueue.autoconfigure;

import java.util.List;
import java.util.Map;

import io.pgqueue.AttemptScope;
import io.pgqueue.JobContext;
import org.slf4j.MDC;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Lets each line that is logged by an attempt, or about its end, tell its job. */
@Order(Ordered.HIGHEST_PRECEDENCE)
class JobMdc implements AttemptScope {

	static final String ID = "jobId";

	static final String TYPE = "jobType";

	static final String QUEUE = "jobQueue";

	static final String ATTEMPT = "jobAttempt";

	private static final Opened CLEAR = () -> List.of(ID, TYPE, QUEUE, ATTEMPT).forEach(MDC::remove);

	@Override
	public Opened open(JobContext job, Map<String, String> headers) {
		MDC.put(ID, Long.toString(job.id()));
		MDC.put(TYPE, job.type());
		MDC.put(QUEUE, job.queue());
		MDC.put(ATTEMPT, Integer.toString(job.attempt()));
		return CLEAR;
	}

}
