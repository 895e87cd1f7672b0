package io.rowqueue.sample.scale;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

/** Three databases. */
@Tag("thorough")
class ThreeShardsTests extends SameLedgerContract implements ThreeShards {

	@Test
	void theEndpointKnowsTheShards() {
		List<Map<String, Object>> shards = list("/actuator/rowqueue/shards");
		assertThat(shards).extracting((shard) -> shard.get("name")).containsExactlyInAnyOrder("home", "eu", "us");
		assertThat(shards).allSatisfy((shard) -> assertThat(shard).containsEntry("available", true));
		assertThat(get("/actuator/rowqueue/jobs?shard=eu")).containsKey("jobs");
		assertThat(get("/actuator/rowqueue?shard=us")).containsKey("workers");
		assertThat(get("/actuator/health")).extracting("components")
			.asInstanceOf(MAP)
			.extractingByKey("rowqueueShards")
			.asInstanceOf(MAP)
			.containsEntry("status", "UP");
	}

}
