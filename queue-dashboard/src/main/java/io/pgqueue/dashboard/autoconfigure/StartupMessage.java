package io.pgqueue.dashboard.autoconfigure;

import io.pgqueue.dashboard.DashboardAccess;
import io.pgqueue.dashboard.Level;
import io.pgqueue.dashboard.autoconfigure.DashboardProperties.Allow;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says at start for whom the dashboard is open. */
final class StartupMessage {

	private static final Logger logger = LoggerFactory.getLogger(QueueDashboardAutoConfiguration.class);

	private StartupMessage() {
	}

	static void log(DashboardProperties properties, DashboardAccess access, boolean forwarded) {
		String path = properties.path();
		if (properties.access().max() == Level.NONE) {
			logger.info("The dashboard at {} accepts no request: pgqueue.dashboard.access is none", path);
		}
		else if (!(access instanceof PropertyAccess)) {
			logger.info("The dashboard is at {}; a DashboardAccess bean decides who may use it", path);
		}
		else if (properties.whoIsAllowed() == Allow.EVERYONE) {
			logger.warn("The dashboard at {} is open to everyone: pgqueue.dashboard.allow is everyone", path);
		}
		else if (properties.whoIsAllowed() == Allow.LOCAL && forwarded) {
			logger.warn(
					"The dashboard at {} accepts no request: it is for requests from this machine, and the server takes"
							+ " the address of clients from headers. Set pgqueue.dashboard.roles.read and the like, or"
							+ " server.forward-headers-strategy=none",
					path);
		}
		else {
			logger.info("The dashboard is at {} for {}", path, switch (properties.whoIsAllowed()) {
				case LOCAL -> "requests from this machine";
				case ROLES -> "principals with the roles in pgqueue.dashboard.roles";
				case AUTHENTICATED -> "every principal";
				case EVERYONE -> "everyone";
			});
		}
	}

}
