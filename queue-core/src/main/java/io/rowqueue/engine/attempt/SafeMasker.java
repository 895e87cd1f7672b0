package io.rowqueue.engine.attempt;

import io.rowqueue.masking.SensitiveText;
import io.rowqueue.masking.StoredTextMasker;
import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.support.FirstOfAMinute;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the masker of the application, whose failure must neither lose the outcome of a
 * job nor show a text that may be secret.
 */
final class SafeMasker implements StoredTextMasker {

	private static final Logger logger = LoggerFactory.getLogger(SafeMasker.class);

	private final StoredTextMasker masker;

	private final FirstOfAMinute<Class<?>> firsts = new FirstOfAMinute<>();

	private SafeMasker(StoredTextMasker masker) {
		this.masker = masker;
	}

	/** Returns a masker that never fails. */
	static StoredTextMasker of(StoredTextMasker masker) {
		return (masker == NONE || masker instanceof SafeMasker) ? masker : new SafeMasker(masker);
	}

	@Override
	public String mask(SensitiveText kind, String text) {
		try {
			@Nullable String masked = this.masker.mask(kind, text);
			if (masked != null) {
				return masked;
			}
			return failed(kind, text, new IllegalStateException("it returned null"));
		}
		catch (Throwable ex) { // an Error must not lose the outcome either
			return failed(kind, text, ex);
		}
	}

	private String failed(SensitiveText kind, String text, Throwable error) {
		if (this.firsts.test(error.getClass())) {
			logger.error("{} failed, therefore a text of the kind {} is stored without its details: {}", this.masker,
					kind, ErrorText.summary(error));
		}
		return kind.mask(text);
	}

}
