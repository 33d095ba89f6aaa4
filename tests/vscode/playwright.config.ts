import { defineConfig } from "@playwright/test";
import { chromium } from "./harness/chromium";
import { PATIENCE } from "./harness/patience";

export default defineConfig({
  testDir: "./scenarios",
  outputDir: "../../dist/vscode-tests",
  workers: 1,
  retries: 0,
  forbidOnly: true,
  timeout: 6 * PATIENCE,
  expect: { timeout: PATIENCE },
  reporter: [["list"]],
  use: {
    viewport: { width: 1280, height: 800 },
    actionTimeout: PATIENCE,
    navigationTimeout: PATIENCE,
    screenshot: "only-on-failure",
    launchOptions: { executablePath: chromium(), args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"] },
  },
});
