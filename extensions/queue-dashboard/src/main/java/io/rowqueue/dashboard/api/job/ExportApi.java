package io.rowqueue.dashboard.api.job;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rowqueue.admin.JobPage;
import io.rowqueue.admin.WorkerView;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.dashboard.api.Maskers;
import io.rowqueue.dashboard.api.QueueReaders;
import io.rowqueue.dashboard.api.Reads;
import io.rowqueue.dashboard.api.Resource;
import io.rowqueue.dashboard.api.SearchQuota;
import io.rowqueue.dashboard.api.job.JobAnswers.Job;
import io.rowqueue.dashboard.http.ApiCall;
import io.rowqueue.dashboard.http.DashboardResponse;
import io.rowqueue.dashboard.http.Problem;
import io.rowqueue.dashboard.http.Route;
import io.rowqueue.dashboard.http.StreamedContent;
import io.rowqueue.masking.TextMasker;

/**
 * The jobs of a filter as a file. A page is in memory at a time, no connection is held
 * while it is sent, and the export ends when the client has closed its connection.
 */
public final class ExportApi implements Resource {

	private static final int PAGE = 200;

	private final Reads reads;

	private final QueueReaders readers;

	private final Maskers maskers;

	private final SearchQuota quota;

	private final ExportSlots slots = new ExportSlots(System::nanoTime);

	/**
	 * Creates the resource.
	 * @param reads reads in a transaction
	 * @param readers reads jobs
	 * @param maskers decides what is shown
	 * @param quota bounds how many a caller starts
	 */
	public ExportApi(Reads reads, QueueReaders readers, Maskers maskers, SearchQuota quota) {
		this.reads = reads;
		this.readers = readers;
		this.maskers = maskers;
		this.quota = quota;
	}

	@Override
	public List<Route> routes() {
		return List
			.of(Route
				.get("jobs/export", this::export,
						Stream.concat(JobFilter.WORDS.stream(), Stream.of("format")).toArray(String[]::new))
				.revealing());
	}

	private DashboardResponse export(ApiCall call) {
		String name = call.parameters().one("format");
		JobExport format = (name != null) ? JobExport.of(name) : JobExport.NDJSON;
		if (format == null) {
			throw Problem.invalid("format", "must be csv or ndjson");
		}
		JobFilter filter = JobsApi.filter(call);
		this.quota.start(call.caller());
		Export export = begin(filter, format, this.maskers.of(call));
		return DashboardResponse.streamed(format.contentType(), export)
			.with("Content-Disposition", "attachment; filename=\"jobs." + format.label() + "\"");
	}

	/** What cannot be read is answered before anything is sent. */
	private Export begin(JobFilter filter, JobExport format, TextMasker masker) {
		ExportSlots.Slot slot = this.slots.take();
		try {
			JobPage first = Reads.checked(() -> this.readers.search().find(filter, null, PAGE));
			Map<Long, String> workers = this.reads.read((at) -> this.readers.overview()
				.workers()
				.stream()
				.collect(Collectors.toMap(WorkerView::id, WorkerView::name)));
			return new Export(filter, format,
					(page) -> page.jobs().stream().map((job) -> Job.of(job, null, workers, masker)).toList(), first,
					slot);
		}
		catch (RuntimeException ex) {
			slot.close();
			throw ex;
		}
	}

	private interface Shown {

		List<Job> of(JobPage page);

	}

	/** An export whose first page was read. */
	private final class Export implements StreamedContent {

		private final JobFilter filter;

		private final JobExport format;

		private final Shown shown;

		private final JobPage first;

		private final ExportSlots.Slot slot;

		private Export(JobFilter filter, JobExport format, Shown shown, JobPage first, ExportSlots.Slot slot) {
			this.filter = filter;
			this.format = format;
			this.shown = shown;
			this.first = first;
			this.slot = slot;
		}

		@Override
		public void cancel() {
			this.slot.close();
		}

		@Override
		public void writeTo(OutputStream out) throws IOException {
			try (this.slot) {
				this.slot.begin();
				out.write(this.format.head().getBytes(StandardCharsets.UTF_8));
				JobPage page = this.first;
				write(page, out);
				while (page.next() != null) {
					String next = page.next();
					this.slot.check();
					page = Reads.guarded(() -> ExportApi.this.readers.search().find(this.filter, next, PAGE));
					write(page, out);
				}
			}
		}

		/** Flushing to a closed connection fails, which ends the export. */
		private void write(JobPage page, OutputStream out) throws IOException {
			out.write(this.format.lines(this.shown.of(page)).getBytes(StandardCharsets.UTF_8));
			out.flush();
		}

	}

}
