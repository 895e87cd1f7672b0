package io.rowqueue.monitoring.autoconfigure.measurement;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.rowqueue.JobHandlers;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.engine.measure.Figure;
import io.rowqueue.engine.measure.Measurement;
import io.rowqueue.engine.measure.MeasurementStore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** A mistyped type is seen in the log on the first day. */
@ExtendWith(OutputCaptureExtension.class)
class UnhandledTypesTests {

	private static final Figure WORKER = new Figure(Figure.WORKERS, null, null, 1, null);

	private static final String WARNING = "No live worker has both a handler for the type 'order-mial' and slots for"
			+ " the queue 'default': its first job has been due for";

	private static final String OVER = "Due jobs of the type 'order-mial' in the queue 'default' no longer wait for a worker";

	private final UnhandledTypes types = new UnhandledTypes();

	@Test
	void aTypeThatNoWorkerHandlesIsReported(CapturedOutput output) {
		Applications.on(new TestDatabase())
			.withPropertyValues("rowqueue.measurement.interval=100ms")
			.withBean(JobHandlers.Registrar.class,
					() -> (handlers) -> handlers.add("order-mail", String.class, (payload, job) -> {
					}))
			.run((context) -> {
				context.getBean(JobQueue.class).enqueue(JobRequest.of("order-mial"));
				Awaitility.await().until(() -> output.getOut().contains(WARNING));
				assertThat(output).doesNotContain("the type 'order-mail'");
			});
	}

	@Test
	void anUnhandledTypeIsReportedOnceAndWhenItIsHandled(CapturedOutput output) {
		show("order-mial");
		assertThat(output).as("an ordinary moment of a start").doesNotContain("order-mial");
		show("order-mial");
		show("order-mial");
		assertThat(output.getOut().split(WARNING)).as("one warning").hasSize(2);
		assertThat(output).doesNotContain(OVER);
		show();
		show();
		assertThat(output.getOut().split(OVER)).as("one line").hasSize(2);
		show("order-mial");
		show("order-mial");
		assertThat(output.getOut().split(WARNING)).as("it has begun again").hasSize(3);
	}

	@Test
	void whatLastsOnlyAMomentIsNotReported(CapturedOutput output) {
		show("order-mial");
		show();
		show("order-mial");
		show();
		assertThat(output).doesNotContain("order-mial");
	}

	/** No more are named than these: others may have taken its place. */
	@Test
	void whatIsNotNamedAnyMoreMayStillWait(CapturedOutput output) {
		show("order-mial");
		show("order-mial");
		String[] many = new String[MeasurementStore.MAX_UNHANDLED_TYPES];
		java.util.Arrays.setAll(many, (index) -> "type-" + index);
		show(many);
		assertThat(output).doesNotContain(OVER);
	}

	@Test
	void aMissingWorkerIsAnotherProblem(CapturedOutput output) {
		for (int i = 0; i < 3; i++) {
			this.types.show(new Measurement(Duration.ZERO, List.of(unhandled("order-mial"))));
		}
		assertThat(output).doesNotContain("order-mial");
	}

	@Test
	void aHostileNameStaysInItsLine(CapturedOutput output) {
		show("a\nb\u009bc");
		show("a\nb\u009bc");
		assertThat(output).contains("the type 'a b c' and");
	}

	private void show(String... unhandled) {
		List<Figure> figures = new ArrayList<>(List.of(WORKER));
		for (String type : unhandled) {
			figures.add(unhandled(type));
		}
		this.types.show(new Measurement(Duration.ZERO, figures));
	}

	private static Figure unhandled(String type) {
		return new Figure(Figure.UNHANDLED, "default", type, 12, null);
	}

}
