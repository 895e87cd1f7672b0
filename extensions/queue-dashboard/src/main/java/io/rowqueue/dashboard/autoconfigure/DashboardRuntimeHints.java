package io.rowqueue.dashboard.autoconfigure;

import java.util.Arrays;
import java.util.List;

import io.rowqueue.dashboard.api.ActionBody;
import io.rowqueue.dashboard.api.ActionRoutes;
import io.rowqueue.dashboard.api.Actions;
import io.rowqueue.dashboard.api.Count;
import io.rowqueue.dashboard.api.Text;
import io.rowqueue.dashboard.api.Views;
import io.rowqueue.dashboard.api.figures.ErrorsApi;
import io.rowqueue.dashboard.api.figures.FiguresApi;
import io.rowqueue.dashboard.api.figures.LanesApi;
import io.rowqueue.dashboard.api.figures.Mark;
import io.rowqueue.dashboard.api.figures.Rates;
import io.rowqueue.dashboard.api.figures.VersionsApi;
import io.rowqueue.dashboard.api.health.Finding;
import io.rowqueue.dashboard.api.health.HealthApi;
import io.rowqueue.dashboard.api.health.SessionApi;
import io.rowqueue.dashboard.api.health.ShardsApi;
import io.rowqueue.dashboard.api.job.FlowsApi;
import io.rowqueue.dashboard.api.job.JobAnswers;
import io.rowqueue.dashboard.api.job.JobDetailAnswers;
import io.rowqueue.dashboard.api.job.JobHistoryAnswers;
import io.rowqueue.dashboard.api.job.JobSummaries;
import io.rowqueue.dashboard.api.job.JobsApi;
import io.rowqueue.dashboard.api.operation.BulkApi;
import io.rowqueue.dashboard.api.operation.OperationsApi;
import io.rowqueue.dashboard.api.queue.LimitsApi;
import io.rowqueue.dashboard.api.queue.QueuesApi;
import io.rowqueue.dashboard.api.queue.TypesApi;
import io.rowqueue.dashboard.api.queue.WorkersApi;
import io.rowqueue.dashboard.api.schedule.CalendarApi;
import io.rowqueue.dashboard.api.schedule.SchedulesApi;
import io.rowqueue.dashboard.http.Problem;
import io.rowqueue.dashboard.web.Assets;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * What a native image has to keep: the files of the pages, and the records of the API.
 */
class DashboardRuntimeHints implements RuntimeHintsRegistrar {

	private static final List<Class<?>> API = List.of(ActionBody.class, ActionRoutes.class, Actions.class,
			BulkApi.class, CalendarApi.class, Count.class, ErrorsApi.class, FiguresApi.class, Finding.class,
			FlowsApi.class, HealthApi.class, JobAnswers.class, JobDetailAnswers.class, JobHistoryAnswers.class,
			JobSummaries.class, JobsApi.class, LanesApi.class, LimitsApi.class, Mark.class, OperationsApi.class,
			QueuesApi.class, Rates.class, SchedulesApi.class, SessionApi.class, ShardsApi.class, Text.class,
			TypesApi.class, VersionsApi.class, Views.class, WorkersApi.class, Problem.class);

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern(Assets.FOLDER + "**");
		records()
			.forEach((type) -> new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(), type));
	}

	/** The records in the classes of the API. */
	static List<Class<?>> records() {
		return API.stream().<Class<?>>mapMulti((type, records) -> {
			records.accept(type);
			Arrays.stream(type.getDeclaredClasses()).forEach(records);
		}).filter(Class::isRecord).toList();
	}

}
