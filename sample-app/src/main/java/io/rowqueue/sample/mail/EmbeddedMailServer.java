package io.rowqueue.sample.mail;

import java.net.InetAddress;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.mail.javamail.JavaMailSender;
import org.springframework.mail.javamail.JavaMailSenderImpl;
import org.subethamail.smtp.server.SMTPServer;

/** An embedded SMTP server, unless {@code spring.mail.host} is set. */
@Configuration(proxyBeanMethods = false)
@Conditional(EmbeddedMailServer.WithoutHost.class)
class EmbeddedMailServer {

	@Bean
	Inbox inbox() {
		return new Inbox();
	}

	@Bean(initMethod = "start", destroyMethod = "stop")
	SMTPServer smtpServer(Inbox inbox) {
		return SMTPServer.port(0).bindAddress(InetAddress.getLoopbackAddress()).messageHandler(inbox).build();
	}

	@Bean
	JavaMailSender mailSender(SMTPServer server) {
		JavaMailSenderImpl sender = new JavaMailSenderImpl();
		sender.setHost(InetAddress.getLoopbackAddress().getHostAddress());
		sender.setPort(server.getPortAllocated());
		return sender;
	}

	/** Matches when no other SMTP server is configured. */
	static class WithoutHost extends NoneNestedConditions {

		WithoutHost() {
			super(ConfigurationPhase.PARSE_CONFIGURATION);
		}

		@ConditionalOnProperty("spring.mail.host")
		static class WithHost {

		}

	}

}
