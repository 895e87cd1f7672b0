package io.pgqueue.admin;

import org.jspecify.annotations.Nullable;

/**
 * Decides what of a {@linkplain SensitiveText sensitive text} is shown to those who look.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface TextMasker {

	/** Shows everything, as to code of the application. */
	TextMasker NONE = (kind, text) -> text;

	/** Shows what everybody may see. */
	TextMasker ALL = (kind, text) -> kind.isHidden() ? kind.mask(text) : text;

	/**
	 * Masks a text.
	 * @param kind what it is
	 * @param text the text
	 * @return what is shown of it
	 */
	String mask(SensitiveText kind, String text);

	/**
	 * Masks a text, if there is one.
	 * @param kind what it is
	 * @param text the text, or {@code null}
	 * @return what is shown of it; {@code null} if there is none
	 */
	default @Nullable String maskIfPresent(SensitiveText kind, @Nullable String text) {
		return (text != null) ? mask(kind, text) : null;
	}

}
