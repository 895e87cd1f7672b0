package io.rowqueue.autoconfigure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
		return metadata("properties")
			.collect(Collectors.toMap((property) -> property.get("name").asString(), (property) -> property));
	}

	private static Stream<JsonNode> hints() throws IOException {
		return metadata("hints");
	}

	/**
	 * What the files beside the classes of all our modules say, into which the hints were
	 * merged: every starter on the class path has one, and tests may.
	 */
	static Stream<JsonNode> metadata(String list) throws IOException {
		List<JsonNode> entries = new ArrayList<>();
		for (String module : modules()) {
			JsonMapper.shared()
				.readTree(
						new UrlResource(module + "META-INF/spring-configuration-metadata.json").getContentAsByteArray())
				.get(list)
				.forEach(entries::add);
		}
		return entries.stream();
	}

	private static Set<String> modules() {
		return KnownProperties.types()
			.stream()
			.map((type) -> String
				.valueOf(type.getResource("/" + ClassUtils.convertClassNameToResourcePath(type.getName()) + ".class"))
				.replaceFirst("io/rowqueue/.*", ""))
			.collect(Collectors.toSet());
	}

}
