package io.pgqueue.store;

import java.time.Duration;

/**
 * A lane whose jobs wait for each other.
 *
 * @param head the lane and where it begins
 * @param most how many of them do not wait any more
 * @param longestWait how long the first one waits, within its tolerance
 */
public record GatheringLane(LaneHead head, int most, Duration longestWait) {

}
