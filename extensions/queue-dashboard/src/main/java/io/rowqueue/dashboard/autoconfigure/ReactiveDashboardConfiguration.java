package io.rowqueue.dashboard.autoconfigure;

import io.rowqueue.dashboard.DashboardAccess;
import io.rowqueue.dashboard.http.Dashboard;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.StringUtils;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/** The routes of the dashboard in a reactive application. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(DispatcherHandler.class)
class ReactiveDashboardConfiguration {

	@Bean
	ReactiveDashboard rowqueueReactiveDashboard(Dashboard dashboard, DashboardProperties properties) {
		return new ReactiveDashboard(new Root(properties.path()), dashboard, properties.connections());
	}

	@Bean
	StartupMessage rowqueueDashboardStartupMessage(DashboardProperties properties,
			ObjectProvider<DashboardAccess> access, AccessToken token,
			@Value("${spring.webflux.base-path:}") String path) {
		return new StartupMessage(properties, access, token, StringUtils.trimTrailingCharacter(path, '/'));
	}

	@Bean
	RouterFunction<ServerResponse> rowqueueDashboardRoutes(ReactiveDashboard dashboard) {
		return dashboard.routes();
	}

}
