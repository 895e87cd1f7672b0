package io.rowqueue.sample.demo;

import java.io.ByteArrayInputStream;
import java.io.IOException;

import io.rowqueue.sample.contact.ContactImports;
import io.rowqueue.sample.picture.Pictures;
import io.rowqueue.sample.signup.SignUp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Generates traffic with the services that the controllers use. */
@Component
@EnableScheduling
@ConditionalOnProperty("sample.demo.enabled")
class DemoTraffic {

	private static final Logger logger = LoggerFactory.getLogger(DemoTraffic.class);

	private static final int THUMBNAIL_SIZE = 160;

	private final SignUp signUp;

	private final Pictures pictures;

	private final ContactImports imports;

	private final DemoProperties properties;

	private final DemoPeople people = new DemoPeople();

	private int signUps;

	private int uploads;

	DemoTraffic(SignUp signUp, Pictures pictures, ContactImports imports, DemoProperties properties) {
		this.signUp = signUp;
		this.pictures = pictures;
		this.imports = imports;
		this.properties = properties;
	}

	@EventListener(ApplicationReadyEvent.class)
	void importContacts() {
		if (this.properties.contacts() == 0) {
			return;
		}
		ContactImports.Started started = this.imports.start(this.people.csv(this.properties.contacts()));
		logger.info("Import {} of {} contacts is enqueued as job {}", started.id(), this.properties.contacts(),
				started.job());
	}

	@Scheduled(initialDelayString = "1s", fixedDelayString = "${sample.demo.sign-up-every}")
	void signUp() {
		if (this.signUps < this.properties.signUps()) {
			this.signUp.signUp(this.people.next());
			this.signUps++;
			if (this.signUps == this.properties.signUps()) {
				logger.info("{} demo users have signed up; no more until the next start", this.signUps);
			}
		}
	}

	@Scheduled(initialDelayString = "2s", fixedDelayString = "${sample.demo.picture-every}")
	void uploadPicture() throws IOException {
		if (this.uploads < this.properties.pictures()) {
			this.pictures.add(new ByteArrayInputStream(DemoPicture.png()), THUMBNAIL_SIZE);
			this.uploads++;
		}
	}

}
