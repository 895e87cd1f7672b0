package io.rowqueue.sample.demo;

import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;

import io.rowqueue.sample.signup.NewUser;

/** Generates names and addresses. */
class DemoPeople {

	private static final List<String> FIRST = List.of("Ada", "Alan", "Barbara", "Dennis", "Edsger", "Frances", "Grace",
			"Hedy", "Ivan", "Jean", "Karen", "Ken", "Linus", "Margaret", "Niklaus", "Radia", "Shafi", "Tim");

	private static final List<String> LAST = List.of("Allen", "Dijkstra", "Goldwasser", "Hamilton", "Hopper", "Lamarr",
			"Liskov", "Lovelace", "Perlman", "Ritchie", "Sammet", "Sutherland", "Thompson", "Turing", "Wirth");

	/** The row of the import that is not a contact, so that its job fails permanently. */
	private static final int BAD_ROW = 42;

	private final Random random = new Random();

	/** Generates each address only once, also across restarts. */
	NewUser next() {
		String first = pick(FIRST);
		String last = pick(LAST);
		String number = UUID.randomUUID().toString().substring(0, 8);
		return new NewUser(first + " " + last,
				(first + "." + last + "." + number + "@example.org").toLowerCase(Locale.ROOT));
	}

	String csv(int rows) {
		StringBuilder csv = new StringBuilder("name,email\n");
		for (int row = 1; row <= rows; row++) {
			NewUser person = next();
			String email = (row == BAD_ROW) ? "no address" : person.email();
			csv.append(person.name()).append(',').append(email).append('\n');
		}
		return csv.toString();
	}

	private String pick(List<String> names) {
		return names.get(this.random.nextInt(names.size()));
	}

}
