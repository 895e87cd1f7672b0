package io.rowqueue.engine.finish;

import io.rowqueue.engine.attempt.AttemptOutcome;
import org.jspecify.annotations.Nullable;

/**
 * An outcome that could not be written although others could.
 *
 * @param outcome what is still to be written
 * @param error what the database said; {@code null}: another transaction has locked the
 * job
 */
public record UnwrittenOutcome(AttemptOutcome outcome, @Nullable RuntimeException error) {

}
