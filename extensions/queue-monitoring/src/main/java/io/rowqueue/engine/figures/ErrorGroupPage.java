package io.rowqueue.engine.figures;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A page of groups of errors.
 *
 * @param groups the groups
 * @param next the cursor of the next page, or {@code null} if there is none
 */
public record ErrorGroupPage(List<ErrorGroup> groups, @Nullable String next) {

}
