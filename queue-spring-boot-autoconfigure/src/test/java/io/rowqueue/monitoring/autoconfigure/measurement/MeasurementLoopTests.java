package io.rowqueue.monitoring.autoconfigure.measurement;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.rowqueue.engine.measure.Measurements;
import io.rowqueue.engine.support.Outage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.timeout;

/** The loop that measures the queue. */
class MeasurementLoopTests {

	/** An application that ends soon, as those of tests do, is not measured. */
	@Test
	void theFirstMeasurementComesAfterAnIntervalOrWhenSomebodyAsks() throws InterruptedException {
		CountDownLatch looked = new CountDownLatch(1);
		Measurements measurements = mock();
		given(measurements.interval()).willReturn(Duration.ofHours(1));
		given(measurements.isRequested()).willAnswer((call) -> {
			looked.countDown();
			return false;
		});
		MeasurementLoop loop = new MeasurementLoop(measurements, new Outage(), List.of(), true);
		loop.start();
		looked.await();
		then(measurements).should(never()).refresh();

		ArgumentCaptor<Runnable> request = ArgumentCaptor.captor();
		then(measurements).should().onRequest(request.capture());
		request.getValue().run();
		then(measurements).should(timeout(60_000)).refresh();
		loop.stop();
	}

	/** The pool is closed afterwards. */
	@Test
	void aStopWaitsForTheMeasurementThatIsUnderWay() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		Measurements measurements = mock();
		given(measurements.interval()).willReturn(Duration.ofSeconds(1));
		given(measurements.isRequested()).willReturn(true);
		willAnswer((call) -> {
			begun.countDown();
			end.await();
			return null;
		}).given(measurements).refresh();
		MeasurementLoop loop = new MeasurementLoop(measurements, new Outage(), List.of(), true);
		loop.start();
		begun.await();
		Thread stopping = new Thread(loop::stop, "stopping");
		stopping.start();
		Awaitility.await().until(() -> stopping.getState() == Thread.State.TIMED_WAITING);
		end.countDown();
		stopping.join();
		assertThat(loop.isRunning()).isFalse();
	}

}
