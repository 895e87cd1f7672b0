package io.rowqueue.engine.job;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.rowqueue.Job;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.KeptJobs;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.support.HeaderNames;
import io.rowqueue.engine.worker.WorkerSession;
import io.rowqueue.engine.worker.WorkerStore;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import io.rowqueue.testing.Stores;
import io.rowqueue.testing.WorkerIdentities;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

/** Jobs that are enqueued from SQL. */
@Timeout(120)
class SqlEnqueueTests {

	/** Roles are shared by all databases of a server. */
	private static final String CALLER = "caller_" + Long.toHexString(System.nanoTime());

	private static final Duration LONG = Duration.ofSeconds(30);

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final long worker = database.worker();

	private final Map<Long, Lease> leases = new HashMap<>();

	private WorkerSession session;

	@BeforeEach
	void listen() throws SQLException {
		this.session = WorkerSession.open(database.direct(), SchemaName.DEFAULT, this.worker);
	}

	@AfterEach
	void close() throws SQLException {
		this.session.close();
		database.execute("drop table if exists public.account; drop owned by " + CALLER + "; drop role " + CALLER);
	}

	@BeforeEach
	void createRole() {
		database.execute("create role " + CALLER);
	}

	@Test
	void aTypeIsEnough() {
		Instant before = database.now();
		Job job = database.find(enqueue("'type'"));
		assertThat(List.of(job.type(), job.queue(), job.priority(), job.state(), job.attempt())).containsExactly("type",
				"default", 0, JobState.QUEUED, 0);
		assertThat(job.payload()).isNull();
		assertThat(job.maxAttempts()).isNull();
		assertThat(job.uniqueKey()).isNull();
		assertThat(job.runAt()).isBetween(before, database.now());
		assertThat(database.orderAt(job.id())).isEqualTo(job.runAt());
		assertThat(database.claimOne(this.worker).lease().jobId()).isEqualTo(job.id());
	}

	@Test
	void everythingCanBeSaid() {
		Job job = database.find(enqueue("'type', '{\"a\": 1}', queue => 'mail', priority => -7,"
				+ " run_at => '2900-01-02 03:04:05.123456+00', tolerance => '2 hours', max_attempts => 3,"
				+ " unique_key => 'key', unique_for => '1 day', duplicates => 'replace'"));
		assertThat(List.of(job.queue(), job.priority(), job.maxAttempts(), job.state(), job.uniqueKey(), job.payload()))
			.containsExactly("mail", -7, 3, JobState.SCHEDULED, "key", "{\"a\": 1}");
		assertThat(job.runAt()).isEqualTo("2900-01-02T03:04:05.123456Z");
		assertThat(database.orderAt(job.id())).isEqualTo(job.runAt().plus(Duration.ofHours(2)));
	}

	@Test
	void aDelayIsCountedFromNow() {
		Instant before = database.now();
		Job job = database.find(enqueue("'type', delay => '3 hours'"));
		assertThat(job.state()).isEqualTo(JobState.SCHEDULED);
		assertThat(job.runAt()).isBetween(before.plus(Duration.ofHours(3)), database.now().plus(Duration.ofHours(3)));
	}

	@Test
	void uniqueKeysMeanWhatTheyMeanInJava() {
		long first = enqueue("'type', '1', unique_key => 'key'");
		assertThat(enqueue("'type', '2', unique_key => 'key'")).isEqualTo(first);
		assertThat(database.find(first).payload()).isEqualTo("1");
		assertThat(enqueue("'type', '3', unique_key => 'key', duplicates => 'replace', unique_for => '1 hour'"))
			.isEqualTo(first);
		ClaimedJob job = database.claimOne(this.worker);
		assertThat(job.payload()).isEqualTo("3");
		long followUp = enqueue("'type', '4', unique_key => 'key', duplicates => 'run_again'");
		assertThat(followUp).isNotEqualTo(first);
		assertThat(database.jobs().succeed(this.worker, List.of(job.lease()))).hasSize(1);
		assertThat(enqueue("'type', unique_key => 'key'")).as("it was done").isEqualTo(first);
	}

