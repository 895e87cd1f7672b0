package io.rowqueue.kotlin

import io.rowqueue.JobHandler
import io.rowqueue.autoconfigure.handler.QueueHandlerAutoConfiguration
import io.rowqueue.engine.codec.JacksonPayloadCodec
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.boot.autoconfigure.AutoConfigurations
import org.springframework.boot.test.context.runner.ApplicationContextRunner
import tools.jackson.databind.json.JsonMapper
import tools.jackson.module.kotlin.KotlinModule
import java.util.function.Supplier

/** An application whose mapper may lack Jackson's module for Kotlin. */
class WithoutTheModuleTests {
	@Test
	fun aDataClassThatCannotBeReadFailsTheStartAndNamesTheDependency() {
		application(JsonMapper.shared()).run {
			assertThat(it.startupFailure)
				.hasMessageContainingAll("Letter has no constructor that Jackson can call", "rowqueue-kotlin")
		}
	}

	@Test
	fun withTheModuleItIsTaken() {
		application(JsonMapper.builder().addModule(KotlinModule.Builder().build()).build()).run {
			assertThat(it.startupFailure).isNull()
		}
	}

	private fun application(mapper: JsonMapper) =
		ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(QueueHandlerAutoConfiguration::class.java))
			.withBean(JacksonPayloadCodec::class.java, Supplier { JacksonPayloadCodec(mapper) })
			.withBean(Letters::class.java, Supplier { Letters() })

	data class Letter(
		val to: String,
		val text: String,
	)

	open class Letters {
		@JobHandler("letter")
		open fun send(letter: Letter) = Unit
	}
}
