package io.rowqueue.petclinic.owner;

import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import org.jspecify.annotations.Nullable;

/** An animal with an owner. */
@Entity
public class Pet {

	@Id
	@GeneratedValue(strategy = GenerationType.IDENTITY)
	private @Nullable Long id;

	@ManyToOne(fetch = FetchType.LAZY, optional = false)
	private Owner owner;

	private String name;

	private String species;

	/** For JPA. */
	@SuppressWarnings("NullAway.Init")
	protected Pet() {
	}

	Pet(Owner owner, String name, String species) {
		this.owner = owner;
		this.name = name;
		this.species = species;
	}

	/** Returns the id, or {@code null} before it is stored. */
	public @Nullable Long getId() {
		return this.id;
	}

	/** Returns the owner. */
	public Owner getOwner() {
		return this.owner;
	}

	/** Returns the name. */
	public String getName() {
		return this.name;
	}

	/** Returns what kind of animal it is. */
	public String getSpecies() {
		return this.species;
	}

}
