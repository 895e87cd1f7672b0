package io.rowqueue.petclinic.visit;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.springframework.data.jpa.repository.EntityGraph;
import org.springframework.data.jpa.repository.JpaRepository;

/** The stored visits, with pet and owner. */
public interface Visits extends JpaRepository<Visit, Long> {

	/**
	 * Finds the visits with the latest time.
	 * @return at most 100 visits
	 */
	@EntityGraph(attributePaths = "pet.owner")
	List<Visit> findTop100ByOrderByStartsAtDesc();

	/**
	 * Finds the visits in a state that begin in a time.
	 * @param state the state
	 * @param from the earliest time
	 * @param until the first time after it
	 * @return the visits, in their order
	 */
	@EntityGraph(attributePaths = "pet.owner")
	List<Visit> findByStateAndStartsAtGreaterThanEqualAndStartsAtLessThanOrderByStartsAt(Visit.State state,
			Instant from, Instant until);

	/**
	 * Finds a visit with its pet and owner.
	 * @param id the id
	 * @return the visit, if there is one
	 */
	@EntityGraph(attributePaths = "pet.owner")
	Optional<Visit> findWithPetById(long id);

}
