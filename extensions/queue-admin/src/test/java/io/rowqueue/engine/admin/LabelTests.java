package io.rowqueue.engine.admin;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.JobRequest;
import io.rowqueue.admin.JobDetails;
import io.rowqueue.admin.JobPage;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.admin.JobView;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.admin.filter.JobListState;
import io.rowqueue.engine.history.CleanupStore;
import io.rowqueue.engine.history.CleanupStore.Checked;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.search.JobSearchStore;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Jobs that are found by their tags, headers and values in their payloads. */
class LabelTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private static final JobRequest TAGGED = JobRequest.of("type").tags("customer:42");

	private final JobSearch search = new JobSearchStore(database.queueDatabase());

	private final long worker = database.worker();

	@Test
	void jobsAreFoundByTagInAllStates() {
		long finished = database.enqueue(TAGGED);
		Lease lease = database.claimOne(this.worker).lease();
		database.jobs().succeed(this.worker, List.of(lease));
		long queued = database.enqueue(TAGGED);
		long scheduled = database.enqueue(TAGGED.delay(Duration.ofDays(1)).tags("other"));
		database.enqueue(JobRequest.of("type").tags("customer:4"), JobRequest.of("type"));
		assertThat(found("tag=customer:42")).containsExactly(scheduled, queued, finished);
		assertThat(found("tag=customer:42&state=succeeded")).containsExactly(finished);
		assertThat(found("tag=customer:42&state=queued")).containsExactly(queued);
		assertThat(found("tag=customer:42&tag=other")).containsExactly(scheduled);
		assertThat(found("tag=customer")).isEmpty();
	}

	@Test
	void jobsAreFoundByHeader() {
		long blue = database.enqueue(TAGGED.header("tenant", "blue"));
		database.enqueue(TAGGED.header("tenant", "green"));
		assertThat(found("header=tenant%3Dblue")).containsExactly(blue);
		assertThat(found("header=tenant%3Dblue&tag=customer:42")).containsExactly(blue);
		assertThat(found("header=tenant%3Dblue&tag=customer:43")).isEmpty();
		assertThat(found("tag=blue")).as("a header is no tag").isEmpty();
	}

	@Test
	void jobsAreFoundByValuesInTheirPayloads() {
		long number = enqueue(
				"{\"user\": {\"id\": 42, \"name\": \"Ada=1\"}, \"items\": [{\"sku\": \"A1\"}], \"paid\": true}");
		long text = enqueue("{\"user\": {\"id\": \"42\"}, \"items\": []}");
		for (String other : List.of("{\"user\": {\"id\": 421}}", "{\"user\": 42}", "42", "null",
				"{\"user\": {\"id\": null}}")) {
			enqueue(other);
		}
		enqueue("{\"user\": {\"id\": 42}, \"note\": \"\\u0000\"}"); // PostgreSQL cannot
																	// read it
		database.enqueue(JobRequest.of("type"));
		assertThat(found("payload=user.id%3D42")).containsExactly(text, number);
		assertThat(found("payload=user.id%3D42&payload=items.0.sku%3DA1")).containsExactly(number);
		assertThat(found("payload=user.name%3DAda%3D1&payload=paid%3Dtrue&state=queued")).containsExactly(number);
		assertThat(found("payload=user.id%3D42&state=scheduled")).isEmpty();
		assertThat(found("payload=user.id%3Dnull")).isEmpty();
		database.jobs().succeed(this.worker, List.of(database.claimOne(this.worker).lease()));
		assertThat(found("payload=user.id%3D42&state=succeeded")).containsExactly(number);
		assertThatIllegalArgumentException().isThrownBy(() -> JobFilter.ofQuery("payload=42"))
			.withMessageContaining("user.id=42");
	}

	private static long enqueue(String payload) {
		return Objects.requireNonNull(database.query("select {schema}.enqueue('type', ?::json)", Long.class, payload));
	}

	@Test
	void aListOfThemHasPages() {
		List<Long> ids = database.enqueue(TAGGED, TAGGED, TAGGED, TAGGED, TAGGED);
		JobFilter filter = JobFilter.builder().tag("customer:42").build();
		JobPage first = this.search.find(filter, null, 2);
		assertThat(first.jobs()).extracting(JobView::id).containsExactly(ids.get(4), ids.get(3));
		JobPage second = this.search.find(filter, first.next(), 2);
		assertThat(second.jobs()).extracting(JobView::id).containsExactly(ids.get(2), ids.get(1));
		assertThat(this.search.find(filter, second.next(), 2).jobs()).extracting(JobView::id)
			.containsExactly(ids.get(0));
		assertThat(this.search.count(filter).value()).isEqualTo(5);
	}

	@Test
	void aFilterWithLabelsIsReadFromItsQuery() {
		JobFilter filter = JobFilter.builder()
			.state(JobListState.FAILED)
			.tag("a b", "c&d")
			.header("tenant", "x=y")
			.build();
		assertThat(JobFilter.ofQuery(filter.query())).isEqualTo(filter);
		assertThatIllegalArgumentException().isThrownBy(() -> JobFilter.ofQuery("header=tenant"))
			.withMessageContaining("tenant=blue");
	}

	@Test
	void theDetailsOfAJobHaveThem() {
		long id = database.enqueue(TAGGED.tags("b", "a").header("tenant", "blue"));
		JobDetails details = this.search.details(id).orElseThrow();
		assertThat(details.tags()).containsExactly("a", "b", "customer:42");
		assertThat(details.headers()).isEqualTo(Map.of("tenant", "blue"));
		assertThat(details.expiresAt()).isNull();
	}

	@Test
	void aReplacedJobHasThoseOfItsLatestRequest() {
		JobRequest request = TAGGED.uniqueKey("key").duplicates(DuplicatePolicy.replace());
		long id = database.enqueue(request);
		database.enqueue(JobRequest.of("type").tags("new").uniqueKey("key").duplicates(DuplicatePolicy.replace()));
		assertThat(found("tag=customer:42")).isEmpty();
		assertThat(found("tag=new")).containsExactly(id);
		database.enqueue(request.duplicates(DuplicatePolicy.keep()));
		assertThat(found("tag=customer:42")).as("nothing was stored").isEmpty();
	}

	@Test
	void jobsOfFlowsAndBatchesAndFollowUpsHaveThem() {
		long predecessor = database.enqueue(JobRequest.of("type").uniqueKey("key"));
		long dependent = database.enqueue(TAGGED.after(predecessor));
		long limited = database.enqueue(TAGGED.limitKey("key"));
		database.claimOne(this.worker);
		long followUp = database.enqueue(TAGGED.uniqueKey("key").duplicates(DuplicatePolicy.runAgain()));
		assertThat(found("tag=customer:42")).containsExactly(followUp, limited, dependent);
	}

	@Test
	void aJobOfSqlHasThem() {
		long id = database.query("""
				select {schema}.enqueue('type', tags => array['customer:42'], headers => '{"tenant": "blue"}',
					expires_at => now() + interval '1 day')""", Long.class);
		assertThat(found("tag=customer:42&header=tenant%3Dblue")).containsExactly(id);
		assertThat(this.search.details(id).orElseThrow().expiresAt()).isAfter(database.now());
	}

	@Test
	void theyAreDeletedWithTheLastRowOfTheirJob() {
		List<Long> ids = database.enqueue(TAGGED, TAGGED.tags("b", "c"));
		CleanupStore cleanup = new CleanupStore(database.queueDatabase());
		assertThat(cleanup.deleteOfJobs("job_tag", 0, 100)).isEqualTo(new Checked(null, false));
		assertThat(tags()).isEqualTo(4);
		database.update("delete from {schema}.job where id = ?", ids.get(0));
		assertThat(cleanup.deleteOfJobs("job_tag", 0, 1)).isEqualTo(new Checked(ids.get(0), true));
		assertThat(tags()).isEqualTo(3);
	}

	@Test
	void whatTheQueueItselfUsesIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> TAGGED.header("expires-at", "now"))
			.withMessageContaining("reserved");
		assertThatIllegalArgumentException().isThrownBy(() -> TAGGED.tags("two\nlines"));
		assertThatIllegalArgumentException().isThrownBy(() -> TAGGED.tags(" "));
	}

	private List<Long> found(String query) {
		return this.search.find(JobFilter.ofQuery(query), null, 50).jobs().stream().map(JobView::id).toList();
	}

	private static int tags() {
		return database.count("job_tag");
	}

}
