package io.rowqueue.engine.attempt;

import java.util.function.Supplier;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** When two errors have the same cause. */
class ErrorFingerprintTests {

	@Test
	void theSamePlaceIsTheSameCauseWhateverTheMessageAndTheLine() {
		Throwable one = error("com.acme.Mail", "send", 10, "customer 7 is unknown");
		Throwable other = error("com.acme.Mail", "send", 12, "customer 8 is unknown");
		assertThat(fingerprint(one)).isEqualTo(fingerprint(other));
		assertThat(fingerprint(one)).isNotEqualTo(fingerprint(error("com.acme.Mail", "render", 10, "")));
		assertThat(fingerprint(one)).isNotEqualTo(ErrorFingerprint.of("another-type", one));
	}

	@Test
	void theClassesOfItsCausesCount() {
		Throwable cause = error("com.acme.Mail", "send", 10, "refused");
		assertThat(fingerprint(new IllegalStateException(cause))).isNotEqualTo(fingerprint(cause))
			.isNotEqualTo(fingerprint(new IllegalArgumentException(cause)));
	}

	@Test
	void generatedNamesDoNotCount() {
		assertThat(fingerprint(error("com.acme.Mail$$SpringCGLIB$$0", "lambda$send$3", 1, "")))
			.isEqualTo(fingerprint(error("com.acme.Mail$$SpringCGLIB$$1", "lambda$send$4", 1, "")));
	}

	@Test
	void framesOfLibrariesAndTheQueueDoNotCount() {
		Exception one = new IllegalStateException("x");
		one.setStackTrace(new StackTraceElement[] { frame("java.util.List", "of"), frame("com.acme.Mail", "send"),
				frame("io.rowqueue.autoconfigure.handler.MethodHandler", "run"), frame("com.acme.Main", "main") });
		Exception other = new IllegalStateException("x");
		other.setStackTrace(new StackTraceElement[] { frame("org.springframework.Proxy", "call"),
				frame("com.acme.Mail", "send"), frame("io.rowqueue.autoconfigure.handler.MethodHandler", "run") });
		assertThat(fingerprint(one)).isEqualTo(fingerprint(other));
	}

	@Test
	void withoutFramesOfTheApplicationTheMessageCountsWithoutWhatVaries() {
		assertThat(fingerprint(without("timed out after 1503 ms for 'a b' and ada@acme.com")))
			.isEqualTo(fingerprint(without("timed out after 77 ms for 'c' and bob@acme.com")))
			.isNotEqualTo(fingerprint(without("refused")));
	}

	@Test
	void anExceptionWhoseMethodsFailHasOneToo() {
		Supplier<Throwable> broken = () -> new RuntimeException() {
			@Override
			public StackTraceElement[] getStackTrace() {
				throw new IllegalStateException();
			}
		};
		assertThat(fingerprint(broken.get())).isEqualTo(fingerprint(broken.get()));
	}

	private static long fingerprint(Throwable error) {
		return ErrorFingerprint.of("welcome-mail", error);
	}

	private static Throwable error(String type, String method, int line, String message) {
		Exception error = new IllegalStateException(message);
		error.setStackTrace(new StackTraceElement[] { new StackTraceElement(type, method, "Mail.java", line) });
		return error;
	}

	private static Throwable without(String message) {
		Exception error = new IllegalStateException(message);
		error.setStackTrace(new StackTraceElement[] { frame("java.net.Socket", "connect") });
		return error;
	}

	private static StackTraceElement frame(String type, String method) {
		return new StackTraceElement(type, method, "X.java", 1);
	}

}
