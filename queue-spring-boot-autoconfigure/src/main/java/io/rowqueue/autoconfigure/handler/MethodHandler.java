package io.rowqueue.autoconfigure.handler;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.UndeclaredThrowableException;
import java.lang.reflect.WildcardType;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import io.rowqueue.CoalescedJob;
import io.rowqueue.HandlerOptions;
import io.rowqueue.JobContext;
import io.rowqueue.PayloadCodec;
import io.rowqueue.engine.handler.Coalescer;
import io.rowqueue.engine.handler.KeptResult;
import io.rowqueue.engine.handler.PendingJob;
import io.rowqueue.engine.handler.RegisteredHandler;
import org.jspecify.annotations.Nullable;
import org.springframework.core.GenericTypeResolver;

/**
 * Runs jobs with a method of a bean. The arguments are created before the bean is looked
 * up, and the return value is ignored unless results are kept.
 */
final class MethodHandler implements RegisteredHandler {

	private final String type;

	private final HandlerMethod method;

	private final HandlerOptions options;

	/** Whether each parameter takes the context and not the payload. */
	private final List<Boolean> contexts;

	private final @Nullable Coalescer coalescer;

	private final @Nullable PayloadParameter parameter;

	private final PayloadCodec codec;

	private final Type resultType;

	private final Supplier<?> bean;

	private final Invocation invocation;

	/**
	 * The call for the latest bean: whether a lazy bean is a proxy is not known before it
	 * exists.
	 */
	private volatile @Nullable Call call;

	MethodHandler(String type, HandlerMethod method, HandlerOptions options, PayloadCodec codec, Supplier<?> bean) {
		method.check();
		if (options.keepResult()) {
			method.checkReturns();
		}
		if (options.transactional()) {
			method.checkTransactional();
		}
		this.type = type;
		this.method = method;
		this.options = options;
		this.coalescer = (options.coalescing() != null) ? coalescer(method, type, codec) : null;
		this.contexts = method.parameters().stream().map(PayloadParameter::isContext).toList();
		this.parameter = (this.coalescer != null) ? null : PayloadParameter.of(method);
		this.codec = codec;
		this.resultType = GenericTypeResolver.resolveType(method.resultType(), method.beanClass());
		this.bean = bean;
		this.invocation = Invocation.of(method);
	}

	/** A method that runs several jobs in one call has a list as its only parameter. */
	private static Coalescer coalescer(HandlerMethod handler, String jobType, PayloadCodec codec) {
		List<Parameter> parameters = handler.parameters();
		if (parameters.size() == 1 && parameters.get(0).getType() == List.class
				&& GenericTypeResolver.resolveType(parameters.get(0).getParameterizedType(),
						handler.beanClass()) instanceof ParameterizedType list) {
			Type element = element(list);
			if (element instanceof ParameterizedType job && job.getRawType() == CoalescedJob.class) {
				return new Coalescer(jobType, job.getActualTypeArguments()[0], false, codec);
			}
			return new Coalescer(jobType, element, true, codec);
		}
		throw handler.refused("has coalesce set, but does not take a list",
				"Declare a single parameter: a List of the payload's class, or of CoalescedJob of it.");
	}

	/** Kotlin compiles lists of what can have subclasses to lists with an upper bound. */
	private static Type element(ParameterizedType list) {
		Type element = list.getActualTypeArguments()[0];
		return (element instanceof WildcardType wildcard) ? wildcard.getUpperBounds()[0] : element;
	}

	@Override
	public String type() {
		return this.type;
	}

	@Override
	public String description() {
		return this.method.description();
	}

	@Override
	public HandlerOptions options() {
		return this.options;
	}

	@Override
	public @Nullable Type payloadType() {
		if (this.coalescer != null) {
			return this.coalescer.payloadType();
		}
		return (this.parameter != null) ? this.parameter.type() : null;
	}

	@Override
	public @Nullable String run(@Nullable String payload, JobContext context) throws Exception {
		PayloadParameter known = this.parameter;
		@Nullable Object[] values = new @Nullable Object[this.contexts.size()];
		for (int i = 0; i < values.length; i++) {
			values[i] = (known == null || this.contexts.get(i)) ? context : known.read(payload, this.codec, this.type);
		}
		Object result = call(values);
		return this.options.keepResult() ? KeptResult.write(result, this.resultType, this.type, this.codec) : null;
	}

	@Override
	public void checkPayload(@Nullable String payload) {
		if (this.coalescer != null) {
			this.coalescer.checkPayload(payload);
		}
		else if (this.parameter != null) {
			this.parameter.read(payload, this.codec, this.type);
		}
	}

	@Override
	public void runTogether(List<PendingJob> jobs) throws Exception {
		List<@Nullable Object> list = Objects.requireNonNull(this.coalescer).read(jobs);
		if (!list.isEmpty()) {
			call(list);
		}
	}

	private @Nullable Object call(@Nullable Object... values) throws Exception {
		Object target = this.bean.get();
		try {
			return this.invocation.invoke(callOn(target.getClass()).method(), target, values);
		}
		catch (InvocationTargetException ex) {
			throw asThrown(ex.getTargetException());
		}
		catch (UndeclaredThrowableException ex) {
			throw asThrown(ex);
		}
	}

	private Call callOn(Class<?> beanClass) {
		Call known = this.call;
		if (known == null || known.beanClass() != beanClass) {
			known = new Call(beanClass, this.method.callableOn(beanClass));
			this.call = known;
		}
		return known;
	}

	/**
	 * Kotlin declares no exceptions, and the proxy of an interface wraps those that its
	 * method does not declare.
	 */
	private static Exception asThrown(Throwable error) {
		Throwable cause = (error instanceof UndeclaredThrowableException) ? error.getCause() : null;
		Throwable thrown = (cause != null) ? cause : error;
		if (thrown instanceof Error fatal) {
			throw fatal;
		}
		return (thrown instanceof Exception exception) ? exception : new UndeclaredThrowableException(thrown);
	}

	@Override
	public String toString() {
		return "'%s': %s".formatted(this.type, description());
	}

	/** The method to call on beans of a class. */
	private record Call(Class<?> beanClass, Method method) {

	}

}
