package io.rowqueue.sample.demo;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The amount of demo traffic. Its frequency is set with {@code sample.demo.sign-up-every}
 * and {@code sample.demo.picture-every}.
 *
 * @param signUps the number of users who sign up until the next start
 * @param pictures the number of pictures that are uploaded until the next start
 * @param contacts how many rows the import has that runs once at start; none if 0
 */
@ConfigurationProperties("sample.demo")
record DemoProperties(int signUps, int pictures, int contacts) {

}
