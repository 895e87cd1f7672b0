/**
 * What an administrator sees of texts and payloads that may hold personal data.
 */
@NullMarked
package io.rowqueue.masking;

import org.jspecify.annotations.NullMarked;
