package io.rowqueue.lab.verify.site;

import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import io.rowqueue.devkafka.DevBroker;
import io.rowqueue.devkafka.DevKafka;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** A database, and a broker that carries the jobs of one type. */
public final class KafkaSite extends Site {

	/** The type that the broker carries. */
	public static final String CARRIED = "import";

	private static final String TOPIC = "rowqueue." + SCHEMA + "." + CARRIED;

	private static final long ANSWER_SECONDS = 10;

	private final Site site;

	private final DevKafka kafka;

	private KafkaSite(Site site, DevKafka kafka) {
		super(site.database(), null);
		this.site = site;
		this.kafka = kafka;
	}

	/** Starts the broker. */
	public static KafkaSite create(Sites sites) {
		return new KafkaSite(sites.common(), DevKafka.start(1, Map.of()));
	}

	/** The only broker. */
	public DevBroker broker() {
		return this.kafka.broker();
	}

	@Override
	public Map<String, String> properties() {
		Map<String, String> properties = new LinkedHashMap<>(this.site.properties());
		properties.put("rowqueue.kafka.types", CARRIED);
		properties.put("rowqueue.kafka.group-type", "consumer");
		properties.put("rowqueue.kafka.history", "true"); // the verdict reads it
		properties.put("rowqueue.kafka.partitions", "4");
		properties.put("rowqueue.kafka.properties[bootstrap.servers]", this.kafka.bootstrapServers());
		return properties;
	}

	@Override
	public boolean hasBroker() {
		return true;
	}

	/** Jobs wait in the outbox and in the broker as well. */
	@Override
	public long waiting() throws SQLException {
		return super.waiting() + number("select count(*) from {}.outbox") + lag();
	}

	private long lag() throws SQLException {
		try (Admin admin = Admin.create(Map.of("bootstrap.servers", this.kafka.bootstrapServers(), "request.timeout.ms",
				"5000", "default.api.timeout.ms", "8000"))) {
			List<TopicPartition> partitions = Objects
				.requireNonNull(admin.describeTopics(List.of(TOPIC)).topicNameValues().get(TOPIC))
				.get(ANSWER_SECONDS, TimeUnit.SECONDS)
				.partitions()
				.stream()
				.map((partition) -> new TopicPartition(TOPIC, partition.partition()))
				.toList();
			Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(TOPIC)
				.partitionsToOffsetAndMetadata()
				.get(ANSWER_SECONDS, TimeUnit.SECONDS);
			return admin
				.listOffsets(partitions.stream()
					.collect(Collectors.toMap((partition) -> partition, (partition) -> OffsetSpec.latest())))
				.all()
				.get(ANSWER_SECONDS, TimeUnit.SECONDS)
				.entrySet()
				.stream()
				.mapToLong((end) -> end.getValue().offset() - offset(committed.get(end.getKey())))
				.sum();
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new SQLException("The broker does not answer", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new SQLException("interrupted", ex);
		}
	}

	private static long offset(@Nullable OffsetAndMetadata committed) {
		return (committed != null) ? committed.offset() : 0;
	}

	@Override
	public void close() {
		this.kafka.close();
	}

}
