package io.rowqueue.dashboard.api;

import io.rowqueue.JobQueueException;
import io.rowqueue.dashboard.http.ProblemException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ReadsTests {

	@Test
	void aQueueThatIsOffAnswersWithTheReason() {
		assertThatExceptionOfType(ProblemException.class).isThrownBy(() -> Reads.guarded(() -> {
			throw new JobQueueException("The job queue is off: it needs PostgreSQL");
		})).satisfies((ex) -> {
			assertThat(ex.problem().status()).isEqualTo(503);
			assertThat(ex.problem().detail()).isEqualTo("The job queue is off: it needs PostgreSQL");
		});
	}

}
