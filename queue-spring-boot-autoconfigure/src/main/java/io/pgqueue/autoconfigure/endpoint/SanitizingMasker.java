package io.pgqueue.autoconfigure.endpoint;

import io.pgqueue.admin.SensitiveText;
import io.pgqueue.admin.TextMasker;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.Sanitizer;

/**
 * Masks what the caller may not see, and what the application's own functions hide from
 * everybody.
 */
public final class SanitizingMasker implements TextMasker {

	private final Sanitizer sanitizer;

	private final boolean show;

	/**
	 * Creates the masker.
	 * @param sanitizer asks the application's own functions
	 * @param show whether whoever asks may see what is hidden from others
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
