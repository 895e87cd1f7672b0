package io.rowqueue.engine.shard;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.rowqueue.window.Window;
import io.rowqueue.window.WindowStatus;
import io.rowqueue.window.Windows;

/** The windows of all shards, which have the same ones. */
public final class ShardedWindows implements Windows {

	private final EachShard shards;

	public ShardedWindows(ShardGroup group) {
		this.shards = new EachShard(group);
	}

	@Override
	public void put(Window window) {
		this.shards.change((shard) -> {
			shard.administration().windows().put(window);
			return true;
		});
	}

	@Override
	public boolean remove(String name) {
		return this.shards.change((shard) -> shard.administration().windows().remove(name)).contains(true);
	}

	@Override
	public Optional<WindowStatus> find(String name) {
		return list().stream().filter((status) -> status.window().name().equals(name)).findFirst();
	}

	@Override
	public List<WindowStatus> list() {
		Map<String, WindowStatus> windows = new LinkedHashMap<>();
		this.shards.read((shard) -> shard.administration().windows().list())
			.forEach((status) -> windows.putIfAbsent(status.window().name(), status));
		return List.copyOf(windows.values());
	}

}
