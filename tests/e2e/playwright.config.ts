import { defineConfig } from '@playwright/test'

// The browser and the service are started by the fixtures in browser-test.ts.
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../../test-results',
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: { acceptDownloads: true, actionTimeout: 15_000, navigationTimeout: 30_000 },
})
