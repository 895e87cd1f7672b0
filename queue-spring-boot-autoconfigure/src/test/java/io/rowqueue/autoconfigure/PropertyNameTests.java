package io.rowqueue.autoconfigure;

import io.rowqueue.engine.support.PropertyName;
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
	@CsvSource({ "mail,rowqueue.types.mail", "mail-2,rowqueue.types.mail-2", "Mail,rowqueue.types[Mail]",
			"my_mail,rowqueue.types[my_mail]", "my.mail,rowqueue.types[my.mail]", "my mail,rowqueue.types[my mail]" })
	void aKeyIsInBracketsIfItNeedsThem(String key, String name) {
		assertThat(PropertyName.of("rowqueue.types", key)).isEqualTo(name);
		assertThat(ConfigurationPropertyName.isValid(name)).isTrue();
		assertThat(Binder.get(new MockEnvironment().withProperty(name, "value"))
			.bind("rowqueue.types", Bindable.mapOf(String.class, String.class))
			.get()).containsOnlyKeys(key);
	}

}
