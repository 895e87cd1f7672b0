package io.rowqueue.petclinic.owner;

import java.util.List;
import java.util.Optional;

import org.springframework.data.jpa.repository.EntityGraph;
import org.springframework.data.jpa.repository.JpaRepository;

/** The stored owners, with their pets. */
interface Owners extends JpaRepository<Owner, Long> {

	@EntityGraph(attributePaths = "pets")
	List<Owner> findAllByOrderByName();

	@EntityGraph(attributePaths = "pets")
	Optional<Owner> findWithPetsById(long id);

}
