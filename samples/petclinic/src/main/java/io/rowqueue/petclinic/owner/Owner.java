package io.rowqueue.petclinic.owner;

import java.util.ArrayList;
import java.util.List;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OrderBy;
import org.jspecify.annotations.Nullable;

/** A person with pets. */
@Entity
public class Owner {

	@Id
	@GeneratedValue(strategy = GenerationType.IDENTITY)
	private @Nullable Long id;

	private String name;

	private String email;

	@OneToMany(mappedBy = "owner", cascade = CascadeType.PERSIST)
	@OrderBy("name")
	private List<Pet> pets = new ArrayList<>();

	/** For JPA. */
	@SuppressWarnings("NullAway.Init")
	protected Owner() {
	}

	Owner(String name, String email) {
		this.name = name;
		this.email = email;
	}

	void add(String petName, String species) {
		this.pets.add(new Pet(this, petName, species));
	}

	/** Returns the id, or {@code null} before it is stored. */
	public @Nullable Long getId() {
		return this.id;
	}

	/** Returns the name. */
	public String getName() {
		return this.name;
	}

	/** Returns the address for mails. */
	public String getEmail() {
		return this.email;
	}

	/** Returns the pets by name. */
	public List<Pet> getPets() {
		return this.pets;
	}

}
