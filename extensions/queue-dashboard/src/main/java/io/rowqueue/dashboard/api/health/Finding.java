package io.rowqueue.dashboard.api.health;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Something that was looked at, in words.
 *
 * @param id names it, and stays the same as long as it lasts
 * @param level {@code ok}, {@code info}, {@code warning} or {@code critical}
 * @param title a sentence
 * @param detail more of it
 * @param advice what to do
 * @param link a page of the dashboard
 * @param since when it began
 */
public record Finding(String id, String level, String title, @Nullable String detail, @Nullable String advice,
		@Nullable String link, @Nullable Instant since) {

	static final String OK = "ok";

	static final String INFO = "info";

	static final String WARNING = "warning";

	static final String CRITICAL = "critical";

	static Finding ok(String id, String title) {
		return new Finding(id, OK, title, null, null, null, null);
	}

	static Finding of(String id, String level, String title, String advice) {
		return new Finding(id, level, title, null, advice, null, null);
	}

	Finding with(@Nullable String moreDetail, @Nullable String page) {
		return new Finding(this.id, this.level, this.title, moreDetail, this.advice, page, this.since);
	}

	Finding since(@Nullable Instant time) {
		return new Finding(this.id, this.level, this.title, this.detail, this.advice, this.link, time);
	}

	boolean isProblem() {
		return this.level.equals(WARNING) || this.level.equals(CRITICAL);
	}

	int severity() {
		return switch (this.level) {
			case CRITICAL -> 0;
			case WARNING -> 1;
			case INFO -> 2;
			default -> 3;
		};
	}

}
