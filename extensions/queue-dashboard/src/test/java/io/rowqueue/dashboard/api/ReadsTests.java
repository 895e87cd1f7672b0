package io.rowqueue.dashboard.api;

import java.util.List;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.dashboard.http.ProblemException;
import io.rowqueue.engine.database.DisabledDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ReadsTests {

	@Test
	void aQueueThatIsOffAnswersWithTheReason() {
		HikariConfig pool = new HikariConfig();
		pool.setDataSource(new DisabledDataSource("The job queue is off: it needs PostgreSQL"));
		pool.setConnectionTimeout(250);
		pool.setInitializationFailTimeout(-1);
		try (HikariDataSource pooled = new HikariDataSource(pool)) {
			for (DataSource dataSource : List.of(pool.getDataSource(), pooled)) {
				JdbcTemplate jdbc = new JdbcTemplate(dataSource);
				assertThatExceptionOfType(ProblemException.class)
					.isThrownBy(() -> Reads.guarded(() -> jdbc.queryForObject("select 1", Integer.class)))
					.satisfies((ex) -> {
						assertThat(ex.problem().type()).endsWith(":queue-off");
						assertThat(ex.problem().status()).isEqualTo(503);
						assertThat(ex.problem().detail()).isEqualTo("The job queue is off: it needs PostgreSQL");
					});
			}
		}
	}

}
