package io.rowqueue.engine.support;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/** The causes of an error, whatever its own methods do. */
public final class Causes {

	/** Causes can go round in circles. */
	private static final int MAX_CAUSES = 50;

	private Causes() {
	}

	/** The error, its cause, the cause of that, and so on. */
	public static List<Throwable> of(Throwable error) {
		List<Throwable> causes = new ArrayList<>();
		for (@Nullable
		Throwable cause = error; cause != null && causes.size() < MAX_CAUSES; cause = causeOf(cause)) {
			causes.add(cause);
		}
		return causes;
	}

	/** The first of these that is such an error. */
	public static <E extends Throwable> Optional<E> find(Throwable error, Class<E> type) {
		return of(error).stream().filter(type::isInstance).map(type::cast).findFirst();
	}

	private static @Nullable Throwable causeOf(Throwable error) {
		try {
			return error.getCause();
		}
		catch (Throwable ex) {
			return null;
		}
	}

}
