package io.rowqueue.sample;

import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * The application has no pages of its own: its root leads to the dashboard, for those who
 * have opened the link in the log.
 */
@Configuration(proxyBeanMethods = false)
class FrontPage implements WebMvcConfigurer {

	@Override
	public void addViewControllers(ViewControllerRegistry registry) {
		registry.addRedirectViewController("/", "/rowqueue/");
	}

}
