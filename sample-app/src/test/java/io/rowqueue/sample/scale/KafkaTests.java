package io.rowqueue.sample.scale;

import org.springframework.test.context.TestPropertySource;

/** One database, and a broker. */
@TestPropertySource(properties = "rowqueue.schema.name=over_kafka")
class KafkaTests extends SameLedgerContract implements OverKafka {

}
