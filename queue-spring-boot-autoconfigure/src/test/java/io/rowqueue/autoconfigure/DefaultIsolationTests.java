package io.rowqueue.autoconfigure;

import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.autoconfigure.Notes.Note;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** A database whose transactions are stricter than the queue needs. */
@ExtendWith(OutputCaptureExtension.class)
class DefaultIsolationTests {

	private static final int JOBS = 300;

	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	@ParameterizedTest
	@ValueSource(strings = { "repeatable read", "serializable" })
	void theDefaultIsolationDoesNotMakeClaimsOfSeveralWorkersFail(String isolation, CapturedOutput output) {
		this.database.execute(
				"alter database " + this.database.name() + " set default_transaction_isolation = '" + isolation + "'");
		Notes notes = new Notes();
		Applications.on(this.database)
			.withBean(Notes.class, () -> notes)
			.run((one) -> Applications.on(this.database).withBean(Notes.class, () -> notes).run((two) -> {
				for (int i = 0; i < JOBS; i++) {
					one.getBean(JobQueue.class)
						.enqueue(JobRequest.of("note", new Note("note")).queue("queue " + i % 3).uniqueKey("key " + i));
				}
				Awaitility.await()
					.until(() -> this.database.count("select count(*) from rowqueue.job_finished") == JOBS);
			}));
		assertThat(this.database.count("select count(*) from rowqueue.job_failure")).isZero();
		assertThat(output.getOut()).doesNotContain("could not serialize").doesNotContain("ERROR");
	}

}
