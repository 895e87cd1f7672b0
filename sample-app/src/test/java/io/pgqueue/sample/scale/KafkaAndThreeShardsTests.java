package io.pgqueue.sample.scale;

import org.springframework.test.context.TestPropertySource;

/** Three databases, and a broker. */
@TestPropertySource(properties = "pgqueue.schema.name=over_kafka_too")
class KafkaAndThreeShardsTests extends SameLedgerContract implements ThreeShards, OverKafka {

}