	@Test
	void aDuplicateIsRejected() throws Exception {
		String rejecting = "'type', unique_key => 'key', duplicates => 'reject'";
		long first = enqueue(rejecting);
		ServerErrorMessage error = refusal("select rowqueue.enqueue(" + rejecting + ")");
		assertThat(error.getSQLState()).isEqualTo("23505");
		assertThat(error.getMessage()).isEqualTo("enqueue: job " + first + " already has the unique key 'key'");
		database.jobs().succeed(this.worker, List.of(database.claimOne(this.worker).lease()));
		assertThat(enqueue(rejecting)).isNotEqualTo(first);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			null                                         | type must be given
			' '                                          | type must be given
			repeat('x', 201)                             | type must have at most 200 characters, not 201
			't', json_build_array(repeat('x', 16777216)) | payload must have at most 16777216 bytes, not 16777220
			E'a\\nb'                                     | type must not contain control characters, line separators
			't', queue => U&'a\\0085'                    | queue must not contain control characters
			't', queue => U&'a\\001B[31m'                | queue must not contain control characters
			't', queue => U&'\\202Eliam'                 | queue must not contain control characters
			't', limit_key => U&'a\\2028'                | limit_key must not contain control characters
			't', queue => null                           | queue must not be null or blank; leave it out for 'default'
			't', queue => repeat('x', 201)               | queue must have at most 200 characters, not 201
			't', priority => null                        | priority must not be null; leave it out for 0
			't', priority => 32768                       | priority must be from -32768 to 32767, not 32768
			't', delay => '-1 s'                         | delay must be from 0 to 365000 days, not -00:00:01
			't', delay => '365001 days'                  | delay must be from 0 to 365000 days
			't', delay => '1 s', run_at => now()         | give run_at or delay, not both
			't', run_at => 'infinity'                    | run_at must be between 1970 and the year 2969, not infinity
			't', run_at => '1969-12-31'                  | run_at must be between 1970 and the year 2969
			't', spread_over => '-1 s'                   | spread_over must be from 0 to 365000 days, not -00:00:01
			't', tolerance => '-1 s'                     | tolerance must be from 0 to 365000 days
			't', max_attempts => 0                       | max_attempts must be from 1 to 32767, not 0
			't', unique_key => repeat('x', 501)          | unique_key must have at most 500 characters, not 501
			't', unique_key => 'k', unique_by_payload => true | give unique_key or unique_by_payload, not both
			't', unique_for => '1 s'                     | unique_for needs a unique_key
			't', unique_key => 'k', unique_for => '-1 s' | unique_for must be from 0 to 365000 days
			't', duplicates => 'replace'                 | duplicates needs a unique_key
			't', unique_key => 'k', duplicates => 'x'    | duplicates must be keep, replace, run_again or reject, not x
			't', limit_key => ' '                        | limit_key must not be blank
			't', unique_key => ' '                       | unique_key must not be blank
			't', after => '{1,null}'                     | after must not contain null
			't', after => '{0}'                          | after must contain the ids of jobs, which are positive
			't', after => '{1}', unique_key => 'k'       | a job that runs after others cannot have a unique_key
			't', when_failed => 'run'                    | when_failed needs after
			't', after => '{1}', when_failed => 'x'      | when_failed must be fail, run or wait, not x
			't', after => '{1}', when_failed => null     | when_failed must be fail, run or wait, not null
			't', after => '{987654}'                     | there is no job 987654 to run after
			""", quoteCharacter = '"')
	void aWrongArgumentIsRefusedByName(String arguments, String message) {
		ServerErrorMessage error = refusal("select rowqueue.enqueue(" + arguments + ")");
		assertThat(error.getSQLState()).isEqualTo("22023");
		assertThat(error.getMessage()).startsWith("enqueue: " + message);
	}

	@Test
	void aJobRunsAfterOthers() throws Exception {
		long first = enqueue("'type'");
		long second = enqueue("'type'");
		long last = enqueue("'type', '{\"a\": 1}', queue => 'last', after => array[%d, %d, %d], wake_up => false"
			.formatted(first, second, first));
		long at = enqueue("'type', delay => '1 hour', after => '{%d}'".formatted(first));
		assertThat(database.state(last)).isEqualTo(JobState.BLOCKED);
		settle();
		succeed(first);
		assertThat(database.state(last)).isEqualTo(JobState.BLOCKED);
		assertThat(database.state(at)).as("it is not due").isEqualTo(JobState.SCHEDULED);
		succeed(second);
		assertThat(database.state(last)).isEqualTo(JobState.QUEUED);
		assertThat(database.find(last).payload()).isEqualTo("{\"a\": 1}");
		long after = enqueue("'type', queue => 'over', after => array[%d, %d]".formatted(first, second));
		assertThat(database.state(after)).as("they have ended").isEqualTo(JobState.QUEUED);
		assertThat(hearUntil("over")).doesNotContain("last");
		assertThat(database.state(enqueue("'type', after => '{}'"))).isEqualTo(JobState.QUEUED);
	}

	@Test
	void aJobRunsAfterOneOfTheSameStatement() {
		long second = database.query("with first as (select rowqueue.enqueue('type') as id)"
				+ " select rowqueue.enqueue('type', after => array[id]) from first", Long.class);
		assertThat(database.state(second)).isEqualTo(JobState.BLOCKED);
		succeed(second - 1);
		assertThat(database.state(second)).as("no task had to find it").isEqualTo(JobState.QUEUED);
	}

	@Test
	void theHeadersOfTheQueueAreRefusedAsThoseOfAJob() {
		assertThat(HeaderNames.RESERVED).allSatisfy((name) -> assertThat(
				refusal("select rowqueue.enqueue('type', headers => '{\"%s\": \"x\"}')".formatted(name)).getMessage())
			.isEqualTo("enqueue: a name in headers is reserved"));
	}

	@ParameterizedTest
	@CsvSource({ "fail, FAILED", "run, QUEUED", "wait, BLOCKED" })
	void whatBecomesOfItWhenOneFailsIsItsPolicy(String policy, JobState state) {
		long first = enqueue("'type'");
		long second = enqueue("'type', after => '{%d}', when_failed => '%s'".formatted(first, policy));
		settle();
		Lease lease = database.claimOne(this.worker).lease();
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease, "broken", null)));
		assertThat(database.state(second)).isEqualTo(state);
	}

	@Test
	void anIdThatIsNotFoundMayHaveSucceededWhereNotAllOfThatIsKept() {
		long gone = enqueue("'type'");
		database.update("delete from {schema}.job");
		assertThat(refusal("select rowqueue.enqueue('type', after => '{%d}')".formatted(gone)).getMessage())
			.startsWith("enqueue: there is no job " + gone + " to run after");
		database.workers()
			.register(WorkerIdentities.of("forgetful", List.of("default"), List.of("type"), Map.of(), Map.of(),
					Map.of(), Set.of(KeptJobs.PARTIAL)));
		assertThat(database.state(enqueue("'type', after => '{%d}'".formatted(gone)))).isEqualTo(JobState.QUEUED);
		assertThat(refusal("select rowqueue.enqueue('type', after => '{%d}')".formatted(gone + 1000)).getMessage())
			.as("it was never given")
			.contains("there is no job");
	}

	@Test
	void aPayloadMustBeJson() {
		assertThat(refusal("select rowqueue.enqueue('type', '{')").getSQLState()).isEqualTo("22P02");
	}

	@Test
	void workersAreWokenByTheCommitOnceForEachQueue() throws Exception {
		try (OpenTransaction transaction = database.begin()) {
			transaction
				.execute("select rowqueue.enqueue('type', queue => 'q' || i % 2) from generate_series(1, 100) i");
			transaction.commit();
		}
		enqueue("'type', queue => 'last'");
		assertThat(hearUntil("last")).containsExactly("q1", "q0", "last");
	}

	@Test
	void workersAreNotWokenForJobsToComeNorWhenTheCallerDoesNotWishIt() throws Exception {
		enqueue("'type', queue => 'later', delay => '1 hour'");
		enqueue("'type', queue => 'silent', wake_up => false");
		enqueue("'type', queue => 'once', unique_key => 'key', wake_up => false");
		enqueue("'type', queue => 'kept', unique_key => 'key'");
		enqueue("'type', queue => 'last'");
		assertThat(hearUntil("last")).containsExactly("last");
	}

	@Test
	void theAdmissionIsWokenForAJobWithALimitKey() {
		enqueue("'type', limit_key => 'key'");
		await().atMost(Engine.PATIENCE).until(() -> this.session.await(LONG).limited());
	}

	@ParameterizedTest
	@ValueSource(strings = { "My \"Queue\"", "team's queue", "\u043e\u0447\u0435\u0440\u0435\u0434\u044c", "select" })
	void theFunctionWorksInASchemaOfAnyName(String name) throws Exception {
		SchemaName schema = new SchemaName(name);
		database.initialize(schema);
		Stores jobs = new Stores(database.jdbc(), database.jdbc(), schema, true);
		long other = new WorkerStore(new QueueDatabase(database.jdbc(), schema))
			.register(WorkerIdentities.of("test", List.of("default"), List.of("type")));
		try (WorkerSession listener = WorkerSession.open(database.direct(), schema, other)) {
			long id = database.query("select " + schema.quoted() + ".enqueue('type', unique_key => 'key')", Long.class);
			assertThat(listener.await(LONG).queues()).containsExactly("default");
			assertThat(jobs.find(id)).isPresent();
			assertThat(database.jobs().find(id)).as("not in another schema").isEmpty();
		}
	}

	@Test
	void aRoleThatMayCallTheFunctionNeedsNothingElse() throws Exception {
		database.execute("grant usage on schema rowqueue to " + CALLER + ";"
				+ " grant execute on function rowqueue.enqueue to " + CALLER);
		try (OpenTransaction caller = database.begin()) {
			caller.execute("set role " + CALLER);
			// and cannot slip it a table
			caller.execute("create temp table job (id bigint)");
			caller.execute("select rowqueue.enqueue('type', unique_key => 'key')");
			caller.execute("select rowqueue.enqueue('type', after => array[rowqueue.enqueue('type')])");
			caller.commit();
		}
		assertThat(database.claim(this.worker, 10)).hasSize(2);
	}

	@ParameterizedTest
	@ValueSource(strings = { "replace", "run_again" })
	void aRoleThatMayOnlyEnqueueChangesNoJobOfOthers(String duplicates) throws Exception {
		grantExecute();
		long waiting = enqueue("'charge', '1', unique_key => 'waiting'");
		database.jobs().enqueue(List.of(NewJobs.of(JobRequest.of("charge").uniqueKey("java"), "1")));
		long leased = enqueue("'type', '1', unique_key => 'leased'");
		database.claim(this.worker, 3);
		long behind = enqueue("'type', '1', unique_key => 'leased', duplicates => 'run_again'");
		for (String key : List.of("waiting", "java", "leased")) {
			assertThat(refusal("set role " + CALLER + "; select rowqueue.enqueue('noop', '2', unique_key => '" + key
					+ "', duplicates => '" + duplicates + "')")
				.getSQLState()).isEqualTo("42501");
		}
		assertThat(List.of(waiting, leased, behind))
			.allSatisfy((id) -> assertThat(database.find(id).payload()).isEqualTo("1"));
		assertThat(enqueueAsCaller("'noop', unique_key => 'waiting'")).as("the caller gets the id of the job")
			.isEqualTo(waiting);
		database.execute("grant update on rowqueue.job to " + CALLER);
		assertThat(enqueueAsCaller("'noop', '2', unique_key => 'leased', duplicates => 'replace'")).isEqualTo(behind);
		assertThat(database.find(behind).payload()).isEqualTo("2");
	}

	@ParameterizedTest
	@ValueSource(strings = { "replace", "run_again" })
	void aRoleThatMayOnlyEnqueueChangesNoJobOfOthersBehindItsOwn(String duplicates) throws Exception {
		grantExecute();
		enqueueAsCaller("'type', unique_key => 'key'");
		database.claimOne(this.worker);
		long behind = enqueue("'type', '1', unique_key => 'key', duplicates => 'run_again'");
		assertThat(refusal("set role " + CALLER + "; select rowqueue.enqueue('type', '2', unique_key => 'key',"
				+ " duplicates => '" + duplicates + "')")
			.getSQLState()).isEqualTo("42501");
		assertThat(database.find(behind).payload()).isEqualTo("1");
	}

	@Test
	void aRoleThatMayOnlyEnqueueChangesItsOwnJobs() throws Exception {
		grantExecute();
		long first = enqueueAsCaller("'type', '1', unique_key => 'key'");
		assertThat(enqueueAsCaller("'type', '2', unique_key => 'key', duplicates => 'replace'")).isEqualTo(first);
		ClaimedJob job = database.claimOne(this.worker);
		assertThat(job.payload()).isEqualTo("2");
		long behind = enqueueAsCaller("'type', '3', unique_key => 'key', duplicates => 'run_again'");
		assertThat(enqueueAsCaller("'type', '4', unique_key => 'key', duplicates => 'replace'")).isEqualTo(behind);
		database.jobs().succeed(this.worker, List.of(job.lease()));
		assertThat(database.maintenance().followUp(10)).hasSize(1);
		assertThat(enqueueAsCaller("'type', '5', unique_key => 'key', duplicates => 'replace'")).isEqualTo(behind);
		assertThat(enqueue("'type', '6', unique_key => 'key', duplicates => 'replace'")).as("others may as well")
			.isEqualTo(behind);
		assertThat(refusal("set role " + CALLER
				+ "; select rowqueue.enqueue('type', '7', unique_key => 'key', duplicates => 'replace')")
			.getMessage()).as("it is theirs now")
			.isEqualTo("enqueue: a job that " + CALLER + " has not enqueued has the unique key 'key'");
	}

	@Test
	void aRoleThatMayOnlyEnqueueIsTheSameInAFunctionOfAnotherOwner() throws Exception {
		database.execute("create function public.charge() returns bigint language sql security definer as"
				+ " $$select rowqueue.enqueue('charge', '2', unique_key => 'key', duplicates => 'replace')$$");
		try {
			enqueue("'charge', '1', unique_key => 'key'");
			assertThat(refusal("set role " + CALLER + "; select public.charge()").getSQLState()).isEqualTo("42501");
		}
		finally {
			database.execute("drop function public.charge()");
		}
	}

	@Test
	void aJobCanBeUniqueByItsPayload() {
		long first = enqueue("'type', '{\"a\": 1, \"b\": 2.0}', unique_by_payload => true");
		assertThat(enqueue("'type', '{\"b\": 2, \"a\": 1}', unique_by_payload => true")).isEqualTo(first);
		assertThat(enqueue("'type', '{\"a\": 1}', unique_by_payload => true")).isNotEqualTo(first);
		assertThat(enqueue("'type', unique_by_payload => true"))
			.isEqualTo(enqueue("'type', 'null', unique_by_payload => true, unique_for => '1 day'"));
	}

	@Test
	void manyJobsDifferOnlyInTheirPayloads() {
		assertThat(enqueueAll(
				"'type', array['1', null, '{\"a\":  3}']::json[], queue => 'mail', priority => 5, max_attempts => 3,"
						+ " run_at => '2900-01-02 03:04:05+00', tolerance => '2 hours', limit_key => 'key', limit_units => 4"))
			.isEqualTo(3);
		List<Job> jobs = database.list("select id from {schema}.job order by id", Long.class)
			.stream()
			.map(database::find)
			.toList();
		assertThat(jobs).extracting(Job::payload).containsExactly("1", null, "{\"a\":  3}");
		assertThat(jobs).allSatisfy(
				(job) -> assertThat(List.of(job.type(), job.queue(), job.priority(), job.maxAttempts(), job.state()))
					.containsExactly("type", "mail", 5, 3, JobState.SCHEDULED))
			.allSatisfy((job) -> assertThat(job.runAt()).isEqualTo("2900-01-02T03:04:05Z"))
			.allSatisfy((job) -> assertThat(database.orderAt(job.id())).isEqualTo("2900-01-02T05:04:05Z"));
		assertThat(database.list("select limit_key || limit_units from {schema}.job", String.class))
			.containsExactly("key4", "key4", "key4");
	}

	@Test
	void manyJobsAreSpreadEvenlyAndASingleOneAtRandom() {
		String midnight = "run_at => '2900-01-01 00:00+00', tolerance => '1 hour', spread_over => '1 hour'";
		assertThat(enqueueAll("'type', array['1', '2', '3', '4']::json[], " + midnight)).isEqualTo(4);
		List<Long> ids = database.list("select id from {schema}.job order by id", Long.class);
		assertThat(ids).map(database::find)
			.map((job) -> job.runAt().toString())
			.containsExactly("2900-01-01T00:00:00Z", "2900-01-01T00:15:00Z", "2900-01-01T00:30:00Z",
					"2900-01-01T00:45:00Z");
		assertThat(database.orderAt(ids.get(3))).isEqualTo("2900-01-01T01:45:00Z");
		Job single = database.find(enqueue("'type', " + midnight));
		Job other = database.find(enqueue("'type', " + midnight));
		assertThat(single.runAt()).isBetween("2900-01-01T00:00:00Z", "2900-01-01T01:00:00Z")
			.isNotEqualTo(other.runAt());
		enqueueAll("'type', array['1', '2']::json[], queue => 'now', spread_over => '1 hour'");
		assertThat(database.list("select state::text from {schema}.job where queue = 'now' order by id", String.class))
			.containsExactly("queued", "scheduled");
	}

	@Test
	void manyJobsAreClaimedInTheOrderOfTheirPayloads() {
		assertThat(enqueueAll("'type', (select array_agg(to_json(i) order by i) from generate_series(1, 2500) i)"))
			.isEqualTo(2500);
		assertThat(database.claim(this.worker, 2500)).extracting(ClaimedJob::payload)
			.containsExactlyElementsOf(IntStream.rangeClosed(1, 2500).mapToObj(String::valueOf).toList());
	}

	@Test
	void manyJobsHaveTheSameTagsHeadersAndExpiry() {
		String options = ", tags => array['red', 'blue'], headers => '{\"tenant\": \"t\"}', expires_at => '2900-01-02'";
		long single = enqueue("'type', '0'" + options);
		assertThat(enqueueAll("'type', array['1', '2', '3']::json[]" + options)).isEqualTo(3);
		for (String rows : List.of("job_tag r", "job_expiry r",
				"(select id as job_id, headers::text from {schema}.job) r")) {
			assertThat(database
				.list("""
						select string_agg((to_jsonb(r) - 'job_id')::text, ' ' order by to_jsonb(r) - 'job_id') from %s group by job_id"""
					.formatted(rows.startsWith("(") ? rows : "{schema}." + rows), String.class))
				.as(rows)
				.hasSize(4)
				.containsOnly(
						database.query(
								"""
										select string_agg((to_jsonb(r) - 'job_id')::text, ' ' order by to_jsonb(r) - 'job_id') from %s where job_id = %d"""
									.formatted(rows.startsWith("(") ? rows : "{schema}." + rows, single),
								String.class));
		}
	}

	@Test
	void noPayloadIsNoJob() {
		assertThat(enqueueAll("'type', '{}'")).isZero();
		assertThat(enqueueAll("'type', (select array_agg(to_json(i)) from generate_series(1, 0) i)")).isZero();
		assertThat(database.list("select id from {schema}.job", Long.class)).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					null, array['1']::json[]                                                | type must be given
					't', array['1', json_build_array(repeat('x', 16777216))]::json[]        | payload must have at most 16777216 bytes, not 16777220
					't', array['1']::json[], priority => 32768                              | priority must be from -32768 to 32767
					't', array['1']::json[], delay => '1 s', run_at => now()                | give run_at or delay, not both
					't', array['1']::json[], spread_over => '-1 s'                          | spread_over must be from 0 to 365000 days
					't', array['1']::json[], limit_units => 2                               | limit_units needs a limit_key
					't', array['1']::json[], tags => array['']                              | tags must have from 1 to 200 characters
					""",
			quoteCharacter = '"')
	void aWrongArgumentOfManyJobsIsRefusedByName(String arguments, String message) {
		ServerErrorMessage error = refusal("select rowqueue.enqueue_all(" + arguments + ")");
		assertThat(error.getSQLState()).isEqualTo("22023");
		assertThat(error.getMessage()).startsWith("enqueue: " + message);
		assertThat(database.list("select id from {schema}.job", Long.class)).isEmpty();
	}

