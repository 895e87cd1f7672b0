package io.rowqueue.autoconfigure.handler;

import java.util.Map;

import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.ThreadContextElement;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Takes the MDC of the thread of a handler to the other threads of its coroutine. */
final class LogContext extends AbstractCoroutineContextElement
		implements ThreadContextElement<LogContext.@Nullable Entries> {

	private static final CoroutineContext.Key<LogContext> KEY = new CoroutineContext.Key<>() {
	};

	private final Entries entries;

	private LogContext(Entries entries) {
		super(KEY);
		this.entries = entries;
	}

	static LogContext ofThisThread() {
		return new LogContext(Entries.current());
	}

	@Override
	public Entries updateThreadContext(CoroutineContext context) {
		Entries before = Entries.current();
		this.entries.set();
		return before;
	}

	@Override
	public void restoreThreadContext(CoroutineContext context, @Nullable Entries before) {
		if (before != null) {
			before.set();
		}
	}

	/** The MDC of a thread. */
	record Entries(@Nullable Map<String, String> map) {

		static Entries current() {
			return new Entries(MDC.getCopyOfContextMap());
		}

		void set() {
			if (this.map != null) {
				MDC.setContextMap(this.map);
			}
			else {
				MDC.clear();
			}
		}

	}

}
