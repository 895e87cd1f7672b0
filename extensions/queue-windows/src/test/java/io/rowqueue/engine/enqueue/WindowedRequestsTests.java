package io.rowqueue.engine.enqueue;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.lease.DirectStart;
import io.rowqueue.engine.window.WindowStore;
import io.rowqueue.listen.JobListener;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.StoreDatabase;
import io.rowqueue.window.Window;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Requests with a window of their own. */
class WindowedRequestsTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final WindowStore windows = new WindowStore(database.queueDatabase());

	private final RequestConverter converter = converter(database.queueDatabase());

	@Test
	void aJobIsPostponedToTheOpeningOfItsWindow() {
		Window window = Window.of("never now", "UTC", "00:00-00:01");
		Instant now = database.now();
		this.windows.put(window, window.opening(now), true);
		Instant due = Instant.parse("2030-05-04T12:00:00Z");
		JobRequest request = JobRequest.of("plain").window("never now").runAt(due);
		Instant opening = Instant.parse("2030-05-05T00:00:00Z");
		assertThat(this.converter.conversion(null).apply(request).request().runAt()).isEqualTo(opening);
		assertThat(this.converter.convertDependent(request, null).request().runAt())
			.as("of a flow, the worker checks the window")
			.isEqualTo(due);
	}

	@Test
	void aWindowIsNotReadForEachJobOfACall() {
		Window window = Window.of("never now", "UTC", "00:00-00:01");
		this.windows.put(window, window.opening(this.windows.now()), true);
		AtomicInteger statements = new AtomicInteger();
		DataSource counting = new DelegatingDataSource(database.direct()) {

			@Override
			public Connection getConnection() throws SQLException {
				statements.incrementAndGet();
				return super.getConnection();
			}

		};
		RequestConverter converter = converter(new QueueDatabase(new JdbcTemplate(counting), SchemaName.DEFAULT));
		assertThat(Collections.nCopies(1000, JobRequest.of("plain").window("never now"))
			.stream()
			.map(converter.conversion(null))
			.map((job) -> job.request().runAt())
			.distinct()).hasSize(1);
		assertThat(statements).as("one for each second, and one for the clock").hasValueLessThan(500);
	}

	@Test
	void anUnknownWindowIsNamed() {
		assertThatExceptionOfType(JobQueueException.class)
			.isThrownBy(() -> this.converter.conversion(null).apply(JobRequest.of("plain").window("night")))
			.withMessageContaining("'night'");
	}

	private static RequestConverter converter(QueueDatabase database) {
		return new RequestConverter(new EnqueueHooks(List::of, () -> JobListener.NONE, DeclaredTypes.NONE,
				DirectStart.NONE, new WindowStore(database)), database,
				new PayloadWriter(Engine.CODEC, DataSize.ofMegabytes(1)));
	}

}
