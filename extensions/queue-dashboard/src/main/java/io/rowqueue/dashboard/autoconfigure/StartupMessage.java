package io.rowqueue.dashboard.autoconfigure;

import io.rowqueue.dashboard.DashboardAccess;
import io.rowqueue.dashboard.Level;
import io.rowqueue.dashboard.autoconfigure.DashboardProperties.Allow;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;

/** Says at start where the dashboard is, and for whom it is open. */
final class StartupMessage implements ApplicationListener<ApplicationStartedEvent> {

	private static final Logger logger = LoggerFactory.getLogger(QueueDashboardAutoConfiguration.class);

	private static final String ANY_HOST = "; set rowqueue.dashboard.hosts to the names of the server (or to *, if who"
			+ " is admitted does not depend on addresses): a page elsewhere may have its own name resolved to it";

	private final DashboardProperties properties;

	private final boolean beanDecides;

	private final AccessToken token;

	private final String path;

	/**
	 * Creates the message.
	 * @param properties who is admitted
	 * @param access the bean that decides, if there is one
	 * @param token opens the dashboard if no role does
	 * @param application the path of the application, without a slash at its end
	 */
	StartupMessage(DashboardProperties properties, ObjectProvider<DashboardAccess> access, AccessToken token,
			String application) {
		this.properties = properties;
		this.beanDecides = access.getIfAvailable() != null;
		this.token = token;
		this.path = application + properties.path();
	}

	@Override
	public void onApplicationEvent(ApplicationStartedEvent event) {
		boolean anyHost = this.properties.hosts().isEmpty();
		if (this.properties.access().max() == Level.NONE) {
			logger.info("The dashboard at {} accepts no request: rowqueue.dashboard.access is none", this.path);
		}
		else if (this.beanDecides) {
			String message = "The dashboard is at " + this.path + "; a DashboardAccess bean decides who may use it";
			if (anyHost) {
				logger.warn("{}{}", message, ANY_HOST);
			}
			else {
				logger.info(message);
			}
		}
		else if (this.properties.whoIsAllowed() == Allow.EVERYONE) {
			logger.warn("The dashboard at {} is open to everyone: rowqueue.dashboard.allow is everyone{}", this.path,
					anyHost ? ANY_HOST : "");
		}
		else if (this.properties.isByToken()) {
			String address = address(event.getApplicationContext().getEnvironment());
			if (this.token.isRandom()) {
				logger.info("The dashboard is at {}/?token={}", address, this.token.value());
			}
			else {
				logger.info("The dashboard is at {}/ for those who have the token, rowqueue.dashboard.token", address);
			}
		}
		else {
			logger.info("The dashboard is at {} for {}", this.path, (this.properties.whoIsAllowed() == Allow.ROLES)
					? "principals with the roles in rowqueue.dashboard.roles" : "every principal");
		}
	}

	/** A server that the application did not start has a port that is not known. */
	private String address(Environment environment) {
		String port = environment.getProperty("local.server.port");
		if (port == null) {
			return this.path;
		}
		boolean secure = environment.getProperty("server.ssl.enabled", Boolean.class, true)
				&& Binder.get(environment).bind("server.ssl", Bindable.mapOf(String.class, String.class)).isBound();
		return (secure ? "https" : "http") + "://localhost:" + port + this.path;
	}

}
