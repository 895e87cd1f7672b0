package io.rowqueue.engine.slot;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PlacesTests {

	private final Places places = new Places();

	@Test
	void heldAndReservedPlacesAreNotFree() {
		this.places.hold(2, 3);
		assertThat(this.places.free(10)).isEqualTo(5);
		assertThat(this.places.reserve(4, 10)).isEqualTo(4);
		assertThat(this.places.free(10)).isEqualTo(1);
		this.places.add(-4);
		assertThat(this.places.free(10)).isEqualTo(5);
	}

	@Test
	void onlyFreePlacesAreReserved() {
		this.places.hold(0, 9);
		assertThat(this.places.reserve(4, 10)).isEqualTo(1);
		assertThat(this.places.reserve(4, 10)).isZero();
		this.places.hold(0, 12);
		assertThat(this.places.reserve(4, 10)).as("more are held than now wanted").isZero();
	}

	@Test
	void aClaimIsWorthItWhenNoJobWaits() {
		this.places.hold(0, 9);
		assertThat(this.places.room(10)).isEqualTo(1);
		this.places.hold(1, 8);
		assertThat(this.places.room(10)).isZero();
		this.places.hold(0, 8);
		this.places.reserve(1, 10);
		assertThat(this.places.room(10)).as("another claim may bring one").isZero();
	}

	@Test
	void aClaimIsWorthItWhenHalfOfTheJobsAreMissing() {
		this.places.hold(1, 5);
		assertThat(this.places.room(10)).isZero();
		this.places.hold(1, 4);
		assertThat(this.places.room(10)).isEqualTo(5);
	}

	@Test
	void aClaimIsWorthItWhenThereIsRoomForAWholeOne() {
		this.places.hold(2001 - Pool.MAX_JOBS_PER_CLAIM, 0);
		assertThat(this.places.room(2000)).isZero();
		this.places.hold(2000 - Pool.MAX_JOBS_PER_CLAIM, 0);
		assertThat(this.places.room(2000)).isEqualTo(Pool.MAX_JOBS_PER_CLAIM);
	}

}
