package io.rowqueue.testing;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Watches the jobs of a database from inside of it: triggers write down each claim, each
 * end of a lease, and whatever breaks a rule.
 */
public final class Referee {

	private static final String RULES = """
			create table claimed (job_id bigint, lease int, worker_id bigint, queue text, type text,
				at timestamptz default clock_timestamp());
			create table given_back (job_id bigint, lease int, worker_id bigint, over boolean, recovered boolean);
			create table foul (what text, job_id bigint);

			create function watch_job() returns trigger language plpgsql as $$
			declare
				foul text;
			begin
				if tg_op = 'INSERT' then
					insert into public.claimed (job_id, lease, worker_id, queue, type)
						values (new.id, new.lease, new.worker_id, new.queue, new.type);
					return null;
				end if;
				if tg_op = 'DELETE' then
					if old.worker_id is not null then
						insert into public.given_back values (old.id, old.lease, old.worker_id, true, false);
					end if;
					return null;
				end if;
				foul := case
					when new.lease < old.lease then 'the lease number shrank'
					when old.worker_id is null and new.worker_id is null and new.lease <> old.lease
						then 'a lease number without a lease'
					when old.worker_id is null and new.worker_id is not null and new.lease <> old.lease + 1
						then 'a claim without a lease number of its own'
					when old.worker_id is null and new.worker_id is not null and old.state <> 'queued'
						then 'a claim of a job that was not queued'
					when old.worker_id is not null and new.worker_id is not null
						and (old.worker_id <> new.worker_id or old.lease <> new.lease)
						then 'a lease that changed hands without being given back'
					when new.attempt < 0 then 'less than no attempt'
				end;
				if foul is not null then
					insert into public.foul values (foul, new.id);
				end if;
				if old.worker_id is null and new.worker_id is not null then
					insert into public.claimed (job_id, lease, worker_id, queue, type)
						values (new.id, new.lease, new.worker_id, new.queue, new.type);
					insert into public.foul
						select 'a claim of a worker that cannot run it', new.id
						where not exists (select from rowqueue.worker w where w.id = new.worker_id
							and new.type = any (w.types) and (new.queue = any (w.queues) or '*' = any (w.queues)));
				elsif old.worker_id is not null and new.worker_id is null then
					insert into public.given_back values (old.id, old.lease, old.worker_id, new.state = 'failed',
						not exists (select from rowqueue.worker w where w.id = old.worker_id and w.dead_at is null));
				end if;
				return null;
			end $$;

			create trigger watch_job after update or delete on rowqueue.job for each row execute function watch_job();

			create trigger watch_parked after insert on rowqueue.job for each row when (new.worker_id is not null)
				execute function watch_job();

			create function watch_claims() returns trigger language plpgsql as $$
			declare
				ids bigint[];
			begin
				if tg_op = 'DELETE' then
					ids := old.job_ids;
				else
					ids := array[new.id];
				end if;
				insert into public.foul
					select 'a lease that no worker could recover', j.id
					from rowqueue.job j where j.id = any (ids) and j.worker_id is not null and not exists (
							select from rowqueue.claim c where c.worker_id = j.worker_id and j.id = any (c.job_ids));
				return null;
			end $$;

			create constraint trigger watch_leases after update on rowqueue.job deferrable initially deferred
				for each row when (new.worker_id is not null) execute function watch_claims();
			create constraint trigger watch_parked_leases after insert on rowqueue.job deferrable initially deferred
				for each row when (new.worker_id is not null) execute function watch_claims();
			create constraint trigger watch_claims after delete on rowqueue.claim deferrable initially deferred
				for each row execute function watch_claims();
			""";

	private final JdbcTemplate jdbc;

	/** Begins to watch; the database is to be of the test's own. */
	public Referee(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
		jdbc.execute(RULES);
	}

	/**
	 * Jobs that were taken from a worker that was dead, or taken for dead: their handlers
	 * may have run before.
	 */
	public Set<Long> recovered() {
		return new TreeSet<>(this.jdbc.queryForList("select job_id from given_back where recovered", Long.class));
	}

	/** The claims of a job and their outcomes, for the message of a failed test. */
	public List<String> history(long id) {
		return this.jdbc
			.queryForList("select concat_ws(' ', 'job', c.job_id, 'claim', c.lease, 'of worker', c.worker_id,"
					+ " 'at', c.at, 'given back', g.over, 'recovered', g.recovered)"
					+ " from claimed c left join given_back g using (job_id, lease, worker_id) where c.job_id = ?"
					+ " order by c.at", String.class, id);
	}

	/** What broke a rule, with the id of the job. */
	public List<String> fouls() {
		return this.jdbc.query("select what || ': job ' || job_id from foul"
				+ " union all select 'claimed twice with one number: job ' || job_id from claimed"
				+ " group by job_id, lease having count(*) > 1"
				+ " union all select 'given back twice: job ' || job_id from given_back"
				+ " group by job_id, lease having count(*) > 1"
				+ " union all select 'given back and never claimed: job ' || job_id from given_back g"
				+ " where not exists (select from claimed c where c.job_id = g.job_id and c.lease = g.lease"
				+ " and c.worker_id = g.worker_id)", (row, index) -> row.getString(1));
	}

}
