package io.rowqueue.lab.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

import io.rowqueue.lab.contestant.Contestants;

/** Bars of all throughputs, a group for each workload, as an SVG picture. */
final class Chart {

	private static final List<String> WORKLOADS = List.of("drain", "drain-warm", "enqueue-one", "enqueue-bulk",
			"steady", "backlog", "mixed");

	private static final int WIDTH = 760;

	private static final int LABEL = 150;

	private static final int VALUE = 100;

	private static final int BAR = 16;

	private static final int GAP = 6;

	private static final int HEAD = 34;

	private final Results results;

	private final StringBuilder shapes = new StringBuilder();

	private int y = 10;

	Chart(Results results) {
		this.results = results;
	}

	String svg() {
		WORKLOADS.forEach(this::group);
		return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + WIDTH + " " + (this.y + 10)
				+ "\" font-family=\"sans-serif\" font-size=\"12\">\n<title>Jobs a second</title>\n"
				+ "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" + this.shapes + "</svg>\n";
	}

	private void group(String workload) {
		List<Bar> bars = new ArrayList<>();
		for (String contestant : this.results.contestants(workload)) {
			double[] spread = this.results.spread(workload, contestant, BenchReport.THROUGHPUT);
			if (spread.length > 0) {
				bars.add(new Bar(contestant, spread[0]));
			}
		}
		if (bars.isEmpty()) {
			return;
		}
		bars.sort(Comparator.comparingDouble(Bar::value).reversed());
		this.y += HEAD;
		text(10, "<tspan font-weight=\"bold\">" + workload + "</tspan>, jobs/s", "#222222");
		this.y += GAP;
		bars.forEach((bar) -> draw(bar, bars.get(0).value()));
	}

	private void draw(Bar bar, double max) {
		double width = Math.max(1, (WIDTH - LABEL - VALUE) * bar.value() / max);
		this.y += BAR + GAP;
		this.shapes.append(String.format(Locale.ROOT,
				"<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\" fill=\"%s\"/>%n", LABEL,
				this.y - BAR + 4, width, BAR, color(bar.name())));
		text(10, bar.name(), "#222222");
		text(LABEL + (int) width + 6, BenchReport.number(bar.value()), "#222222");
	}

	private static String color(String name) {
		return name.equals(Contestants.ROWQUEUE) ? "#2563eb" : name.startsWith("limit") ? "#d4d4d4" : "#8b9bb4";
	}

	private void text(int x, String text, String color) {
		this.shapes.append("<text x=\"" + x + "\" y=\"" + this.y + "\" fill=\"" + color + "\">" + text + "</text>\n");
	}

	private record Bar(String name, double value) {

	}

}
