package io.rowqueue.kotlin

import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.aop.support.AopUtils
import org.springframework.test.context.TestPropertySource

/** A proxy that implements the interfaces of the bean only. */
@TestPropertySource(properties = ["spring.aop.proxy-target-class=false"])
class InterfaceProxiesTests : ProxiedHandlersContract() {
	@Test
	fun theBeanImplementsItsInterfacesOnly() {
		assertThat(AopUtils.isJdkDynamicProxy(mails)).isTrue()
	}
}
