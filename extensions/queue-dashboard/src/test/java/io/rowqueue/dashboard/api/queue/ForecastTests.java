package io.rowqueue.dashboard.api.queue;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** When a queue is empty, if everything goes on as it did. */
class ForecastTests {

	@ParameterizedTest
	@CsvSource(nullValues = "-", textBlock = """
			# waiting, arrivals, run ms, slots, concurrency, rate, kind, minutes
			0,         0,        100,    10,    -,           -,    idle,    0
			0,         60,       1000,   10,    -,           -,    idle,    0
			6000,      0,        1000,   10,    -,           -,    drains,  10
			6000,      300,      1000,   10,    -,           -,    drains,  20
			6000,      600,      1000,   10,    -,           -,    steady,  -
			6000,      900,      1000,   10,    -,           -,    grows,   -
			6000,      0,        1000,   10,    5,           -,    drains,  20
			6000,      0,        1000,   10,    -,           100,  drains,  60
			6000,      0,        1000,   0,     -,           -,    stopped, -
			6000,      0,        -1,     10,    -,           -,    stopped, -
			""")
	void followsFromArrivalsAndCapacity(double waiting, double arrivals, double run, int slots,
			@Nullable Integer concurrency, @Nullable Double rate, String kind, @Nullable Long minutes) {
		Forecast forecast = Forecast
			.of(new Forecast.Given(waiting, arrivals, run, slots, concurrency, rate, List.of(), (minute) -> true));
		assertThat(forecast.kind()).isEqualTo(kind);
		assertThat(forecast.minutes()).isEqualTo(minutes);
	}

	@Test
	void whatWasSeenCountsMoreThanWhatTheSlotsAllow() {
		Forecast forecast = Forecast.of(given(1000, 0, List.of(50.0, 100.0, 200.0), 0));
		assertThat(forecast.minutes()).isEqualTo(10);
		assertThat(forecast.earliest()).isEqualTo(5);
		assertThat(forecast.latest()).isEqualTo(20);
	}

	@Test
	void nothingRunsWhileAWindowIsClosed() {
		Forecast forecast = Forecast.of(given(1000, 0, List.of(100.0), 60));
		assertThat(forecast.minutes()).isEqualTo(70);
		assertThat(forecast.backlog().get(0)).isEqualTo(1000);
	}

	@Test
	void jobsHaveStartedWhenThoseBeforeThemHave() {
		assertThat(Forecast.minutesUntilStarted(given(1000, 500, List.of(100.0), 0), 400)).isEqualTo(4);
		assertThat(Forecast.minutesUntilStarted(given(1000, 500, List.of(100.0), 60), 1000)).isEqualTo(70);
		assertThat(Forecast.minutesUntilStarted(given(1000, 0, List.of(0.0), 0), 1)).isNull();
	}

	@Test
	void whatGrowsSaysHowManySlotsAreNeeded() {
		Forecast forecast = Forecast.of(new Forecast.Given(10, 900, 2000, 10, null, null, List.of(), (minute) -> true));
		assertThat(forecast.kind()).isEqualTo("grows");
		assertThat(forecast.neededSlots()).isEqualTo(30);
		assertThat(forecast.backlog().get(forecast.backlog().size() - 1)).isGreaterThan(10);
	}

	private static Forecast.Given given(double waiting, double arrivals, List<Double> seen, long closedMinutes) {
		return new Forecast.Given(waiting, arrivals, 1000, 10, null, null, seen, (minute) -> minute >= closedMinutes);
	}

}
