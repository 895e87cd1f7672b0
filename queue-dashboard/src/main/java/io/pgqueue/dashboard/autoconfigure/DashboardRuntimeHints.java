package io.pgqueue.dashboard.autoconfigure;

import java.util.Arrays;
import java.util.List;

import io.pgqueue.dashboard.api.ActionBody;
import io.pgqueue.dashboard.api.ActionRoutes;
import io.pgqueue.dashboard.api.CalendarApi;
import io.pgqueue.dashboard.api.ErrorsApi;
import io.pgqueue.dashboard.api.FiguresApi;
import io.pgqueue.dashboard.api.Forecast;
import io.pgqueue.dashboard.api.ForecastApi;
import io.pgqueue.dashboard.api.LanesApi;
import io.pgqueue.dashboard.api.Mark;
import io.pgqueue.dashboard.api.Rates;
import io.pgqueue.dashboard.api.VersionsApi;
import io.pgqueue.dashboard.api.Actions;
import io.pgqueue.dashboard.api.BulkApi;
import io.pgqueue.dashboard.api.Count;
import io.pgqueue.dashboard.api.Finding;
import io.pgqueue.dashboard.api.FlowsApi;
import io.pgqueue.dashboard.api.HealthApi;
import io.pgqueue.dashboard.api.JobAnswers;
import io.pgqueue.dashboard.api.JobsApi;
import io.pgqueue.dashboard.api.LimitsApi;
import io.pgqueue.dashboard.api.OperationsApi;
import io.pgqueue.dashboard.api.QueuesApi;
import io.pgqueue.dashboard.api.SchedulesApi;
import io.pgqueue.dashboard.api.SessionApi;
import io.pgqueue.dashboard.api.ShardsApi;
import io.pgqueue.dashboard.api.Text;
import io.pgqueue.dashboard.api.TypesApi;
import io.pgqueue.dashboard.api.Views;
import io.pgqueue.dashboard.api.WorkersApi;
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
			FlowsApi.class, Forecast.class, ForecastApi.class, HealthApi.class, JobAnswers.class, JobsApi.class,
			LanesApi.class, LimitsApi.class, Mark.class, OperationsApi.class, QueuesApi.class, Rates.class,
			SchedulesApi.class, SessionApi.class, ShardsApi.class, Text.class, TypesApi.class, VersionsApi.class,
			Views.class, WorkersApi.class, Problem.class);

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
