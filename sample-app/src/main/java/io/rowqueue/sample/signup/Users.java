package io.rowqueue.sample.signup;

import java.util.List;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of users. */
@Repository
class Users {

	private final JdbcClient jdbc;

	Users(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	User add(NewUser user) {
		try {
			return this.jdbc
				.sql("insert into users (name, email) values (:name, :email) returning id, name, email, created_at")
				.paramSource(user)
				.query(User.class)
				.single();
		}
		catch (DuplicateKeyException ex) {
			throw new EmailTakenException(user.email(), ex);
		}
	}

	List<User> latest(int count) {
		return this.jdbc.sql("select id, name, email, created_at from users order by id desc limit ?")
			.param(count)
			.query(User.class)
			.list();
	}

}
