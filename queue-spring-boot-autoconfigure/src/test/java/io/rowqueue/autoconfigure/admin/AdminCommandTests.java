package io.rowqueue.autoconfigure.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;

import io.rowqueue.admin.WorkerSlots;
import io.rowqueue.limit.Limit;
import io.rowqueue.schedule.BackfillRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class AdminCommandTests {

	@Test
	void parametersAreReadAsTheirTypes() {
		assertThat(request("hold", "delay", "10m").delay()).isEqualTo(Duration.ofMinutes(10));
		assertThat(request("hold", "delay", "300").delay()).isEqualTo(Duration.ofMinutes(5));
		assertThat(request("prioritize", "priority", -3).priority()).isEqualTo(-3);
		assertThat(request("weight", "weight", "100").weight()).isEqualTo(100);
		assertThat(request("limit", "limit", "5").limit()).isEqualTo(Limit.concurrency(5));
		assertThat(request("limit", "limit", "1, 100/1m, burst 20, ordered").limit())
			.isEqualTo(Limit.concurrency(1).rate(100, Duration.ofMinutes(1)).burst(20).ordered(true));
		assertThat(request("slots", "slots", "mail=5").slots()).isEqualTo(new WorkerSlots("mail", 5));
		assertThat(request("retry", "step", "load").step()).isEqualTo("load");
		assertThat(request("pause", "reason", "a").reason()).isEqualTo("a");
	}

	@Test
	void theTimesOfABackfillHaveAnOffset() {
		AdminCommand request = request("backfill", "from", "2026-12-01T01:00:00+01:00").with("until",
				"2026-12-02T00:00:00Z");
		Instant from = Instant.parse("2026-12-01T00:00:00Z");
		Instant until = Instant.parse("2026-12-02T00:00:00Z");
		assertThat(request.backfill()).isEqualTo(BackfillRange.missing(from, until));
		assertThat(request.with("again", true).backfill()).isEqualTo(BackfillRange.again(from, until));
		rejects("backfill", "from", "yesterday", AdminCommand::backfill, "from must be a time with an offset");
		rejects("backfill", "from", null, AdminCommand::backfill, "from must be a time with an offset");
	}

	@Test
	void anErrorNamesTheParameterAndWhatItMayBe() {
		rejects("hold", "delay", "soon", AdminCommand::delay, "hold requires a delay such as 10m, of at most");
		rejects("hold", "delay", "-1s", AdminCommand::delay, "hold requires a delay such as 10m, of at most");
		rejects("prioritize", "priority", "40000", AdminCommand::priority, "a priority from -32768 to 32767");
		rejects("weight", "weight", null, AdminCommand::weight, "weight requires a weight from 1 to 100");
		rejects("slots", "slots", "many", AdminCommand::slots, "slots must be a number from 1 to 10000");
		rejects("limit", "limit", "two", AdminCommand::limit, "two");
		rejects("limit", "limit", "2, ordered", AdminCommand::limit, "ordered requires a concurrency of 1");
		rejects("limit", "limit", "2, burst 5", AdminCommand::limit, "burst requires a rate");
		rejects("limit", "limit", "5/s, burst many", AdminCommand::limit, "'many'");
		rejects("pause", "reason", "x".repeat(501), AdminCommand::reason, "reason must have at most 500");
	}

	@Test
	void aParameterOfAnotherActionIsRejected() {
		rejects("cancel", "delay", "1s", AdminCommand::check, "delay can only be used with reschedule or hold");
		rejects("pause", "from", "x", AdminCommand::check, "from can only be used with backfill");
		rejects("resume", "reason", "x", AdminCommand::check, "reason can only be used with pause or hold");
		rejects("cancel", "priority", 1, AdminCommand::change, "priority can only be used with prioritize");
		request("retry", "step", "load").check();
		AdminCommand.of("errors", "1", "resolve").with("reason", "a note").check();
	}

	@Test
	void theRecordContainsTheParametersAsTheyWereGiven() {
		AdminCommand request = request("hold", "delay", "10m").with("reason", "429").with("step", null);
		assertThat(request.operation(Caller.UNKNOWN, "endpoint").parameters()).isEqualTo(Map.of("delay", "10m"));
		assertThat(request.operation(Caller.UNKNOWN, "endpoint").reason()).isEqualTo("429");
	}

	private static AdminCommand request(String action, String parameter, @Nullable Object value) {
		return AdminCommand.of("jobs", "7", action).with(parameter, value);
	}

	private static void rejects(String action, String parameter, @Nullable Object value, Consumer<AdminCommand> read,
			String message) {
		assertThatExceptionOfType(InvalidCommandException.class)
			.isThrownBy(() -> read.accept(request(action, parameter, value)))
			.withMessageContaining(message);
	}

}
