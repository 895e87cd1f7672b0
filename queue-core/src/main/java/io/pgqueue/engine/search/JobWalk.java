package io.pgqueue.engine.search;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.pgqueue.admin.JobPage;
import io.pgqueue.admin.JobView;
import io.pgqueue.admin.SearchProgress;
import io.pgqueue.admin.SearchProgress.Stop;
import io.pgqueue.admin.filter.JobFilter;
import io.pgqueue.engine.search.JobSource.Chunk;
import io.pgqueue.engine.search.JobSource.Hit;
import org.jspecify.annotations.Nullable;

/**
 * Fills a page from a source: chunk by chunk until the page is full, the source is read
 * to its end, or one of the bounds is reached.
 */
final class JobWalk {

	private final JobFilter filter;

	private final JobSource source;

	private final long deadline;

	private final List<Hit> hits = new ArrayList<>();

	private List<String> position;

	private @Nullable Instant until;

	private long looked;

	private JobWalk(JobFilter filter, JobSource source, List<String> position, Duration time) {
		this.filter = filter;
		this.source = source;
		this.position = position;
		this.deadline = System.nanoTime() + time.toNanos();
	}

	/**
	 * Fills a page.
	 * @param position the keys behind which it begins
	 * @param size how many jobs it has at most
	 * @param time how long it may take; what has begun is finished
	 */
	static JobPage page(JobFilter filter, JobSource source, List<String> position, int size, Duration time) {
		return new JobWalk(filter, source, position, time).page(size);
	}

	private JobPage page(int size) {
		Stop stop = read(size);
		List<JobView> jobs = this.hits.stream().limit(size).map(Hit::job).toList();
		if (stop == Stop.FULL) {
			this.position = this.hits.get(size - 1).keys();
			this.until = this.source.time(jobs.get(size - 1));
		}
		String next = (stop != null) ? new SearchCursor(this.source.name(), this.position).text(this.filter) : null;
		return new JobPage(jobs, next, new SearchProgress(this.until, this.looked, stop == null, stop));
	}

	/** One job more than the page has shows that there is a next page. */
	private @Nullable Stop read(int size) {
		for (int round = 0;; round++) {
			Chunk chunk = this.source.read(this.position, round, size + 1 - this.hits.size());
			this.hits.addAll(chunk.hits());
			this.looked += chunk.looked();
			this.until = (chunk.time() != null) ? chunk.time() : this.until;
			if (this.hits.size() > size) {
				return Stop.FULL;
			}
			if (chunk.end() == null) {
				return null;
			}
			this.position = chunk.end();
			if (this.looked >= this.source.budget()) {
				return Stop.ROWS;
			}
			if (System.nanoTime() - this.deadline > 0) {
				return Stop.TIME;
			}
		}
	}

}
