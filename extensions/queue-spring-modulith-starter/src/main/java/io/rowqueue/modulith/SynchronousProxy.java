package io.rowqueue.modulith;

import java.util.Arrays;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.scheduling.annotation.AsyncAnnotationAdvisor;

/**
 * A proxy with all advice of a bean except {@code @Async}: a job succeeds when its
 * listener has returned, in the thread of the job.
 */
final class SynchronousProxy {

	private SynchronousProxy() {
	}

	static Object of(Object bean) {
		if (!(bean instanceof Advised advised)
				|| Arrays.stream(advised.getAdvisors()).noneMatch(AsyncAnnotationAdvisor.class::isInstance)) {
			return bean;
		}
		ProxyFactory factory = new ProxyFactory();
		factory.setTargetSource(advised.getTargetSource());
		factory.setInterfaces(advised.getProxiedInterfaces());
		factory.setProxyTargetClass(advised.isProxyTargetClass());
		factory.setExposeProxy(advised.isExposeProxy());
		for (Advisor advisor : advised.getAdvisors()) {
			if (!(advisor instanceof AsyncAnnotationAdvisor)) {
				factory.addAdvisor(advisor);
			}
		}
		return factory.getProxy(bean.getClass().getClassLoader());
	}

}
