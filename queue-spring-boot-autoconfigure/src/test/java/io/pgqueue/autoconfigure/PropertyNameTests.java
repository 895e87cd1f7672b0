package io.pgqueue.autoconfigure;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/** A message names a property so that it can be copied into a file. */
class PropertyNameTests {

	@ParameterizedTest
	@CsvSource({ "mail,pgqueue.types.mail", "mail-2,pgqueue.types.mail-2", "Mail,pgqueue.types[Mail]",
			"my_mail,pgqueue.types[my_mail]", "my.mail,pgqueue.types[my.mail]", "my mail,pgqueue.types[my mail]" })
	void aKeyIsInBracketsIfItNeedsThem(String key, String name) {
		assertThat(PropertyName.of("pgqueue.types", key)).isEqualTo(name);
		assertThat(ConfigurationPropertyName.isValid(name)).isTrue();
		assertThat(Binder.get(new MockEnvironment().withProperty(name, "value"))
			.bind("pgqueue.types", Bindable.mapOf(String.class, String.class))
			.get()).containsOnlyKeys(key);
	}

}
