package io.rowqueue.autoconfigure;

import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.core.io.UrlResource;
import org.springframework.util.ClassUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** What an editor shows about the properties. */
class ConfigurationMetadataTests {

	@Test
	void everyPropertySaysWhatItIs() throws IOException {
		assertThat(properties().values()).isNotEmpty().allSatisfy((property) -> {
			assertThat(property.path("description").asString("")).endsWith(".");
			assertThat(property.path("type").asString("")).isNotEmpty();
		});
	}

	@Test
	void everyHintIsForAPropertyThatExists() throws IOException {
		assertThat(hints().map((hint) -> hint.get("name").asString())).isNotEmpty()
			.allSatisfy((name) -> assertThat(properties()).containsKey(name.replaceAll("\\.(keys|values)$", "")));
	}

	static Stream<Arguments> values() throws IOException {
		Map<String, JsonNode> properties = properties();
		return hints().filter((hint) -> properties.containsKey(hint.get("name").asString()))
			.flatMap((hint) -> hint.get("values")
				.valueStream()
				.map((value) -> Arguments.of(hint.get("name").asString(),
						properties.get(hint.get("name").asString()).get("type").asString(),
						value.get("value").asString())));
	}

	@ParameterizedTest
	@MethodSource("values")
	void everyValueThatIsSuggestedCanBeUsed(String property, String type, String value) throws Exception {
		Class<?> target = ClassUtils.forName(type, null);
		assertThat(ApplicationConversionService.getSharedInstance().convert(value, target)).as(property)
			.isInstanceOf(target);
	}

	private static Map<String, JsonNode> properties() throws IOException {
		return metadata().get("properties")
			.valueStream()
			.collect(Collectors.toMap((property) -> property.get("name").asString(), (property) -> property));
	}

	private static Stream<JsonNode> hints() throws IOException {
		return metadata().get("hints").valueStream();
	}

	/**
	 * The file beside our classes, into which the hints were merged: those of tests may
	 * have one as well.
	 */
	static JsonNode metadata() throws IOException {
		return JsonMapper.shared()
			.readTree(
					new UrlResource(Objects.requireNonNull(QueueProperties.class.getResource("QueueProperties.class")))
						.createRelative("../../../META-INF/spring-configuration-metadata.json")
						.getContentAsByteArray());
	}

}
