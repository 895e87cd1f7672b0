package io.rowqueue.test.autoconfigure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.rowqueue.JobHandler;
import io.rowqueue.JobHandlers;
import io.rowqueue.PayloadCodec;
import io.rowqueue.RetryPolicy;
import io.rowqueue.schedule.RecurringJob;
import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;

/** Excludes components that are unrelated to handlers, for {@link QueueTest}. */
class QueueTypeExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<QueueTest> {

	private static final Set<Class<?>> TYPES = Set.of(JobHandlers.Registrar.class, RetryPolicy.class,
			PayloadCodec.class);

	private static final Set<String> HANDLERS = Set.of(JobHandler.class.getName(), RecurringJob.class.getName(),
			RecurringJob.List.class.getName());

	private final Set<Class<?>> handlers;

	QueueTypeExcludeFilter(Class<?> testClass) {
		super(testClass);
		this.handlers = Set.of(getAnnotation().getValue("handlers", Class[].class).orElse(new Class<?>[0]));
	}

	@Override
	protected Set<Class<?>> getKnownIncludes() {
		return TYPES;
	}

	@Override
	protected Set<Class<?>> getComponentIncludes() {
		return this.handlers;
	}

	@Override
	protected boolean defaultInclude(MetadataReader reader, MetadataReaderFactory factory) throws IOException {
		if (super.defaultInclude(reader, factory)) {
			return true;
		}
		return this.handlers.isEmpty() && hasHandlers(reader, factory);
	}

	private static boolean hasHandlers(MetadataReader reader, MetadataReaderFactory factory) throws IOException {
		AnnotationMetadata type = reader.getAnnotationMetadata();
		if (HANDLERS.stream().anyMatch(type::hasAnnotatedMethods)) {
			return true;
		}
		for (String supertype : supertypes(type)) {
			if (!supertype.startsWith("java.") && hasHandlers(factory.getMetadataReader(supertype), factory)) {
				return true;
			}
		}
		return false;
	}

	private static List<String> supertypes(AnnotationMetadata type) {
		List<String> supertypes = new ArrayList<>(List.of(type.getInterfaceNames()));
		String superclass = type.getSuperClassName();
		if (superclass != null) {
			supertypes.add(superclass);
		}
		return supertypes;
	}

}
