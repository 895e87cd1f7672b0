package io.rowqueue.modulith;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import io.rowqueue.JobHandlers;
import io.rowqueue.JobQueue;
import io.rowqueue.engine.database.ApplicationDataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.transaction.event.TransactionalEventListenerFactory;

/**
 * Makes a job of each {@code @ApplicationModuleListener} method, and registers its
 * handler. Created before any other bean: it looks up what it uses when it is needed.
 */
final class ListenerJobs extends TransactionalEventListenerFactory implements JobHandlers.Registrar {

	/** Before those of Spring Modulith (25) and Spring (50). */
	private static final int ORDER = 10;

	private final List<ListenerJob> jobs = new CopyOnWriteArrayList<>();

	private final ObjectProvider<JobQueue> queue;

	private final Supplier<EventCodec> codec;

	private final ObjectProvider<ApplicationDataSource> dataSource;

	ListenerJobs(ObjectProvider<JobQueue> queue, Supplier<EventCodec> codec,
			ObjectProvider<ApplicationDataSource> dataSource) {
		setOrder(ORDER);
		this.queue = queue;
		this.codec = codec;
		this.dataSource = dataSource;
	}

	@Override
	public boolean supportsMethod(Method method) {
		return AnnotatedElementUtils.hasAnnotation(method, ApplicationModuleListener.class)
				&& method.getParameterCount() == 1
				&& !ApplicationEvent.class.isAssignableFrom(method.getParameterTypes()[0]);
	}

	/** Where the queue is off, the listener works as without it. */
	@Override
	public ApplicationListener<?> createApplicationListener(String beanName, Class<?> type, Method method) {
		if (!this.dataSource.getObject().enabled()) {
			return super.createApplicationListener(beanName, type, method);
		}
		ListenerJob job = new ListenerJob(beanName, type, method, this.queue::getObject, this.codec);
		this.jobs.add(job);
		return job;
	}

	@Override
	public void register(JobHandlers handlers) {
		for (ListenerJob job : this.jobs) {
			handlers.add(job.type(), PublishedEvent.class, (event, context) -> {
				if (event != null) {
					job.run(event);
				}
			});
		}
	}

}
