package io.rowqueue.engine.search;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

import io.rowqueue.admin.JobPage;
import io.rowqueue.admin.JobView;
import io.rowqueue.admin.SearchProgress.Stop;
import io.rowqueue.admin.SearchProgress;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.engine.search.JobSource.Chunk;
import io.rowqueue.engine.search.JobSource.Hit;
import org.jspecify.annotations.Nullable;

/**
 * Fills a page from a source: piece by piece until the page is full, the source is read
 * to its end, or one of the bounds is reached.
 */
final class JobWalk {

	private final JobFilter filter;

	private final JobSource source;

	private final LongSupplier nanoTime;

	private final long deadline;

	/**
	 * The next chunk is four times as long: after one that took longer than this, its
	 * statement could be cancelled.
	 */
	private final long mostToGrow;

	private final List<Hit> hits = new ArrayList<>();

	private List<String> position;

	private @Nullable Instant until;

	private long looked;

	private JobWalk(JobFilter filter, JobSource source, List<String> position, Duration time, LongSupplier nanoTime) {
		this.filter = filter;
		this.source = source;
		this.position = position;
		this.nanoTime = nanoTime;
		this.deadline = nanoTime.getAsLong() + time.toNanos();
		this.mostToGrow = time.toNanos() / 4;
	}

	/**
	 * Fills a page.
	 * @param position the keys behind which it begins
	 * @param size how many jobs it has at most
	 * @param time how long it may take; what has begun is finished
	 */
	static JobPage page(JobFilter filter, JobSource source, List<String> position, int size, Duration time) {
		return page(filter, source, position, size, time, System::nanoTime);
	}

	static JobPage page(JobFilter filter, JobSource source, List<String> position, int size, Duration time,
			LongSupplier nanoTime) {
		return new JobWalk(filter, source, position, time, nanoTime).page(size);
	}

	private JobPage page(int size) {
		Stop stop = read(size);
		List<JobView> jobs = this.hits.stream().limit(size).map(Hit::job).toList();
		if (stop == Stop.FULL) {
			this.position = this.hits.get(size - 1).keys();
			this.until = this.source.time(jobs.get(size - 1));
		}
		String next = (stop != null) ? new SearchCursor(this.source.name(), this.position).text(this.filter) : null;
		return new JobPage(this.source.inOrder(jobs), next,
				new SearchProgress(this.until, this.looked, stop == null, stop));
	}

	/** One job more than the page has shows that there is a next page. */
	private @Nullable Stop read(int size) {
		int round = 0;
		while (true) {
			long begin = this.nanoTime.getAsLong();
			Chunk chunk = this.source.read(this.position, round, size + 1 - this.hits.size());
			if (this.nanoTime.getAsLong() - begin < this.mostToGrow) {
				round++;
			}
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
			if (this.nanoTime.getAsLong() - this.deadline > 0) {
				return Stop.TIME;
			}
		}
	}

}
