import { defineConfig } from '@playwright/test'

// The browser and the service are started by the fixtures in tests/e2e/browser-test.ts.
export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  // Each worker starts a service of its own. Tests of one file run one after another.
  workers: 3,
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: { acceptDownloads: true, actionTimeout: 30_000, navigationTimeout: 60_000 },
})
