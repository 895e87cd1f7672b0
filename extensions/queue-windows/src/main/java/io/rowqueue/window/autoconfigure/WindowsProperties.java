package io.rowqueue.window.autoconfigure;

import java.util.List;
import java.util.Map;

import io.rowqueue.engine.support.PropertyCheck;
import io.rowqueue.engine.support.PropertyName;
import io.rowqueue.window.Window;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of windows.
 *
 * @param windows Windows that queues and types run in, by name.
 * @since 0.1.0
 */
@ConfigurationProperties("rowqueue")
public record WindowsProperties(@DefaultValue Map<String, WindowProperties> windows) {

	public WindowsProperties {
		windows.forEach((name, window) -> PropertyCheck.of(PropertyName.of("rowqueue.windows", name),
				() -> window.window(name)));
	}

	/** Returns the windows. */
	List<Window> list() {
		return this.windows.entrySet().stream().map((each) -> each.getValue().window(each.getKey())).toList();
	}

}
