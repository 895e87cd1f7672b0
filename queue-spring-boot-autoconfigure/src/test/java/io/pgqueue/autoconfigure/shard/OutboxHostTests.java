package io.pgqueue.autoconfigure.shard;

import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import io.pgqueue.JobQueue;
import io.pgqueue.autoconfigure.Applications;
import io.pgqueue.autoconfigure.TestDatabase;
import io.pgqueue.engine.wakeup.Arrivals;
import io.pgqueue.engine.wakeup.WakeUps;
import io.pgqueue.testing.ListBroker;
import io.pgqueue.transport.JobTransport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OutboxHostTests {

	private final TestDatabase database = new TestDatabase();

	private final ListBroker broker = new ListBroker();

	private final AtomicInteger handedOver = new AtomicInteger();

	@Test
	void anOutboxHandsOverWhatOtherShardsRunAndPublishesWhatABrokerCarries() {
		Applications.on(this.database)
			.withPropertyValues("pgqueue.worker.enabled=false")
			.withBean(JobTransport.class, () -> this.broker)
			.run((context) -> {
				WakeUps wakeUps = context.getBean(WakeUps.class);
				OutboxHost host = new OutboxHost(context, this.handedOver::incrementAndGet);
				assertThat(this.handedOver).as("at the start").hasValue(1);
				long id = context.getBean(JobQueue.class).enqueue("note", 1).id();
				Awaitility.await().until(() -> this.broker.published().contains(id));
				assertThat(this.handedOver).as("a carried job is not handed over").hasValue(1);
				wakeUps.jobsArrived(Arrivals.of("default"));
				assertThat(this.handedOver).hasValue(2);
				wakeUps.jobsArrived(new Arrivals(Set.of(), true, false));
				assertThat(this.handedOver).as("jobs with limit keys are handed over, too").hasValue(3);
				host.close();
				wakeUps.jobsArrived(Arrivals.of("default"));
				assertThat(this.handedOver).hasValue(3);
			});
	}

}
