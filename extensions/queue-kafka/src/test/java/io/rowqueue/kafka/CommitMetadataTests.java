package io.rowqueue.kafka;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CommitMetadataTests {

	@Test
	void isReadAsItWasWritten() {
		BitSet settled = new BitSet();
		settled.set(3);
		settled.set(11, 13);
		CommitMetadata written = new CommitMetadata(true, 1_050, settled);
		String text = written.encode(1_000);
		assertThat(text).isEqualTo("1 o 1e 3,1,7,2,");
		assertThat(CommitMetadata.decode(1_000, text)).isEqualTo(written);
	}

	@Test
	void whatDoesNotFitCountsAsStarted() {
		BitSet settled = new BitSet();
		for (int i = 1; i < PartitionWindow.MAX_SPAN; i += 2) {
			settled.set(i);
		}
		String text = new CommitMetadata(true, PartitionWindow.MAX_SPAN, settled).encode(0);
		assertThat(text.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(CommitMetadata.MAX_LENGTH);
		CommitMetadata read = CommitMetadata.decode(0, text);
		assertThat(read.orderly()).isFalse();
		assertThat(read.settled().cardinality()).isPositive().isLessThan(settled.cardinality());
	}

	@Test
	void aCommitOfAnotherProgramSaysNothing() {
		assertThat(CommitMetadata.decode(7, "")).isEqualTo(CommitMetadata.none(7));
	}

}
