import org.springframework.boot.gradle.plugin.SpringBootPlugin

plugins {
	kotlin("jvm") version "2.3.21"
	kotlin("plugin.spring") version "2.3.21" // opens the classes of beans for proxies
	id("org.springframework.boot") version "4.1.2"
}

repositories {
	mavenLocal()
	mavenCentral()
}

dependencies {
	implementation(platform(SpringBootPlugin.BOM_COORDINATES))
	implementation(platform("io.rowqueue:rowqueue-bom:0.1.0-SNAPSHOT"))
	implementation("io.rowqueue:rowqueue-spring-boot-starter")
	implementation("io.rowqueue:rowqueue-kotlin")
	implementation("org.springframework.boot:spring-boot-starter-webmvc")
	testImplementation("io.rowqueue:rowqueue-spring-boot-starter-test")
	testImplementation("org.springframework.boot:spring-boot-starter-test")
	testRuntimeOnly("org.junit.platform:junit-platform-launcher")
}

kotlin {
	jvmToolchain(17)
	compilerOptions {
		javaParameters = true
		freeCompilerArgs.addAll("-Xjsr305=strict", "-Xannotation-default-target=param-property")
	}
}

tasks.test {
	useJUnitPlatform()
}
