package io.pgqueue.admin;

import java.time.Instant;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * How far an operation on all jobs of a filter has come.
 *
 * @param filter which jobs, as {@link JobFilter#query} writes it
 * @param selected how many jobs it has selected
 * @param selectedAt when it had selected all of them; {@code null}: it still selects
 * @param done to how many jobs it was done
 * @param skipped how many of them no longer met the filter or could not be changed
 * @param touchedAt when the process that carries it out last reported; {@code null}: no
 * process has begun
 * @since 0.1.0
 */
public record BulkProgress(String filter, long selected, @Nullable Instant selectedAt, long done, long skipped,
		@Nullable Instant touchedAt) {

	private static final Pattern HIDDEN_WORD = Pattern.compile("\\b(q|key|limitKey)=[^&]*");

	/**
	 * Returns the same for readers who may not see payloads and keys: the filter does not
	 * show what it looks for in them.
	 */
	public BulkProgress withoutHiddenWords() {
		return new BulkProgress(HIDDEN_WORD.matcher(this.filter).replaceAll("$1=" + SensitiveText.HIDDEN),
				this.selected, this.selectedAt, this.done, this.skipped, this.touchedAt);
	}

}
