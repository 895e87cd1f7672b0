package io.pgqueue.sample.demo;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * How much the demo does. How often is said by {@code sample.demo.sign-up-every} and
 * {@code sample.demo.picture-every}.
 *
 * @param signUps how many users sign up before the demo rests
 * @param pictures how many pictures are uploaded before the demo rests
 * @param contacts how many rows the import has that runs once at start
 */
@ConfigurationProperties("sample.demo")
record DemoProperties(int signUps, int pictures, int contacts) {

}
