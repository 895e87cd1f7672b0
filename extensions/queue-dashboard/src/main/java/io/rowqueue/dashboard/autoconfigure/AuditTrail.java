package io.rowqueue.dashboard.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;

import io.rowqueue.dashboard.api.health.AboutDashboard;
import io.rowqueue.dashboard.http.DashboardRequest;
import io.rowqueue.engine.support.LogText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;

/**
 * The trace of requests that are no commands: those that were refused, and those that
 * were shown what is hidden from others.
 *
 * @param about says who a caller is
 * @param events publishes audit events
 */
record AuditTrail(AboutDashboard about, ApplicationEventPublisher events) {

	private static final Logger logger = LoggerFactory.getLogger(AuditTrail.class);

	private static final int LONGEST_TEXT = 200;

	void refused(DashboardRequest request, String reason) {
		logger.info("{} of {} by {} was refused: {}", request.method(), path(request), who(request), text(reason));
		Map<String, Object> data = data(request);
		data.put("reason", text(reason));
		publish(request, "ROWQUEUE_REFUSED", data);
	}

	void shown(DashboardRequest request) {
		publish(request, "ROWQUEUE_READ", data(request));
	}

	private void publish(DashboardRequest request, String type, Map<String, Object> data) {
		this.events.publishEvent(new AuditApplicationEvent(this.about.who(request.caller()), type, data));
	}

	private static Map<String, Object> data(DashboardRequest request) {
		Map<String, Object> data = new LinkedHashMap<>();
		String address = request.caller().address();
		if (address != null) {
			data.put("remoteAddress", address);
		}
		data.put("via", request.caller().via());
		data.put("path", path(request));
		return data;
	}

	private String who(DashboardRequest request) {
		String address = request.caller().address();
		String name = text(this.about.who(request.caller()));
		return (address != null) ? name + " from " + address : name;
	}

	private static String path(DashboardRequest request) {
		return text(String.valueOf(request.path()));
	}

	private static String text(String text) {
		return LogText.oneLine(text, LONGEST_TEXT);
	}

}
