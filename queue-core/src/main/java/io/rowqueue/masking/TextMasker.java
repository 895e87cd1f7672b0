package io.rowqueue.masking;

import org.jspecify.annotations.Nullable;

/**
 * Decides how much of a {@linkplain SensitiveText sensitive text} a reader may see.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface TextMasker {

	/** Shows everything. Suitable for code of the application. */
	TextMasker NONE = (kind, text) -> text;

	/** Shows only what all readers may see. */
	TextMasker ALL = (kind, text) -> kind.isHidden() ? kind.mask(text) : text;

	/**
	 * Masks a text.
	 * @param kind the kind of the text
	 * @param text the text
	 * @return the visible text
	 */
	String mask(SensitiveText kind, String text);

	/**
	 * Masks a text that may be {@code null}.
	 * @param kind the kind of the text
	 * @param text the text, or {@code null}
	 * @return the visible text, or {@code null} if there is no text
	 */
	default @Nullable String maskIfPresent(SensitiveText kind, @Nullable String text) {
		return (text != null) ? mask(kind, text) : null;
	}

}
