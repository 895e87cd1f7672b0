package io.rowqueue.bakery

import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import kotlin.io.path.Path
import kotlin.io.path.readText

/** The build for Gradle, which Maven does not run, says the same as the one for Maven. */
class GradleBuildTests {
	private val gradle = Path("build.gradle.kts").readText()

	private val maven = Path("pom.xml").readText()

	private val parent = Path("..", "..", "pom.xml").readText()

	@Test
	fun bothHaveTheSameDependencies() {
		assertThat(gradleDependencies("implementation")).isEqualTo(mavenDependencies(test = false) - "rowqueue-dev-postgres")
		assertThat(gradleDependencies("testImplementation")).isEqualTo(mavenDependencies(test = true))
	}

	@Test
	fun bothHaveTheSameVersions() {
		assertThat(gradle)
			.contains("kotlin(\"jvm\") version \"${property("kotlin.version")}\"")
			.contains("kotlin(\"plugin.spring\") version \"${property("kotlin.version")}\"")
			.contains("id(\"org.springframework.boot\") version \"${property("spring-boot.version")}\"")
			.contains("io.rowqueue:rowqueue-bom:${Regex("<version>(.+?)</version>").find(parent)!!.groupValues[1]}")
			.contains("jvmToolchain(${property("maven.compiler.release")})")
	}

	@Test
	fun theLibraryOfKotlinHasTheVersionOfTheCompiler() {
		assertThat(KotlinVersion.CURRENT).hasToString(property("kotlin.version"))
	}

	private fun property(name: String) = Regex("<$name>(.+?)</$name>").find(parent)!!.groupValues[1]

	private fun gradleDependencies(configuration: String) =
		Regex("(?m)^\t$configuration\\(\"[^:]+:([^\"]+)\"\\)").findAll(gradle).map { it.groupValues[1] }.toSet()

	private fun mavenDependencies(test: Boolean) =
		Regex("(?s)<dependency>(.+?)</dependency>")
			.findAll(maven.substringBefore("<build>"))
			.map { it.groupValues[1] }
			.filter { it.contains("<scope>test") == test }
			.map { Regex("<artifactId>(.+?)</artifactId>").find(it)!!.groupValues[1] }
			.toSet()
}
