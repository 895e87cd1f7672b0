package io.rowqueue.engine.attempt;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.rowqueue.JobLogger;
import io.rowqueue.engine.codec.JsonTexts;
import io.rowqueue.engine.lease.LogPart;
import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.support.LogText;
import io.rowqueue.masking.SensitiveText;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;
import org.slf4j.helpers.FormattingTuple;
import org.slf4j.helpers.MessageFormatter;

/** What the handler of an attempt has logged and is not written yet. Thread-safe. */
final class AttemptLog implements JobLogger {

	private final ActiveJob job;

	private List<Line> lines = new ArrayList<>();

	/** The lines that are being written; the same ones again, if that fails. */
	private @Nullable LogPart writing;

	private int writtenParts;

	private int count;

	private long bytes;

	private int dropped;

	private boolean markedAsDropped;

	AttemptLog(ActiveJob job) {
		this.job = job;
	}

	@Override
	public void log(Level level, String message, @Nullable Object... arguments) {
		if (isFull()) {
			return;
		}
		String text = text(message, arguments);
		int size = text.getBytes(StandardCharsets.UTF_8).length;
		synchronized (this) {
			if (this.dropped > 0 || this.count == MAX_LINES || this.bytes + size > MAX_BYTES) {
				this.dropped++; // all further ones, so that what is kept has no gaps
				return;
			}
			this.count++;
			this.bytes += size;
			add(level, text);
		}
	}

	/** Lines that are dropped are not formatted. */
	private synchronized boolean isFull() {
		if (this.dropped > 0) {
			this.dropped++;
		}
		return this.dropped > 0;
	}

	private void add(Level level, String text) {
		this.lines.add(new Line(this.job.now().toString(), level.name(), text));
	}

	private String text(@Nullable String message, @Nullable Object... arguments) {
		FormattingTuple formatted = MessageFormatter.arrayFormat(message, arguments);
		String text = Objects.requireNonNullElse(formatted.getMessage(), "null");
		if (formatted.getThrowable() != null) {
			text += "\n" + ErrorText.of(formatted.getThrowable());
		}
		// masked before it is cut, so that no part of what should be masked is left
		String masked = this.job.reports().mask(SensitiveText.LOG, ErrorText.cut(text, 2 * MAX_CHARACTERS));
		return LogText.lines(ErrorText.cut(masked, MAX_CHARACTERS));
	}

	/**
	 * Returns the lines to write, or {@code null} if there are none.
	 * @param ended whether the handler has ended: then a last line contains how many
	 * lines were dropped
	 */
	synchronized @Nullable LogPart next(boolean ended) {
		if (this.writing != null) {
			return this.writing;
		}
		if (ended && this.dropped > 0 && !this.markedAsDropped) {
			this.markedAsDropped = true;
			add(Level.WARN, "%s more lines were dropped: the log of an attempt has at most %s lines and %s bytes"
				.formatted(this.dropped, MAX_LINES, MAX_BYTES));
		}
		if (this.lines.isEmpty()) {
			return null;
		}
		LogPart part = new LogPart(this.job.job().lease(), this.writtenParts + 1, JsonTexts.write(this.lines));
		this.lines = new ArrayList<>();
		this.writing = part;
		return part;
	}

	/** The lines are written, or never will be. */
	synchronized void written(LogPart part) {
		if (part.number() > this.writtenParts) {
			this.writing = null;
			this.writtenParts = part.number();
		}
	}

	synchronized int dropped() {
		return this.dropped;
	}

	/**
	 * A line, as it is stored.
	 *
	 * @param at when it was logged, such as {@code 2026-10-25T01:30:00Z}
	 * @param level the name of the level
	 * @param text the text
	 */
	record Line(String at, String level, String text) {

	}

}
