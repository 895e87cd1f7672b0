package io.rowqueue.engine.finish;

import io.rowqueue.engine.attempt.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * An outcome that could not be written although others could.
 *
 * @param outcome what is still to be written
 * @param error what the database said; {@code null}: another transaction has locked the
 * job
 */
public record UnwrittenOutcome(Outcome outcome, @Nullable RuntimeException error) {

}
