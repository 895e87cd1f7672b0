package io.rowqueue.autoconfigure.shard;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.JobQueue;
import io.rowqueue.JobQueueException;
import io.rowqueue.JobType;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.shard.Shards;
import io.rowqueue.engine.database.TransactionEndListener;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The defaults of declared types count before a shard is chosen. */
class DeclaredTypesInShardsTests {

	private final TestDatabase home = new TestDatabase();

	private final TestDatabase other = new TestDatabase();

	private final ApplicationContextRunner application = Applications.on(this.home)
		.withBean("homeDataSource", DataSource.class, this.home::dataSource, (bean) -> bean.setPrimary(true))
		.withBean("otherDataSource", DataSource.class, this.other::dataSource, (bean) -> bean.setPrimary(false))
		.withPropertyValues("rowqueue.shards.other.datasource=otherDataSource", "rowqueue.worker.enabled=false")
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

	@Test
	void anOutboxRefusesATypeThatRejectsDuplicates() {
		this.application.withPropertyValues("rowqueue.shards.other.role=outbox").run((context) -> {
			TransactionTemplate transaction = new TransactionTemplate(TransactionEndListener
				.addTo(new DataSourceTransactionManager(context.getBean("otherDataSource", DataSource.class))));
			JobQueue queue = context.getBean(JobQueue.class);
			assertThatExceptionOfType(JobQueueException.class)
				.isThrownBy(() -> transaction.execute((status) -> queue.enqueue("once", "ada")))
				.withMessageContaining("The outbox 'other' cannot reject duplicates");
			JobQueue outbox = context.getBean(Shards.class).queue("other");
			assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> transaction.execute((status) -> outbox.enqueue("once", "ada")))
				.withMessageContaining("an outbox cannot apply the policy for duplicates 'reject'")
				.withMessageContaining("in the declaration of its type");
			assertThat(this.other.count("select count(*) from rowqueue.job")).isZero();
		});
	}

	@Configuration(proxyBeanMethods = false)
	static class Types {

		@Bean
		JobType<String> welcome() {
			return JobType.of("welcome", String.class).uniqueKey((user) -> "welcome " + user);
		}

		@Bean
		JobType<String> once() {
			return JobType.of("once", String.class)
				.uniqueKey((user) -> "once " + user)
				.duplicates(DuplicatePolicy.reject());
		}

	}

}
