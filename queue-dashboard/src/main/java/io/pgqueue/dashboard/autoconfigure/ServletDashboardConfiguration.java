package io.pgqueue.dashboard.autoconfigure;

import io.pgqueue.dashboard.http.Dashboard;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/** The routes of the dashboard in a servlet application. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(DispatcherServlet.class)
class ServletDashboardConfiguration {

	@Bean
	RouterFunction<ServerResponse> pgqueueDashboardRoutes(Dashboard dashboard, DashboardProperties properties) {
		return new ServletDashboard(new Root(properties.path()), dashboard).routes();
	}

}
