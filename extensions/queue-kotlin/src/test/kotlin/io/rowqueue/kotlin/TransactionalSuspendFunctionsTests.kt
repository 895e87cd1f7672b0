package io.rowqueue.kotlin

import io.rowqueue.JobHandler
import io.rowqueue.autoconfigure.handler.QueueHandlerAutoConfiguration
import io.rowqueue.engine.handler.InvalidJobHandlerException
import kotlinx.coroutines.delay
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.boot.autoconfigure.AutoConfigurations
import org.springframework.boot.test.context.runner.ApplicationContextRunner
import org.springframework.transaction.ReactiveTransactionManager
import org.springframework.transaction.annotation.Transactional
import java.lang.reflect.Proxy

/** A transaction of JDBC is bound to its thread, and Spring ends it when a suspend function suspends. */
class TransactionalSuspendFunctionsTests {
	private val runner =
		ApplicationContextRunner().withConfiguration(AutoConfigurations.of(QueueHandlerAutoConfiguration::class.java))

	@Test
	fun aTransactionalSuspendFunctionIsRefused() {
		for (bean in listOf(OnFunction::class.java, OnClass::class.java)) {
			runner.withBean(bean).run {
				assertThat(it)
					.failure
					.isInstanceOf(InvalidJobHandlerException::class.java)
					.hasMessageContaining("is a suspend function and @Transactional")
					.hasMessageContaining("TransactionTemplate")
			}
		}
	}

	@Test
	fun aTransactionalFunctionWithoutSuspendIsAHandler() {
		runner.withBean(WithoutSuspend::class.java).run { assertThat(it).hasNotFailed() }
	}

	@Test
	fun aReactiveTransactionGoesAlongWithTheCoroutine() {
		runner
			.withBean(ReactiveTransactionManager::class.java, { reactive() })
			.withBean(OnFunction::class.java)
			.run { assertThat(it).hasNotFailed() }
	}

	private fun reactive() =
		Proxy.newProxyInstance(javaClass.classLoader, arrayOf(ReactiveTransactionManager::class.java)) { _, _, _ ->
			null
		} as ReactiveTransactionManager

	open class OnFunction {
		@JobHandler("book")
		@Transactional
		open suspend fun book() = delay(1)
	}

	@Transactional
	open class OnClass {
		@JobHandler("book")
		open suspend fun book() = delay(1)
	}

	@Transactional
	open class WithoutSuspend {
		@JobHandler("book")
		open fun book() = Unit
	}
}
