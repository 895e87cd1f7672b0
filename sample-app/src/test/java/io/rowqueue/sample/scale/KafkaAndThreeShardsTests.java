package io.rowqueue.sample.scale;

import org.junit.jupiter.api.Tag;
import org.springframework.test.context.TestPropertySource;

/** Three databases, and a broker. */
@TestPropertySource(properties = "rowqueue.schema.name=over_kafka_too")
@Tag("thorough")
class KafkaAndThreeShardsTests extends SameLedgerContract implements ThreeShards, OverKafka {

}
