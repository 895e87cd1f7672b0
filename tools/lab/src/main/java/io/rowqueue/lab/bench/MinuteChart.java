package io.rowqueue.lab.bench;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.rowqueue.lab.contestant.Contestants;

/**
 * What a workload did minute by minute, as an SVG picture: jobs a second, and below it
 * the median of the latencies on a logarithmic scale, a line for each contestant.
 */
final class MinuteChart {

	private static final List<String> COLORS = List.of("#d97706", "#6b7280", "#7c3aed", "#059669");

	private static final int WIDTH = 760;

	private static final int LEFT = 70;

	private static final int RIGHT = 130;

	private static final int HEIGHT = 170;

	private static final int HEAD = 44;

	private final Results results;

	private final String workload;

	private final StringBuilder shapes = new StringBuilder();

	MinuteChart(Results results, String workload) {
		this.results = results;
		this.workload = workload;
	}

	String svg() {
		panel("jobs a second", "jobs_per_s_by_minute", HEAD, false);
		panel("commit to handler, median in ms", "p50_ms_by_minute", HEAD + HEIGHT + 2 * HEAD, true);
		return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + WIDTH + " " + (2 * HEIGHT + 4 * HEAD)
				+ "\" font-family=\"sans-serif\" font-size=\"12\">\n<title>" + this.workload + ", minute by minute"
				+ "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" + this.shapes + "</svg>\n";
	}

	private void panel(String title, String metric, int top, boolean logarithmic) {
		Map<String, double[]> lines = new LinkedHashMap<>();
		for (String contestant : this.results.contestants(this.workload)) {
			List<String> runs = this.results.values(this.workload, contestant, metric);
			if (!runs.isEmpty()) { // the latest run
				lines.put(contestant,
						Arrays.stream(runs.get(runs.size() - 1).split(";")).mapToDouble(Double::parseDouble).toArray());
			}
		}
		double most = lines.values().stream().flatMapToDouble(Arrays::stream).filter(Double::isFinite).max().orElse(1);
		double least = lines.values().stream().flatMapToDouble(Arrays::stream).filter((ms) -> ms > 0).min().orElse(1);
		Scale scale = logarithmic ? Scale.logarithmic(least, most) : Scale.linear(most);
		int minutes = lines.values().stream().mapToInt((line) -> line.length).max().orElse(1);
		text(LEFT, top - 14, "<tspan font-weight=\"bold\">" + title + "</tspan>", "#222222");
		for (double mark : scale.marks()) {
			int y = top + HEIGHT - (int) (HEIGHT * scale.share(mark));
			this.shapes.append("<path d=\"M" + LEFT + " " + y + "H" + (WIDTH - RIGHT) + "\" stroke=\"#e5e7eb\"/>\n");
			text(8, y + 4,
					(mark < 1 && mark > 0) ? BenchReport.number(mark) : String.format(Locale.ROOT, "%,.0f", mark),
					"#6b7280");
		}
		text(WIDTH - RIGHT - 60, top + HEIGHT + 16, minutes + " min", "#6b7280");
		int color = 0;
		int label = top + 10;
		for (Map.Entry<String, double[]> line : lines.entrySet()) {
			String stroke = line.getKey().equals(Contestants.ROWQUEUE) ? "#2563eb"
					: COLORS.get(color++ % COLORS.size());
			this.shapes.append("<path fill=\"none\" stroke=\"" + stroke + "\" stroke-width=\"2\" d=\""
					+ path(line.getValue(), minutes, top, scale) + "\"/>\n");
			text(WIDTH - RIGHT + 10, label, line.getKey(), stroke);
			label += 18;
		}
	}

	/** A minute without a value is a gap. */
	private static String path(double[] values, int minutes, int top, Scale scale) {
		StringBuilder path = new StringBuilder();
		boolean gap = true;
		for (int minute = 0; minute < values.length; minute++) {
			if (!Double.isFinite(values[minute])) {
				gap = true;
				continue;
			}
			path.append(String.format(Locale.ROOT, "%s%.1f %.1f", gap ? "M" : "L",
					LEFT + (double) (WIDTH - LEFT - RIGHT) * minute / Math.max(1, minutes - 1),
					top + HEIGHT * (1 - scale.share(values[minute]))));
			gap = false;
		}
		return path.toString();
	}

	private void text(int x, int y, String text, String color) {
		this.shapes.append("<text x=\"" + x + "\" y=\"" + y + "\" fill=\"" + color + "\">" + text + "</text>\n");
	}

	/**
	 * Where a value stands between the bottom and the top.
	 *
	 * @param least the value at the bottom
	 * @param most the value at the top
	 * @param isLogarithmic whether equal distances are equal ratios
	 */
	private record Scale(double least, double most, boolean isLogarithmic) {

		static Scale linear(double most) {
			return new Scale(0, 1.1 * most, false);
		}

		/** Whole powers of ten around the values. */
		static Scale logarithmic(double least, double most) {
			double bottom = Math.floor(Math.log10(least));
			return new Scale(Math.pow(10, bottom), Math.pow(10, Math.max(bottom + 1, Math.ceil(Math.log10(most)))),
					true);
		}

		double share(double value) {
			if (this.isLogarithmic) {
				return Math.log10(Math.max(value, this.least) / this.least) / Math.log10(this.most / this.least);
			}
			return value / this.most;
		}

		double[] marks() {
			if (!this.isLogarithmic) {
				return new double[] { 0, this.most / 2.2, this.most / 1.1 };
			}
			int powers = (int) Math.round(Math.log10(this.most / this.least));
			double[] marks = new double[powers + 1];
			Arrays.setAll(marks, (power) -> this.least * Math.pow(10, power));
			return marks;
		}

	}

}
