package io.rowqueue.engine.measure;

/**
 * Measures pauses, waits, flows and batches, and what other parts of the schema measure.
 * Each statement reads unfinished ones by an index, up to a maximum.
 */
final class OrchestrationFigures {

	/** The number at which counting flows stops. */
	static final int MAX_FLOWS = 1000;

	/** The maximum number of paused queues and types that are shown. */
	private static final int MAX_PAUSED = 100;

	/** The flows with an unfinished or failed job. */
	static final String FLOWS = """
			open_flow as (
				(select flow_id, 1 as number from {schema}.flow_job where state is null order by flow_id limit 1)
				union all
				select next.flow_id, number + 1 from open_flow cross join lateral (
					select flow_id from {schema}.flow_job
					where state is null and flow_id > open_flow.flow_id order by flow_id limit 1) next
				where number < %1$s),
			failed_flow as (
				(select flow_id, 1 as number from {schema}.flow_job where state = 'failed' order by flow_id limit 1)
				union all
				select next.flow_id, number + 1 from failed_flow cross join lateral (
					select flow_id from {schema}.flow_job
					where state = 'failed' and flow_id > failed_flow.flow_id order by flow_id limit 1) next
				where number < %1$s),
			""".formatted(MAX_FLOWS);

	/** Rows of name, queue, state, value and text. */
	static final String FIGURES = """
			select name, queue, state, value, text from {schema}.part_figures()
			union all
			(select 'paused', name, kind, extract(epoch from clock_timestamp() - paused_at), reason from {schema}.pause
			where source = '' order by paused_at limit %1$s)
			union all
			select 'pauses', null, cause, count(*), null from (select cause from {schema}.pauses limit %2$s) paused group by cause
			union all
			select 'waits', null, waits.kind, count(*), null
			from (select job_id, kind, lease from {schema}.job_wait limit %2$s) waits
			cross join lateral (select from {schema}.job j
				where j.id = waits.job_id and j.lease = waits.lease and j.indexed_state = 'scheduled' limit 1) waiting
			group by waits.kind
			union all
			select 'flows', null, 'failed', count(*), null from failed_flow
			union all
			select 'flows', null, 'running', count(*), null from open_flow
			where not exists (select from {schema}.flow_job m where m.flow_id = open_flow.flow_id and m.state = 'failed')
			union all
			select 'batches', null, state, count(*), null
			from (select case when closed_at is null then 'open' else 'running' end as state from {schema}.batch
				where finished_at is null order by created_at limit %2$s) batch
			group by state
			union all
			(select 'batch.oldest', null, null, extract(epoch from clock_timestamp() - created_at), name from {schema}.batch
			where finished_at is null and closed_at is not null order by created_at limit 1)
			union all
			select 'limit.tokens', name, kind, tokens, null from {schema}.limits where tokens is not null
			"""
		.formatted(MAX_PAUSED, MeasurementStore.MAX_COUNT);

	private OrchestrationFigures() {
	}

}
