package io.rowqueue.devkafka;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of the loopback address. */
final class Ports {

	private static final int LOWEST = 12_000;

	private static final int HIGHEST = 20_000;

	private Ports() {
	}

	/**
	 * Free ports, none of those that the system gives to clients: while a broker is down,
	 * a client could get its port.
	 */
	static List<Integer> free(int count) {
		Set<Integer> ports = new LinkedHashSet<>();
		for (int i = 0; i < 100 * count && ports.size() < count; i++) {
			int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
			if (isFree(port)) {
				ports.add(port);
			}
		}
		if (ports.size() < count) {
			throw new IllegalStateException("There are no free ports from " + LOWEST + " to " + HIGHEST);
		}
		return List.copyOf(ports);
	}

	private static boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
			return socket.isBound();
		}
		catch (IOException ex) {
			// another process has it
			return false;
		}
	}

}
