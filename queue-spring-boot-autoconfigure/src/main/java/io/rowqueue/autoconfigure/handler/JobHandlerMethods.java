package io.rowqueue.autoconfigure.handler;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rowqueue.JobHandler;
import io.rowqueue.schedule.RecurringJob;
import org.jspecify.annotations.Nullable;
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
				|| !AnnotationUtils.isCandidateClass(beanClass, List.of(JobHandler.class, RecurringJob.class))) {
			return Map.of();
		}
		try {
			return MethodIntrospector.selectMethods(beanClass,
					(MethodIntrospector.MetadataLookup<JobHandler>) JobHandlerMethods::handler);
		}
		catch (IllegalStateException | LinkageError ex) {
			// libraries have methods with optional types; such a class is not the
			// application's
			logger.debug("Skipped {}: its methods cannot be read", beanClass, ex);
			return Map.of();
		}
	}

	/** Returns the recurring jobs that the method handles. */
	static Set<RecurringJob> recurring(Method method) {
		return AnnotatedElementUtils.findMergedRepeatableAnnotations(method, RecurringJob.class,
				RecurringJob.List.class);
	}

	/**
	 * A recurring job without {@link JobHandler} declares a handler, too: its name is the
	 * type.
	 */
	private static @Nullable JobHandler handler(Method method) {
		JobHandler handler = AnnotatedElementUtils.findMergedAnnotation(method, JobHandler.class);
		Set<RecurringJob> recurring = (handler == null) ? recurring(method) : Set.of();
		if (recurring.isEmpty()) {
			return handler;
		}
		String type = (recurring.size() == 1) ? recurring.iterator().next().name() : "";
		return AnnotationUtils.synthesizeAnnotation(Map.of("value", type), JobHandler.class, method);
	}

}
