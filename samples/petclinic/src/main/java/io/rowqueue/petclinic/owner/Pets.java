package io.rowqueue.petclinic.owner;

import org.springframework.data.jpa.repository.JpaRepository;

/** The stored pets. */
public interface Pets extends JpaRepository<Pet, Long> {

}
