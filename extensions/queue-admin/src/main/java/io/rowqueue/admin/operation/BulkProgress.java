package io.rowqueue.admin.operation;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.rowqueue.admin.filter.ErrorMatch;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.masking.SensitiveText;
import io.rowqueue.masking.TextMasker;
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

	private static final Pattern HIDDEN_WORD = Pattern
		.compile("(?<=^|&)(q|key|limitKey|tag|header|payload|-?error)=([^&]*)");

	/**
	 * Returns the same for a reader who may not see all data.
	 * @param masker decides what is shown of the texts and keys that the filter looks for
	 */
	public BulkProgress masked(TextMasker masker) {
		String shown = HIDDEN_WORD.matcher(this.filter)
			.replaceAll((word) -> Matcher.quoteReplacement(word.group(1) + "=" + masked(word, masker)));
		return new BulkProgress(shown, this.selected, this.selectedAt, this.done, this.skipped, this.touchedAt);
	}

	private static String masked(MatchResult word, TextMasker masker) {
		SensitiveText kind = switch (word.group(1)) {
			case "key" -> SensitiveText.UNIQUE_KEY;
			case "limitKey" -> SensitiveText.LIMIT_KEY;
			case "tag" -> SensitiveText.TAG;
			case "header" -> SensitiveText.HEADER;
			case "error", "-error" -> SensitiveText.ERROR;
			default -> SensitiveText.PAYLOAD;
		};
		String value = URLDecoder.decode(word.group(2), StandardCharsets.UTF_8);
		if (kind == SensitiveText.ERROR && new ErrorMatch(value).isFingerprint()) {
			return word.group(2);
		}
		return URLEncoder.encode(masker.mask(kind, value), StandardCharsets.UTF_8);
	}

}
