package io.rowqueue.schedule.autoconfigure;

import java.lang.reflect.Method;
import java.util.Set;

import io.rowqueue.JobHandler;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.handler.HandlerScanListener;
import io.rowqueue.engine.handler.InvalidJobHandlerException;
import io.rowqueue.engine.schedule.DeclaredSchedules;
import io.rowqueue.engine.worker.DeclaredAtStart;
import io.rowqueue.schedule.RecurringJob;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * The recurring jobs that the application declares, in annotations of its handlers and in
 * properties. An invalid one fails the application's start.
 *
 * @since 0.1.0
 */
public final class RecurringJobs implements HandlerScanListener, DeclaredAtStart {

	private final ScheduleDrafts drafts;

	private final Calendars calendars;

	private volatile DeclaredSchedules declared = DeclaredSchedules.NONE;

	RecurringJobs(ScheduleDrafts drafts, Calendars calendars) {
		this.drafts = drafts;
		this.calendars = calendars;
	}

	/** Returns the recurring jobs, which are known when the handlers are. */
	public DeclaredSchedules declared() {
		return this.declared;
	}

	@Override
	public void check(Method method, String description, String type) {
		Set<RecurringJob> recurring = recurring(method);
		if (!recurring.isEmpty() && (type.isEmpty() || (recurring.size() > 1 && !isHandler(method)))) {
			throw new InvalidJobHandlerException(description, "runs recurring jobs of an unknown type",
					"Set the name of its @RecurringJob, which becomes the type, or add @JobHandler(type). Several recurring"
							+ " jobs require @JobHandler.");
		}
	}

	@Override
	public void added(Method method, String description, String type) {
		this.drafts.add(description, type, recurring(method));
	}

	@Override
	public void completed(HandlerRegistry handlers) {
		this.declared = this.drafts.declared(handlers, this.calendars.all());
	}

	/** The maintenance stores them. */
	@Override
	public Set<String> write(HandlerRegistry handlers) {
		return this.declared.labels();
	}

	private static Set<RecurringJob> recurring(Method method) {
		return AnnotatedElementUtils.findMergedRepeatableAnnotations(method, RecurringJob.class,
				RecurringJob.List.class);
	}

	/** Whether it is a handler without its recurring jobs. */
	private static boolean isHandler(Method method) {
		return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)
			.get(JobHandler.class)
			.getMetaTypes()
			.stream()
			.noneMatch((type) -> type == RecurringJob.class || type == RecurringJob.List.class);
	}

}
