package io.rowqueue.dashboard.api;

import io.rowqueue.dashboard.http.Words;
import io.rowqueue.masking.SensitiveText;
import io.rowqueue.masking.TextMasker;
import org.jspecify.annotations.Nullable;

/** A text that not everybody may see. */
public sealed interface Text {

	/** What is longer is cut. */
	int MAX_LENGTH = 64 * 1024;

	/** Returns what the caller is shown of a text. */
	static Text of(TextMasker masker, SensitiveText kind, String text) {
		String shown = masker.mask(kind, text);
		if (shown.equals(SensitiveText.HIDDEN)) {
			return new Hidden(true, Words.PAYLOADS);
		}
		return (shown.length() > MAX_LENGTH) ? new Shown(shown.substring(0, MAX_LENGTH), true)
				: new Shown(shown, false);
	}

	/** Returns what the caller is shown of a text, if there is one. */
	static @Nullable Text ofNullable(TextMasker masker, SensitiveText kind, @Nullable String text) {
		return (text != null) ? of(masker, kind, text) : null;
	}

	/** Returns the beginning of what the caller is shown of a text, if there is one. */
	static @Nullable Text beginning(TextMasker masker, SensitiveText kind, @Nullable String text, int length) {
		Text all = ofNullable(masker, kind, text);
		return (all instanceof Shown shown && shown.text.length() > length)
				? new Shown(shown.text.substring(0, length), true) : all;
	}

	/**
	 * A text, or what everybody may see of it.
	 *
	 * @param text the text
	 * @param truncated whether there is more of it
	 */
	record Shown(String text, boolean truncated) implements Text {

	}

	/**
	 * A text that the caller may not see.
	 *
	 * @param hidden always true
	 * @param needs what the caller lacks
	 */
	record Hidden(boolean hidden, String needs) implements Text {

	}

}