	@Test
	void manyJobsWakeTheWorkersOfTheirQueueUnlessTheCallerDoesNotWishIt() throws Exception {
		enqueueAll("'type', array['1', '2']::json[], queue => 'silent', wake_up => false");
		enqueueAll("'type', array['1', '2']::json[], queue => 'later', delay => '1 hour'");
		enqueueAll("'type', array['1', '2']::json[], queue => 'last'");
		assertThat(hearUntil("last")).containsExactly("last");
	}

	@Test
	void aRoleThatMayEnqueueManyJobsNeedsNothingElse() throws Exception {
		database.execute("grant usage on schema rowqueue to " + CALLER + ";"
				+ " grant execute on function rowqueue.enqueue_all to " + CALLER);
		try (OpenTransaction caller = database.begin()) {
			caller.execute("set role " + CALLER);
			// and cannot slip it a table
			caller.execute("create temp table job (id bigint)");
			caller.execute("select rowqueue.enqueue_all('type', array['1', '2']::json[])");
			caller.commit();
		}
		assertThat(database.claim(this.worker, 10)).hasSize(2);
		assertThat(refusal("set role " + CALLER + "; select rowqueue.enqueue('type')").getMessage())
			.contains("permission denied for function enqueue");
		database.execute("revoke execute on function rowqueue.enqueue_all from " + CALLER);
		assertThat(refusal("set role " + CALLER + "; select rowqueue.enqueue_all('type', '{}')").getMessage())
			.contains("permission denied for function enqueue_all");
	}

