package io.rowqueue.autoconfigure.admin;

import io.rowqueue.masking.SensitiveText;
import io.rowqueue.masking.TextMasker;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.Sanitizer;

/**
 * Masks what the caller may not see, and what the application's sanitizing functions mask
 * for all callers.
 */
public final class SanitizingMasker implements TextMasker {

	private final Sanitizer sanitizer;

	private final boolean show;

	/**
	 * Creates the masker.
	 * @param sanitizer calls the application's sanitizing functions
	 * @param show whether the caller may see unmasked data
	 */
	public SanitizingMasker(Sanitizer sanitizer, boolean show) {
		this.sanitizer = sanitizer;
		this.show = show;
	}

	@Override
	public String mask(SensitiveText kind, String text) {
		Object shown = this.sanitizer.sanitize(new SanitizableData(null, kind.key(), text),
				this.show || !kind.isHidden());
		return (shown == null || SanitizableData.SANITIZED_VALUE.equals(shown)) ? kind.mask(text) : shown.toString();
	}

}
