package io.rowqueue.kafka;

import java.util.BitSet;

import io.rowqueue.transport.Delivery;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PartitionWindowTests {

	/** Its owner has died, and may have started the records below 150. */
	private final PartitionWindow window = new PartitionWindow(100, new CommitMetadata(false, 150, new BitSet()));

	@Test
	void whatADeadOwnerMayHaveStartedCountsAsStartedIfTheNextOwnerDiesToo() {
		assertThat(this.window.count(149)).isEqualTo(2);
		assertThat(next().count(149)).isEqualTo(2);
	}

	@Test
	void whatADeadOwnerMayHaveStartedCountsAsStartedIfTheNextOwnerLeaves() {
		this.window.receive(100);
		this.window.revoke();
		PartitionWindow next = next();
		assertThat(next.count(149)).isEqualTo(2);
		assertThat(next.count(150)).isEqualTo(1);
	}

	@Test
	void anOwnerThatHasSettledAllOfItLeavesNothingThatCountsAsStarted() {
		for (long offset = 100; offset < 160; offset++) {
			this.window.receive(offset);
			if (offset < 155) {
				this.window.deliver();
				this.window.settle(offset, Delivery.of(Polling.job("mail", offset), "origin", 2, "handle"));
			}
		}
		this.window.revoke();
		assertThat(next().count(155)).isEqualTo(1);
	}

	/** The window of the next owner, which reads what this one has committed last. */
	private PartitionWindow next() {
		OffsetAndMetadata commit = this.window.commit();
		return new PartitionWindow(commit.offset(), CommitMetadata.decode(commit.offset(), commit.metadata()));
	}

}
