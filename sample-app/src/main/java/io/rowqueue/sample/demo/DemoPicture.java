package io.rowqueue.sample.demo;

import java.awt.Color;
import java.awt.GradientPaint;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;

import javax.imageio.ImageIO;

/** Paints pictures of sunsets. */
final class DemoPicture {

	private static final int WIDTH = 960;

	private static final int HEIGHT = 640;

	private DemoPicture() {
	}

	static byte[] png() throws IOException {
		BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
		Graphics2D graphics = image.createGraphics();
		try {
			graphics.setPaint(new GradientPaint(0, 0, color(0.6f), 0, HEIGHT, color(0.9f)));
			graphics.fillRect(0, 0, WIDTH, HEIGHT);
			int diameter = ThreadLocalRandom.current().nextInt(80, 240);
			graphics.setColor(Color.ORANGE);
			graphics.fillOval(ThreadLocalRandom.current().nextInt(WIDTH - diameter), HEIGHT / 2, diameter, diameter);
		}
		finally {
			graphics.dispose();
		}
		ByteArrayOutputStream png = new ByteArrayOutputStream();
		ImageIO.write(image, "png", png);
		return png.toByteArray();
	}

	private static Color color(float brightness) {
		return Color.getHSBColor(ThreadLocalRandom.current().nextFloat(), 0.4f, brightness);
	}

}
