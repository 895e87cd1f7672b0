package io.rowqueue.bakery

import io.rowqueue.JobQueue
import io.rowqueue.kotlin.enqueue
import io.rowqueue.test.QueueTester
import io.rowqueue.test.autoconfigure.QueueTest
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.jdbc.core.simple.JdbcClient

/** A handler whose parameter has a default value. */
@QueueTest(OldOrders::class)
class OldOrdersTests(
	@Autowired private val jobs: JobQueue,
	@Autowired private val tester: QueueTester,
	@Autowired private val db: JdbcClient,
) : OnPostgres {
	@Test
	fun ordersOfTheLastThirtyDaysAreKept() {
		placed(10)
		placed(40)

		jobs.enqueue("delete-old-orders")
		tester.runDue()

		assertThat(count()).isEqualTo(1)
	}

	@Test
	fun aPayloadChangesForHowLongOrdersAreKept() {
		placed(10)
		placed(40)

		jobs.enqueue("delete-old-orders", 7)
		tester.runDue()

		assertThat(count()).isZero()
	}

	private fun placed(daysAgo: Int) {
		db
			.sql("insert into orders (email, cake, placed_at) values ('', '', now() - make_interval(days => ?))")
			.param(daysAgo)
			.update()
	}

	private fun count() = db.sql("select count(*) from orders").query(Long::class.java).single()
}
