package io.rowqueue.kotlin

import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.aop.support.AopUtils
import org.springframework.test.context.TestPropertySource

/** A proxy that is a subclass of the bean, the default of Spring Boot. */
@TestPropertySource(properties = ["spring.aop.proxy-target-class=true"])
class ClassProxiesTests : ProxiedHandlersContract() {
	@Test
	fun theBeanIsASubclass() {
		assertThat(AopUtils.isCglibProxy(mails)).isTrue()
	}
}
