package io.rowqueue.kafka;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import io.rowqueue.transport.JobMessage;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class RecordMappingTests {

	@Test
	void aRecordWithoutHeadersIsAJobWithoutAnId() {
		JobMessage job = RecordMapping.toJob("mail", record(0, Map.of()));
		assertThat(job.id()).isNegative();
		assertThat(job.queue()).isEqualTo("default");
		assertThat(job.maxAttempts()).isNull();
		assertThat(job.payload()).isEqualTo("{}");
	}

	/** -4294967295 has the lower bits of 1. */
	@ParameterizedTest
	@ValueSource(strings = { "", "x", "1.5", "-4294967295", "9223372036854775808" })
	void whatIsNoNumberIsNoneThatTheQueueWrites(String number) {
		JobMessage job = RecordMapping.toJob("mail", record(0,
				Map.of(RecordMapping.ID, number, RecordMapping.MAX_ATTEMPTS, number, RecordMapping.CREATED, number)));
		assertThat(job.id()).isNegative();
		assertThat(job.maxAttempts()).isNegative();
		assertThat(job.createdAt()).isNegative();
	}

	@Test
	void eachRecordHasAnOriginOfItsOwn() {
		assertThat(RecordMapping.origin(record(1, Map.of()))).isEqualTo(RecordMapping.origin(record(1, Map.of())))
			.isNotEqualTo(RecordMapping.origin(record(2, Map.of())));
	}

	private static ConsumerRecord<byte[], byte[]> record(long offset, Map<String, String> headers) {
		ConsumerRecord<byte[], byte[]> message = new ConsumerRecord<>("topic", 3, offset, null,
				"{}".getBytes(StandardCharsets.UTF_8));
		headers.forEach((name, value) -> message.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
		return message;
	}

}
