package io.rowqueue.bakery

import org.springframework.boot.test.context.TestConfiguration
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Primary

/** The services of others, in memory. */
@TestConfiguration(proxyBeanMethods = false)
class Services {
	val mails = mutableListOf<String>()

	var failures = 0

	@Bean
	@Primary
	fun mailer() = Mailer { to, text, _ -> mails += "$to: $text" }

	@Bean
	@Primary
	fun payments() =
		Payments { price, _ ->
			check(failures-- <= 0) { "The payment service is down" }
			"${price.euros} euros"
		}
}
