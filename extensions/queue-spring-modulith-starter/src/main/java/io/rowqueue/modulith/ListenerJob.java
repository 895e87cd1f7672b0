package io.rowqueue.modulith;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.event.ApplicationListenerMethodAdapter;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.modulith.events.core.ConditionalEventListener;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * A listener whose events are jobs: publishing an event enqueues one in the publisher's
 * transaction, and the job calls the method.
 */
final class ListenerJob extends ApplicationListenerMethodAdapter {

	private final Supplier<JobQueue> queue;

	private final Supplier<EventCodec> codec;

	private final String type;

	private final Class<?> accepted;

	private final @Nullable Expression key;

	ListenerJob(String beanName, Class<?> targetClass, Method method, Supplier<JobQueue> queue,
			Supplier<EventCodec> codec) {
		super(beanName, targetClass, method);
		this.queue = queue;
		this.codec = codec;
		this.accepted = method.getParameterTypes()[0];
		EventListener listener = AnnotatedElementUtils.findMergedAnnotation(method, EventListener.class);
		this.type = (listener != null && StringUtils.hasText(listener.id())) ? listener.id()
				: "%s.%s(%s)".formatted(beanName, method.getName(), this.accepted.getSimpleName());
		OrderedBy orderedBy = AnnotatedElementUtils.findMergedAnnotation(method, OrderedBy.class);
		this.key = (orderedBy != null) ? new SpelExpressionParser().parseExpression(orderedBy.value()) : null;
	}

	String type() {
		return this.type;
	}

	/** At once, in the publisher's transaction: Spring would wait for its commit. */
	@Override
	public void onApplicationEvent(ApplicationEvent event) {
		processEvent(event);
	}

	/** Enqueues instead of calling the method; the condition of the listener holds. */
	@Override
	protected @Nullable Object doInvoke(@Nullable Object... args) {
		Object event = args[0];
		if (event != null
				&& (!(getTargetBean() instanceof ConditionalEventListener listener) || listener.supports(event))) {
			JobRequest request = JobRequest.of(this.type, this.codec.get().write(event, this.type));
			Object value = (this.key != null) ? this.key.getValue(event) : null;
			this.queue.get()
				.enqueue((value != null) ? EventOrder.apply(request, this.type, value.toString()) : request);
		}
		return null;
	}

	/**
	 * Calls the method, and waits for a future that it returns.
	 * @param published the event
	 * @throws Exception what the method threw
	 */
	void run(PublishedEvent published) throws Exception {
		Object event = this.codec.get().read(published, this.accepted, this.type);
		Object bean = SynchronousProxy.of(getTargetBean());
		Method method = AopUtils.selectInvocableMethod(getTargetMethod(), bean.getClass());
		ReflectionUtils.makeAccessible(method);
		try {
			if (method.invoke(bean, event) instanceof CompletionStage<?> stage) {
				stage.toCompletableFuture().get();
			}
		}
		catch (InvocationTargetException | ExecutionException ex) {
			ReflectionUtils.rethrowException((ex.getCause() != null) ? ex.getCause() : ex);
		}
	}

}
