package io.rowqueue.flow;

import java.util.Set;

import io.rowqueue.JobRequest;

/**
 * A job of a {@link Flow}.
 *
 * @param name its name in the flow
 * @param request what to run
 * @param after the names of the jobs of the flow that it runs after
 * @param before the names of jobs that the flow has already and that wait for this one
 * @since 0.1.0
 */
public record FlowJob(String name, JobRequest request, Set<String> after, Set<String> before) {

}
