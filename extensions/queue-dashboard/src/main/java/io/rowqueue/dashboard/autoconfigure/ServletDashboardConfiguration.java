package io.rowqueue.dashboard.autoconfigure;

import io.rowqueue.dashboard.DashboardAccess;
import io.rowqueue.dashboard.http.Dashboard;
import jakarta.servlet.ServletContext;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.StringUtils;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/** The routes of the dashboard in a servlet application. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(DispatcherServlet.class)
class ServletDashboardConfiguration {

	@Bean
	StartupMessage rowqueueDashboardStartupMessage(DashboardProperties properties,
			ObjectProvider<DashboardAccess> access, AccessToken token, ServletContext servlet,
			@Value("${spring.mvc.servlet.path:/}") String path) {
		return new StartupMessage(properties, access, token,
				servlet.getContextPath() + StringUtils.trimTrailingCharacter(path, '/'));
	}

	@Bean
	RouterFunction<ServerResponse> rowqueueDashboardRoutes(Dashboard dashboard) {
		return new ServletDashboard(dashboard).routes();
	}

}
