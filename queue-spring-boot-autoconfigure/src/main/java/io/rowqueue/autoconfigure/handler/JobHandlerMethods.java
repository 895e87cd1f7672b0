package io.rowqueue.autoconfigure.handler;

import java.lang.reflect.Method;
import java.util.Map;

import io.rowqueue.JobHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/** Finds the annotated methods of a class. */
final class JobHandlerMethods {

	private static final Logger logger = LoggerFactory.getLogger(JobHandlerMethods.class);

	private JobHandlerMethods() {
	}

	/**
	 * Returns the methods that are annotated directly, with a composed annotation, or
	 * through a method that they override or implement.
	 */
	static Map<Method, JobHandler> of(Class<?> beanClass) {
		if (AopInfrastructureBean.class.isAssignableFrom(beanClass)
				|| !AnnotationUtils.isCandidateClass(beanClass, JobHandler.class)) {
			return Map.of();
		}
		try {
			return MethodIntrospector.selectMethods(beanClass,
					(MethodIntrospector.MetadataLookup<JobHandler>) (method) -> AnnotatedElementUtils
						.findMergedAnnotation(method, JobHandler.class));
		}
		catch (IllegalStateException | LinkageError ex) {
			// libraries have methods with optional types; such a class is not the
			// application's
			logger.debug("Skipped {}: its methods cannot be read", beanClass, ex);
			return Map.of();
		}
	}

}
