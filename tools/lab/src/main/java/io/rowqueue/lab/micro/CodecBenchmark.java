package io.rowqueue.lab.micro;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.rowqueue.PayloadCodec;
import io.rowqueue.engine.codec.JacksonPayloadCodec;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import tools.jackson.databind.json.JsonMapper;

/** A payload to JSON and back: once each for a job. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CodecBenchmark {

	/** Lines of the order: about 60, 600 and 6,000 bytes. */
	@Param({ "1", "15", "150" })
	public int lines;

	private final PayloadCodec codec = new JacksonPayloadCodec(JsonMapper.builder().build());

	private Order order = new Order("", List.of());

	private String json = "";

	/** Makes the payload. */
	@Setup
	public void prepare() {
		this.order = new Order("ada@example.org",
				IntStream.range(0, this.lines).mapToObj((line) -> new Line(line, "article " + line)).toList());
		this.json = String.valueOf(write());
	}

	/** As an enqueue does. */
	@Benchmark
	public @Nullable String write() {
		return this.codec.write(this.order, "order");
	}

	/** As a handler's slot does. */
	@Benchmark
	public @Nullable Object read() {
		return this.codec.read(this.json, Order.class, "order");
	}

	/**
	 * A payload.
	 *
	 * @param to who gets it
	 * @param lines what
	 */
	public record Order(String to, List<Line> lines) {

	}

	/**
	 * A line of it.
	 *
	 * @param count how many
	 * @param article of what
	 */
	public record Line(int count, String article) {

	}

}
