package io.rowqueue.engine.job;

import java.util.Set;

import io.rowqueue.flow.FlowResult;

/**
 * A flow, or an addition to one, that was stored.
 *
 * @param result the ids
 * @param kept the names of the jobs that had been stored before
 */
public record StoredFlow(FlowResult result, Set<String> kept) {

}
