package io.rowqueue.engine.shard;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

import io.rowqueue.JobRequest;
import org.jspecify.annotations.Nullable;

/**
 * Divides keys into buckets, so that moving keys means moving a few thousand buckets. SQL
 * and other languages can do the same: {@code ('x' || left(md5(key), 3))::bit(12)::int}.
 */
final class Buckets {

	private Buckets() {
	}

	/**
	 * Returns the key that decides where a job is stored. A limit counts jobs with
	 * different unique keys, which therefore have to meet.
	 */
	static @Nullable String key(JobRequest request) {
		if (request.limitKey() != null) {
			return request.limitKey();
		}
		return (request.unique() != null) ? request.unique().value() : null;
	}

	/** Returns the buckets of the jobs that have keys. */
	static List<Integer> of(Collection<JobRequest> requests) {
		return requests.stream().map(Buckets::key).filter(Objects::nonNull).map(Buckets::of).distinct().toList();
	}

	static int of(String key) {
		try {
			byte[] digest = MessageDigest.getInstance("MD5").digest(key.getBytes(StandardCharsets.UTF_8));
			return (digest[0] & 0xff) << 4 | (digest[1] & 0xff) >> 4;
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has MD5", ex);
		}
	}

}
