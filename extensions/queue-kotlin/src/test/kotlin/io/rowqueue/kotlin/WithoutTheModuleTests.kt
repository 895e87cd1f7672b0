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
	fun aClassThatCannotBeReadFailsTheStartAndNamesTheDependency() {
		application(JsonMapper.shared(), Notes()).run {
			assertThat(it.startupFailure)
				.hasMessageContainingAll("Note has no constructor that Jackson can call", "rowqueue-kotlin")
		}
	}

	@Test
	fun aDataClassIsTaken() {
		application(JsonMapper.builder().addModule(KotlinModule.Builder().build()).build(), Letters()).run {
			assertThat(it.startupFailure).isNull()
		}
	}

	private fun application(
		mapper: JsonMapper,
		handlers: Any,
	) =
		ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(QueueHandlerAutoConfiguration::class.java))
			.withBean(JacksonPayloadCodec::class.java, Supplier { JacksonPayloadCodec(mapper) })
			.withInitializer { it.beanFactory.registerSingleton("handlers", handlers) }

	data class Letter(
		val to: String,
		val text: String,
	)

	class Note private constructor(
		val text: String,
	)

	open class Notes {
		@JobHandler("note")
		open fun send(note: Note) = Unit
	}

	open class Letters {
		@JobHandler("letter")
		open fun send(letter: Letter) = Unit
	}
}
