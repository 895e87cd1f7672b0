package io.rowqueue.test.shop;

import io.rowqueue.JobQueue;
import io.rowqueue.test.QueueTester;
import io.rowqueue.test.autoconfigure.QueueTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.postgresql.PostgreSQLContainer;

import static org.assertj.core.api.Assertions.assertThat;

@QueueTest(Printer.class)
@Testcontainers(disabledWithoutDocker = true)
class OnTestcontainersTests {

	@Container
	@ServiceConnection
	static final PostgreSQLContainer postgres = new PostgreSQLContainer(
			"postgres:" + System.getProperty("postgres.version", "18") + "-alpine");

	@Autowired
	JobQueue queue;

	@Autowired
	QueueTester tester;

	@Test
	void jobsAreRunThere() {
		this.queue.enqueue("print", 1);

		assertThat(this.tester.runDue()).hasSize(1);
	}

}
