rootProject.name = "bakery"
