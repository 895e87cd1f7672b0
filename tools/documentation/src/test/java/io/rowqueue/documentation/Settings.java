package io.rowqueue.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rowqueue.autoconfigure.QueueProperties;
import io.rowqueue.monitoring.autoconfigure.MonitoringProperties;
import io.rowqueue.schedule.autoconfigure.SchedulesProperties;
import io.rowqueue.shard.autoconfigure.ShardsProperties;
import io.rowqueue.window.autoconfigure.WindowsProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.env.PropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Properties in a document. */
record Settings(Map<String, Object> values) {

	static Settings of(Block block) {
		PropertySourceLoader loader = block.language().equals("properties") ? new PropertiesPropertySourceLoader()
				: new YamlPropertySourceLoader();
		Map<String, Object> values = new TreeMap<>();
		try {
			for (PropertySource<?> source : loader.load("block", new ByteArrayResource(block.code().getBytes()))) {
				for (String name : ((EnumerablePropertySource<?>) source).getPropertyNames()) {
					values.put(name, source.getProperty(name));
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return new Settings(values);
	}

	/** The names that no metadata on the class path knows. */
	Set<String> unknown() {
		Metadata metadata = Metadata.read();
		return this.values.keySet().stream().filter((name) -> !metadata.knows(name)).collect(Collectors.toSet());
	}

	/** Binds what is the queue's. */
	void bind() {
		Binder binder = new Binder(new MapConfigurationPropertySource(this.values));
		Stream
			.of(QueueProperties.class, MonitoringProperties.class, WindowsProperties.class, SchedulesProperties.class,
					ShardsProperties.class)
			.forEach((type) -> binder.bindOrCreate("rowqueue", Bindable.of(type)));
	}

	/**
	 * What starters say about their properties.
	 *
	 * @param names the properties
	 * @param maps those that have more behind them
	 */
	private record Metadata(Set<String> names, Set<String> maps) {

		static Metadata read() {
			Metadata metadata = new Metadata(new HashSet<>(), new HashSet<>());
			try {
				for (Resource file : new PathMatchingResourcePatternResolver()
					.getResources("classpath*:META-INF/*spring-configuration-metadata.json")) {
					JsonMapper.shared()
						.readTree(file.getContentAsByteArray())
						.path("properties")
						.valueStream()
						.forEach(metadata::add);
				}
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			return metadata;
		}

		private void add(JsonNode property) {
			String name = property.get("name").asString();
			this.names.add(name);
			if (property.path("type").asString("").startsWith("java.util.Map")) {
				this.maps.add(name);
			}
		}

		boolean knows(String name) {
			return this.names.contains(name.replaceAll("\\[\\d+]$", ""))
					|| this.maps.stream().anyMatch((map) -> name.startsWith(map + ".") || name.startsWith(map + "["));
		}

	}

}
