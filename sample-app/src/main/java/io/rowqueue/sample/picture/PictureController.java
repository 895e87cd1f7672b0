package io.rowqueue.sample.picture;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.UUID;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.server.ResponseStatusException;

/** Pictures over HTTP. */
@RestController
@RequestMapping("/api/pictures")
class PictureController {

	private final Pictures pictures;

	PictureController(Pictures pictures) {
		this.pictures = pictures;
	}

	@PostMapping
	ResponseEntity<Pictures.Upload> upload(@RequestParam MultipartFile file,
			@RequestParam(defaultValue = "160") @Min(16) @Max(1024) int size) throws IOException {
		try (InputStream content = file.getInputStream()) {
			Pictures.Upload upload = this.pictures.add(content, size);
			return ResponseEntity.accepted()
				.location(URI.create("/api/pictures/" + upload.id() + "/thumbnail"))
				.body(upload);
		}
	}

	@GetMapping(path = "/{id}/thumbnail", produces = MediaType.IMAGE_PNG_VALUE)
	Resource thumbnail(@PathVariable UUID id) {
		return this.pictures.thumbnail(id)
			.map(FileSystemResource::new)
			.orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no thumbnail (yet)"));
	}

}
