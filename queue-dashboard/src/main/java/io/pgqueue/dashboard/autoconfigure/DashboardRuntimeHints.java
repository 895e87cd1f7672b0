package io.pgqueue.dashboard.autoconfigure;

import java.util.Arrays;
import java.util.List;

import io.pgqueue.dashboard.api.ActionBody;
import io.pgqueue.dashboard.api.ActionRoutes;
import io.pgqueue.dashboard.api.Actions;
import io.pgqueue.dashboard.api.Count;
import io.pgqueue.dashboard.api.Text;
import io.pgqueue.dashboard.api.Views;
import io.pgqueue.dashboard.api.figures.ErrorsApi;
import io.pgqueue.dashboard.api.figures.FiguresApi;
import io.pgqueue.dashboard.api.figures.LanesApi;
import io.pgqueue.dashboard.api.figures.Mark;
import io.pgqueue.dashboard.api.figures.Rates;
import io.pgqueue.dashboard.api.figures.VersionsApi;
import io.pgqueue.dashboard.api.health.Finding;
import io.pgqueue.dashboard.api.health.HealthApi;
import io.pgqueue.dashboard.api.health.SessionApi;
import io.pgqueue.dashboard.api.health.ShardsApi;
import io.pgqueue.dashboard.api.job.FlowsApi;
import io.pgqueue.dashboard.api.job.JobAnswers;
import io.pgqueue.dashboard.api.job.JobDetailAnswers;
import io.pgqueue.dashboard.api.job.JobHistoryAnswers;
import io.pgqueue.dashboard.api.job.JobsApi;
import io.pgqueue.dashboard.api.operation.BulkApi;
import io.pgqueue.dashboard.api.operation.OperationsApi;
import io.pgqueue.dashboard.api.queue.Forecast;
import io.pgqueue.dashboard.api.queue.ForecastApi;
import io.pgqueue.dashboard.api.queue.LimitsApi;
import io.pgqueue.dashboard.api.queue.QueuesApi;
import io.pgqueue.dashboard.api.queue.TypesApi;
import io.pgqueue.dashboard.api.queue.WorkersApi;
import io.pgqueue.dashboard.api.schedule.CalendarApi;
import io.pgqueue.dashboard.api.schedule.SchedulesApi;
import io.pgqueue.dashboard.http.Problem;
import io.pgqueue.dashboard.web.Assets;
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
			FlowsApi.class, Forecast.class, ForecastApi.class, HealthApi.class, JobAnswers.class,
			JobDetailAnswers.class, JobHistoryAnswers.class, JobsApi.class, LanesApi.class, LimitsApi.class, Mark.class,
			OperationsApi.class, QueuesApi.class, Rates.class, SchedulesApi.class, SessionApi.class, ShardsApi.class,
			Text.class, TypesApi.class, VersionsApi.class, Views.class, WorkersApi.class, Problem.class);

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
