import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

/** Tests that start browsers or processes, recognize scans or redact hundreds of files. `npm run check` skips them. */
const SLOW = [
  'tests/engines/image-pages/recognize-images.test.ts',
  'tests/engines/ocr/**',
  'tests/engines/pdf-tools/pdf-ocr.test.ts',
  'tests/engines/pdf-tools/run-tool.test.ts',
  'tests/engines/pool/**',
  'tests/engines/redaction/ocr/**',
  'tests/engines/redaction/raster/**',
  'tests/engines/redaction/search-traps.test.ts',
  'tests/engines/webpage/**',
  'tests/hostile/**',
  'tests/lib/commands/**',
  'tests/lib/docs/client-samples.test.ts',
  'tests/lib/docs/openapi/lint.test.ts',
  'tests/lib/docs/samples.test.ts',
  'tests/lib/start/**',
  'tests/redaction-traps/**',
]
/** These tests must be the first in their process to use a process-wide resource. */
const ISOLATED = ['tests/lib/metrics/metrics.test.ts']
const NEVER = ['tests/e2e/**', 'node_modules/**']

const CONTRACT = ['tests/contract/**/*.test.ts']
const EVENT_LOOP = ['tests/contract/event-loop/**/*.test.ts']

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    pool: 'forks',
    maxWorkers: 2,
    // These timeouts are generous, because they only detect hanging tests. The benchmarks measure speed.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    env: { LOG_LEVEL: 'silent' },
    projects: [
      // Files of one worker share the modules that they import, so that each module is loaded once.
      project('unit', { exclude: ['tests/contract/**', ...SLOW, ...ISOLATED], isolate: false }),
      project('unit-isolated', { include: ISOLATED }),
      project('slow', { include: SLOW.map(path => path.replace(/\*\*$/, '**/*.test.ts')) }),
      project('contract', { include: CONTRACT, exclude: EVENT_LOOP, env: { TEST_DATABASE: 'pglite' } }),
      project('contract-postgres', { include: CONTRACT, exclude: EVENT_LOOP, env: { TEST_DATABASE: 'postgres' } }),
      // It measures processor time, which other tests on the same cores would increase.
      project('event-loop', { include: EVENT_LOOP, env: { TEST_DATABASE: 'pglite' }, fileParallelism: false }),
    ],
  },
})

function project(
  name: string,
  { exclude = [], ...settings }: NonNullable<TestProjectInlineConfiguration['test']>,
): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: { name, include: ['tests/**/*.test.ts'], exclude: [...NEVER, ...exclude], ...settings },
  }
}
