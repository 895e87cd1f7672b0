package io.rowqueue.sample.scale;

import org.junit.jupiter.api.Tag;
import org.springframework.test.context.TestPropertySource;

/** One database, and a broker. */
@Tag("thorough")
@TestPropertySource(properties = "rowqueue.schema.name=over_kafka")
class KafkaTests extends SameLedgerContract implements OverKafka {

}
