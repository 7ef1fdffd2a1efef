import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    include: ['tests/redaction-traps/publish-counts.ts'],
    pool: 'forks',
    testTimeout: 1_800_000,
    env: { LOG_LEVEL: 'silent' },
  },
})
