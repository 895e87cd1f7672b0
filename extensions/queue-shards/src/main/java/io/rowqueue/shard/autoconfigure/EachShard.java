package io.rowqueue.shard.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Imports the auto-configurations of what each shard has of its own. Each part of the
 * queue names its own in the file
 * {@code META-INF/spring/io.rowqueue.shard.autoconfigure.EachShard.imports}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ImportAutoConfiguration
@interface EachShard {

}
