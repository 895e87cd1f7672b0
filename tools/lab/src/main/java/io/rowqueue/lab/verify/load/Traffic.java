package io.rowqueue.lab.verify.load;

/**
 * What kind of jobs a round gets, and how many of them.
 *
 * @param factor of the usual rate
 * @param batches how many of a hundred enqueues are of many jobs
 * @param batch how many jobs these are
 * @param brief whether all jobs end as soon as they have begun
 * @param keys how many limit or unique keys half of the single jobs have, in the shard of
 * the key, in a transaction or in any shard; 0: they have none
 */
public record Traffic(double factor, int batches, int batch, boolean brief, int keys) {

	/** Single jobs and small batches of short and long jobs. */
	public static final Traffic USUAL = new Traffic(1, 5, 10, false, 0);

	/** As the usual one, at another rate. */
	public Traffic times(double factor) {
		return new Traffic(factor, this.batches, this.batch, this.brief, this.keys);
	}

	/** As the usual one, with this number of limit keys. */
	public Traffic withKeys(int keys) {
		return new Traffic(this.factor, this.batches, this.batch, this.brief, keys);
	}

}
