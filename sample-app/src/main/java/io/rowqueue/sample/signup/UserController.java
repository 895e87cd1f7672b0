package io.rowqueue.sample.signup;

import java.util.List;

import jakarta.validation.Valid;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Users over HTTP. */
@RestController
@RequestMapping("/api/users")
class UserController {

	private final SignUp signUp;

	private final Users users;

	UserController(SignUp signUp, Users users) {
		this.signUp = signUp;
		this.users = users;
	}

	@PostMapping
	@ResponseStatus(HttpStatus.CREATED)
	User signUp(@Valid @RequestBody NewUser user) {
		return this.signUp.signUp(user);
	}

	@GetMapping
	List<User> latest() {
		return this.users.latest(50);
	}

}
