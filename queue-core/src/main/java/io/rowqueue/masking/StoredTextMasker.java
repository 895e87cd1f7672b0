package io.rowqueue.masking;

/**
 * Masks texts of handlers before the worker stores them, such as card numbers in the
 * message of an exception. A bean of this type applies to {@linkplain SensitiveText#ERROR
 * stack traces}, {@linkplain SensitiveText#PROGRESS messages of progress},
 * {@linkplain SensitiveText#LOG lines of the job log} and
 * {@linkplain SensitiveText#PAUSE_REASON reasons of holds}. What is masked here is not in
 * the database, and no reader can see it; {@link TextMasker} hides stored texts from some
 * readers.
 * <p>
 * The masker is called by the thread of the handler and must return quickly. If it throws
 * an exception, the text is stored as {@link SensitiveText#mask} masks it, such as the
 * class of an exception without its message.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface StoredTextMasker {

	/** Stores all texts as they are. */
	StoredTextMasker NONE = (kind, text) -> text;

	/**
	 * Masks a text.
	 * @param kind the kind of the text
	 * @param text the text, which may have several lines
	 * @return the text to store
	 */
	String mask(SensitiveText kind, String text);

}
