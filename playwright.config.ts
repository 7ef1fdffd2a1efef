import { defineConfig } from '@playwright/test'

/** Tests that share a service with a mail server, from tests/e2e/mail-test.ts. */
const WITH_MAIL = /\/(?:mail|first-proof|purchase)\.spec\.ts$/

// The browser and the service are started by the fixtures in tests/e2e/browser-test.ts.
export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  // Each worker starts a service of its own. Tests of one file run one after another.
  workers: 3,
  projects: [
    { name: 'site', testIgnore: WITH_MAIL, workers: 2 },
    { name: 'mail', testMatch: WITH_MAIL, workers: 1 },
  ],
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: { acceptDownloads: true, actionTimeout: 30_000, navigationTimeout: 60_000 },
})
