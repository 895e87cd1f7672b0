package io.rowqueue.dashboard.api;

import io.rowqueue.dashboard.http.ApiCall;
import io.rowqueue.masking.TextMasker;

/** Decides what a caller is shown of sensitive texts; everything is hidden by default. */
@FunctionalInterface
public interface Maskers {

	/**
	 * Returns a masker.
	 * @param payloads whether the caller may see payloads
	 */
	TextMasker of(boolean payloads);

	/** Returns the masker for a caller. */
	default TextMasker of(ApiCall call) {
		return of(call.rights().payloads());
	}

}
