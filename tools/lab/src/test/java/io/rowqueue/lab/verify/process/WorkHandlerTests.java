package io.rowqueue.lab.verify.process;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.SQLException;

import javax.sql.DataSource;

import io.rowqueue.JobContext;
import io.rowqueue.lab.verify.worker.Work;
import io.rowqueue.lab.verify.ledger.Entry;
import io.rowqueue.lab.verify.ledger.Event;
import io.rowqueue.lab.verify.ledger.LedgerFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class WorkHandlerTests {

	/** The first attempt of a job. */
	private static final JobContext CONTEXT = (JobContext) Proxy.newProxyInstance(JobContext.class.getClassLoader(),
			new Class<?>[] { JobContext.class }, (proxy, method, arguments) -> switch (method.getName()) {
				case "id" -> 42L;
				case "type" -> "work";
				case "attempt", "leaseToken" -> 1;
				default -> throw new UnsupportedOperationException(method.getName());
			});

	/** Has no connection for anybody. */
	private static final DataSource NONE = (DataSource) Proxy.newProxyInstance(DataSource.class.getClassLoader(),
			new Class<?>[] { DataSource.class }, (proxy, method, arguments) -> {
				throw new SQLException("there is none");
			});

	@TempDir
	private Path directory;

	@Test
	void aFailureOnPurposeIsRecorded() {
		try (LedgerFile ledger = LedgerFile.open(this.directory, "a")) {
			WorkHandler handler = new WorkHandler(ledger, null, null);
			assertThatExceptionOfType(FailureOnPurpose.class).isThrownBy(() -> handler.run(new Work(1, 0, 1), CONTEXT));
		}
		assertThat(LedgerFile.read(this.directory)).extracting(Entry::event).containsExactly(Event.BEGUN, Event.FAILED);
	}

	@Test
	void anUnexpectedFailureIsRecorded() {
		try (LedgerFile ledger = LedgerFile.open(this.directory, "a")) {
			WorkHandler handler = new WorkHandler(ledger, NONE, null);
			assertThatExceptionOfType(SQLException.class).isThrownBy(() -> handler.run(new Work(1, 0, 1), CONTEXT));
		}
		assertThat(LedgerFile.read(this.directory)).extracting(Entry::event).containsExactly(Event.BEGUN, Event.BROKEN);
	}

}
