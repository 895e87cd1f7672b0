package io.rowqueue.modulith;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.modulith.events.EventPublication;
import org.springframework.modulith.events.ResubmissionOptions;
import org.springframework.modulith.events.core.EventPublicationRegistry;
import org.springframework.modulith.events.core.PublicationTargetIdentifier;
import org.springframework.modulith.events.core.Staleness;
import org.springframework.modulith.events.core.TargetEventPublication;

/**
 * A registry without publications, since the jobs are the record of what has to be
 * delivered. Spring Modulith's monitor of stale publications requires a registry.
 */
final class NoPublications implements EventPublicationRegistry {

	@Override
	public Collection<TargetEventPublication> store(Object event, Stream<PublicationTargetIdentifier> listeners) {
		return List.of();
	}

	@Override
	public Collection<TargetEventPublication> findIncompletePublications() {
		return List.of();
	}

	@Override
	public Collection<TargetEventPublication> findIncompletePublicationsOlderThan(Duration duration) {
		return List.of();
	}

	@Override
	public void markProcessing(Object event, PublicationTargetIdentifier identifier) {
	}

	@Override
	public void markCompleted(Object event, PublicationTargetIdentifier targetIdentifier) {
	}

	@Override
	public void markFailed(Object event, PublicationTargetIdentifier targetIdentifier) {
	}

	@Override
	public void deleteCompletedPublicationsOlderThan(Duration duration) {
	}

	@Override
	public void processIncompletePublications(Predicate<EventPublication> filter,
			Consumer<TargetEventPublication> consumer, @Nullable Duration duration) {
	}

	@Override
	public void processFailedPublications(ResubmissionOptions options, Consumer<TargetEventPublication> consumer) {
	}

	@Override
	public void markStalePublicationsFailed(Staleness staleness) {
	}

}
