package io.rowqueue.shard.autoconfigure;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.rowqueue.JobQueue;
import io.rowqueue.JobType;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/** The defaults of declared types count before a shard is chosen. */
class DeclaredTypesInShardsTests {

	@RegisterExtension
	private final TestDatabase home = new TestDatabase();

	@RegisterExtension
	private final TestDatabase other = new TestDatabase();

	private final ApplicationContextRunner application = Applications.on(this.home)
		.withBean("homeDataSource", DataSource.class, this.home::dataSource, (bean) -> bean.setPrimary(true))
		.withBean("otherDataSource", DataSource.class, this.other::dataSource, (bean) -> bean.setPrimary(false))
		.withPropertyValues("rowqueue.shards.other.datasource=otherDataSource", "rowqueue.worker.enabled=false")
		.withInitializer(Applications.awaitingShards("other"))
		.withUserConfiguration(Types.class);

	@Test
	void theKeyOfATypeDecidesWhereAJobIsStored() {
		this.application.run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			Set<Long> ids = Stream.generate(() -> queue.enqueue("welcome", "ada").id())
				.limit(6)
				.collect(Collectors.toSet());
			assertThat(ids).as("unique over all shards").hasSize(1);
		});
	}

	@Configuration(proxyBeanMethods = false)
	static class Types {

		@Bean
		JobType<String> welcome() {
			return JobType.of("welcome", String.class).uniqueKey((user) -> "welcome " + user);
		}

	}

}
