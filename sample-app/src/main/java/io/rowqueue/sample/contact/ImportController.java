package io.rowqueue.sample.contact;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Imports over HTTP. */
@RestController
@RequestMapping("/api/imports")
class ImportController {

	private static final int MAX_BYTES = 5_000_000;

	private final ContactImports imports;

	private final ImportStore store;

	ImportController(ContactImports imports, ImportStore store) {
		this.imports = imports;
		this.store = store;
	}

	@PostMapping(consumes = "text/csv")
	ResponseEntity<ContactImports.Started> start(InputStream body) throws IOException {
		byte[] csv = body.readNBytes(MAX_BYTES + 1);
		if (csv.length > MAX_BYTES) {
			throw new ResponseStatusException(HttpStatus.CONTENT_TOO_LARGE, "At most %d bytes".formatted(MAX_BYTES));
		}
		ContactImports.Started started = this.imports.start(decode(csv));
		return ResponseEntity.accepted().location(URI.create("/api/imports/" + started.id())).body(started);
	}

	@GetMapping("/{id}")
	Report report(@PathVariable long id) {
		ImportProgress progress = this.store.progress(id)
			.orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no import " + id));
		return new Report(progress, this.store.errors(id, 20));
	}

	private static String decode(byte[] csv) {
		try {
			String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(csv)).toString();
			if (text.indexOf('\0') < 0) {
				return text;
			}
		}
		catch (CharacterCodingException ex) {
			// rejected below
		}
		throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "The body is not text in UTF-8");
	}

	/**
	 * An import as it is now.
	 *
	 * @param progress the progress
	 * @param errors the reasons of the first twenty rejected rows
	 */
	record Report(ImportProgress progress, List<String> errors) {

	}

}
