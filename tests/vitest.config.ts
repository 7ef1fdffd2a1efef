import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/e2e/**', 'node_modules/**'],
    pool: 'forks',
    maxWorkers: 2,
    // Ample: what they find is what hangs. How fast anything is, the benchmarks say.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    env: { LOG_LEVEL: 'silent' },
  },
})