	private static long enqueueAll(String arguments) {
		return database.query("select rowqueue.enqueue_all(" + arguments + ")", Long.class);
	}

	private static void grantExecute() {
		database.execute("grant usage on schema rowqueue to " + CALLER + ";"
				+ " grant execute on function rowqueue.enqueue to " + CALLER);
	}

	private static long enqueueAsCaller(String arguments) throws SQLException {
		try (Connection connection = database.direct().getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute("set role " + CALLER);
			try (ResultSet row = statement.executeQuery("select rowqueue.enqueue(" + arguments + ")")) {
				row.next();
				return row.getLong(1);
			}
		}
	}

	@Test
	void aRoleThatWasGrantedNothingMayNotCallIt() throws Exception {
		database.execute("grant usage on schema rowqueue to " + CALLER);
		try (Connection connection = database.direct().getConnection()) {
			connection.createStatement().execute("set role " + CALLER);
			PSQLException error = catchThrowableOfType(PSQLException.class,
					() -> connection.createStatement().execute("select rowqueue.enqueue('type')"));
			assertThat(error.getMessage()).contains("permission denied for function enqueue");
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aTriggerEnqueuesInTheTransactionOfItsStatement(boolean commit) throws Exception {
		database.execute(
				"""
						create table public.account (id bigint primary key, email text);
						create or replace function public.welcome() returns trigger language plpgsql as $$
						begin
							perform rowqueue.enqueue('send-welcome', json_build_object('id', new.id), queue => 'mail');
							return null;
						end $$;
						create trigger welcome after insert on public.account for each row execute function public.welcome()""");
		try (OpenTransaction transaction = database.begin()) {
			transaction.execute("insert into public.account values (42, 'a@example.com')");
			if (commit) {
				transaction.commit();
			}
		}
		assertThat(database.list("select payload ->> 'id' from {schema}.job where type = 'send-welcome'", String.class))
			.isEqualTo(commit ? List.of("42") : List.of());
	}

	/** What the maintenance does with dependencies on jobs of other transactions. */
	private static void settle() {
		database.execute("select {schema}.settle_dependencies(100)");
	}

	private void succeed(long id) {
		database.claim(this.worker, 100).forEach((job) -> this.leases.put(job.lease().jobId(), job.lease()));
		assertThat(database.jobs().succeed(this.worker, List.of(this.leases.get(id)))).containsExactly(id);
	}

	private static long enqueue(String arguments) {
		return database.query("select rowqueue.enqueue(" + arguments + ")", Long.class);
	}

	private static ServerErrorMessage refusal(String sql) {
		PSQLException error = catchThrowableOfType(PSQLException.class, () -> {
			try (Connection connection = database.direct().getConnection()) {
				connection.createStatement().execute(sql);
			}
		});
		return error.getServerErrorMessage();
	}

	private Set<String> hearUntil(String last) {
		Set<String> heard = new LinkedHashSet<>();
		await().atMost(Engine.PATIENCE).until(() -> {
			heard.addAll(this.session.await(LONG).queues());
			return heard.contains(last);
		});
		return heard;
	}

}
