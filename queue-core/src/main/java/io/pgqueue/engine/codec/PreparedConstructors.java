package io.pgqueue.engine.codec;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;

import tools.jackson.core.Version;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.ValueInstantiators;
import tools.jackson.databind.deser.std.StdValueInstantiator;
import tools.jackson.databind.introspect.AnnotatedConstructor;

/**
 * Lets Jackson call constructors with properties, such as those of records, through
 * method handles that are adapted to an array of arguments once. Jackson 3.1 adapts the
 * handle for each call ({@code AnnotatedConstructor.call}), which costs more than the
 * rest of reading a small payload.
 */
final class PreparedConstructors extends JacksonModule {

	@Override
	public String getModuleName() {
		return PreparedConstructors.class.getName();
	}

	@Override
	public Version version() {
		return Version.unknownVersion();
	}

	@Override
	public void setupModule(SetupContext context) {
		context.addValueInstantiators(new Prepare());
	}

	private static final class Prepare extends ValueInstantiators.Base {

		@Override
		public ValueInstantiator modifyValueInstantiator(DeserializationConfig config,
				BeanDescription.Supplier description, ValueInstantiator instantiator) {
			// the instantiator of another module takes precedence
			return (instantiator.getClass() == StdValueInstantiator.class
					&& instantiator.getWithArgsCreator() instanceof AnnotatedConstructor creator)
							? prepared(config, (StdValueInstantiator) instantiator, creator) : instantiator;
		}

		private static ValueInstantiator prepared(DeserializationConfig config, StdValueInstantiator instantiator,
				AnnotatedConstructor creator) {
			if (config.canOverrideAccessModifiers()) {
				creator.fixAccess(config.isEnabled(MapperFeature.OVERRIDE_PUBLIC_ACCESS_MODIFIERS));
			}
			Constructor<?> constructor = creator.getAnnotated();
			try {
				return new Prepared(instantiator, MethodHandles.lookup().unreflectConstructor(constructor));
			}
			catch (IllegalAccessException ex) {
				return instantiator; // it may use other means, or reports the problem
			}
		}

	}

	private static final class Prepared extends StdValueInstantiator {

		private final MethodHandle constructor;

		Prepared(StdValueInstantiator instantiator, MethodHandle constructor) {
			super(instantiator);
			this.constructor = constructor.asFixedArity()
				.asSpreader(Object[].class, constructor.type().parameterCount())
				.asType(MethodType.methodType(Object.class, Object[].class));
		}

		@Override
		public Object createFromObjectWith(DeserializationContext context, Object[] arguments) {
			try {
				return (Object) this.constructor.invokeExact(arguments);
			}
			catch (Error ex) {
				throw ex;
			}
			catch (Throwable ex) {
				return context.handleInstantiationProblem(getValueClass(), arguments, rewrapCtorProblem(context, ex));
			}
		}

	}

}
