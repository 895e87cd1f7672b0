package io.rowqueue.bakery

import io.rowqueue.JobState
import io.rowqueue.test.QueueTester
import io.rowqueue.test.autoconfigure.QueueTest
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.context.annotation.Import
import org.springframework.jdbc.core.simple.JdbcClient
import java.time.Duration

/** An order, its mails and its way through the bakery. */
@QueueTest
@Import(Orders::class, Services::class)
class OrdersTests(
	@Autowired private val orders: Orders,
	@Autowired private val tester: QueueTester,
	@Autowired private val services: Services,
	@Autowired private val db: JdbcClient,
) : OnPostgres {
	@Test
	fun anOrderIsConfirmedByMail() {
		val order = orders.place("ada@example.org", "cheesecake")

		assertThat(tester).hasJob("order-mail").hasPayload(OrderMail(order, "ada@example.org"))
		tester.runDue()

		assertThat(services.mails).containsExactly("ada@example.org: Thank you for your order")
	}

	@AfterEach
	fun forgetTheMails() = services.mails.clear()

	@Test
	fun aCakeIsChargedOnceAndItsCustomerGetsTheReceipt() {
		val order = orders.place("ada@example.org", "cheesecake")
		tester.runDue()
		services.failures = 1

		bake()
		assertThat(tester).hasJob("bake").hasState(JobState.SCHEDULED).hasLastErrorContaining("payment service is down")
		bake()

		assertThat(tester).hasJob("bake").hasSucceeded()
		assertThat(receipt(order)).isEqualTo("25 euros")
		assertThat(services.mails).last().isEqualTo("ada@example.org: Your cake is ready, receipt 25 euros")
	}

	@Test
	fun aWeddingCakeWaitsForAnApproval() {
		val order = orders.place("grace@example.org", "wedding cake")
		bake()
		assertThat(receipt(order)).isNull()

		orders.approve(order, "the baker")
		tester.runDue("bake")

		assertThat(receipt(order)).isEqualTo("250 euros")
	}

	@Test
	fun aWeddingCakeThatNobodyApprovesIsNotBaked() {
		val order = orders.place("grace@example.org", "wedding cake")
		bake()

		tester.advance(Duration.ofDays(2))
		tester.runDue("bake")

		assertThat(tester).hasJob("bake").hasState(JobState.CANCELLED)
		assertThat(receipt(order)).isNull()
	}

	private fun bake() {
		tester.advance(Duration.ofMinutes(1))
		tester.runDue("bake", "order-mail")
	}

	private fun receipt(order: Long): String? =
		db
			.sql("select receipt from orders where id = ?")
			.param(order)
			.query { row, _ -> row.getString(1) }
			.list()
			.single()
}
