import { relative } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const ROOT = new URL('..', import.meta.url).pathname
/** Tests that start browsers or processes. `npm run check` skips them. */
const SLOW = ['tests/engines/pool/**', 'tests/engines/webpage/**', 'tests/lib/commands/**', 'tests/lib/start/**']
/** Tables of which `npm test` runs a sample. See tests/support/scope.ts. */
const SAMPLED = [
  'tests/engines/features/redaction/barcodes/barcode-search.test.ts',
  'tests/engines/features/redaction/raster/equalize-widths.test.ts',
  'tests/engines/features/redaction/xml/xmp-packets.test.ts',
  'tests/lib/docs/sample-outputs/sample-outputs.test.ts',
  'tests/lib/docs/samples.test.ts',
  'tests/redaction-traps/**',
]
/** Further tests of which `npm test` runs a sample: on a Postgres server only, or one row of each kind. */
const IN_PART = [
  'app/docs/static-markup',
  'engines/pipeline/tool-pairs',
  'engines/features/invoice/conformance',
  'engines/features/invoice/layout/printed-fields',
  'engines/features/redaction/meaning/scanned-pages',
  'engines/pdf/annotations/appearances/damaged-annotations',
  'engines/pdf/clean-data/clean-images',
  'engines/pdf/document/recover-pages',
  'engines/tools/compress-pdf',
  'engines/tools/reports',
  'engines/tools/split-pdf',
  'db/queries/rare-queries',
  'lib/accounts/account-command',
  'lib/accounts/account/accounts',
  'lib/accounts/key/keys',
  'lib/accounts/session/session',
  'lib/accounts/settings/change-password',
  'lib/accounts/settings/delete-account',
  'lib/accounts/sign-in/attempt-limit',
  'lib/accounts/sign-in/auth-adapter',
  'lib/accounts/sign-in/auth-handler',
  'lib/accounts/sign-in/first-address-proof',
  'lib/accounts/sign-in/pending-address-proof',
  'lib/accounts/sign-in/sign-up',
  'lib/credits/balance',
  'lib/credits/history',
  'lib/credits/ledger',
  'lib/credits/ledger-retention',
  'lib/credits/sweeper',
  'lib/clients/redirects',
  'lib/docs/openapi/request-schema',
  'lib/docs/pages/agent-page',
  'lib/notices/send-due-notices',
  'lib/purchases/checkout',
  'lib/purchases/deleted-account',
  'lib/purchases/top-up',
  'lib/requests/first-day',
  'lib/requests/request-list',
  'lib/telemetry/booked-credits',
  'run/run-stages',
].map(name => `tests/${name}.test.ts`)
/**
 * Tests that recognize scans, redact hundreds of files, repeat a kind, or check files that are made by hand. Only `npm run
 * test:all` runs them.
 */
const MORE = [
  'tests/app/_ui/search/first-results.test.ts',
  'tests/app/site-fonts.test.ts',
  'tests/engines/features/images-in/recognize-images.test.ts',
  'tests/engines/features/invoice/random-invoices.test.ts',
  'tests/engines/features/ocr/**',
  'tests/engines/pipeline/random-chains.test.ts',
  'tests/engines/tools/pdf-ocr.test.ts',
  'tests/engines/tools/run-tool.test.ts',
  'tests/engines/features/redaction/images/clear-images.test.ts',
  'tests/engines/features/redaction/images/hidden-images.test.ts',
  'tests/engines/features/redaction/recognized/image-search.test.ts',
  'tests/engines/features/redaction/recognized/recognise-uneven.test.ts',
  'tests/engines/features/redaction/recognized/recognize-unsearchable.test.ts',
  'tests/engines/features/redaction/search-traps.test.ts',
  'tests/hostile/**',
  'tests/lib/build/bundle.test.ts',
  'tests/lib/build/pack-clients.test.ts',
  'tests/lib/docs/client-samples.test.ts',
  'tests/lib/docs/openapi/lint.test.ts',
  'tests/lib/docs/security.test.ts',
  'tests/lib/docs/tool-samples.test.ts',
]
/** These tests replace a module, or must be the first in their process to use a process-wide resource. */
const ISOLATED = [
  'tests/engines/pool/assign-jobs.test.ts',
  'tests/engines/pool/engine-process.test.ts',
  'tests/lib/metrics/metrics.test.ts',
]
/** Small files that take long. Vitest begins with large files. */
const LONG = ['db/lock-file', 'lib/clients/redirects', 'lib/commands/account', 'lib/start/start', 'words/words'].map(
  name => `tests/${name}.test.ts`,
)
const NEVER = ['tests/e2e/**', 'node_modules/**']
const NOT_UNIT = ['tests/contract/**', ...MORE, ...ISOLATED]

const CONTRACT = 'tests/contract/**/*.test.ts'
const EVENT_LOOP = 'tests/contract/event-loop/**'
/** Contract tests that `npm test` runs on a Postgres server. */
const ON_POSTGRES = ['account', 'credits', 'ends', 'purchases'].map(name => `tests/contract/${name}.test.ts`)
/** Further contract tests whose results may depend on the database. */
const MORE_ON_POSTGRES = ['limits', 'metrics', 'sign-up/sign-up', 'transport'].map(
  name => `tests/contract/${name}.test.ts`,
)
/** Contract tests that repeat others in further languages, or those on a Postgres server on the embedded database. */
const MORE_CONTRACT = [
  'clients/killed',
  'clients/python',
  'clients/generated-client',
  'clients/openapi',
  'ends',
  'purchases',
].map(name => `tests/contract/${name}.test.ts`)
/** Files of one worker share the modules that they import, so that each module is loaded once. */
const SHARING = { isolate: false, setupFiles: ['tests/support/fresh-registry.ts'] }
const PGLITE = { TEST_DATABASE: 'pglite' }
const POSTGRES = { TEST_DATABASE: 'postgres' }

/** Begins with the files that take long, so that none of them runs alone at the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(takesLong), ...sorted.filter(file => !takesLong(file))]
  }
}

/** Tables, the contract on a Postgres server, and further files. */
function takesLong({ project, moduleId }: TestSpecification): boolean {
  const path = relative(ROOT, moduleId)
  const isTable = SAMPLED.some(table => path.startsWith(table.replace('**', '')))
  return isTable || LONG.includes(path) || project.config.env['TEST_DATABASE'] === 'postgres'
}

export default defineConfig({
  root: ROOT,
  test: {
    pool: 'forks',
    maxWorkers: 2, // On two cores, and `npm test` runs two stages at the same time.
    // These timeouts are generous, because they only detect hanging tests. The benchmarks measure speed.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 120_000, // The services that files share end after the last file.
    env: { LOG_LEVEL: 'silent' },
    unstubEnvs: true,
    globalSetup: 'tests/support/run-wide.ts',
    sequence: { sequencer: LongFirst },
    projects: [
      project('fast', { exclude: [...NOT_UNIT, ...SLOW, ...SAMPLED], ...SHARING }),
      project('unit', { exclude: NOT_UNIT, ...SHARING }),
      project('unit-isolated', { include: ISOLATED }),
      project('sampled', { include: inFolders([...SAMPLED, ...IN_PART]), ...SHARING }),
      project('more', { include: inFolders(MORE), ...SHARING }),
      project('contract', {
        include: [CONTRACT],
        exclude: [EVENT_LOOP, ...MORE_CONTRACT],
        env: PGLITE,
        isolate: false,
      }),
      project('postgres', { include: ON_POSTGRES, env: POSTGRES, isolate: false }),
      project('contract-more', { include: MORE_CONTRACT, env: PGLITE, isolate: false }),
      project('postgres-more', { include: MORE_ON_POSTGRES, env: POSTGRES, isolate: false }),
      // It measures processor time. Other tests increase it, so the shortest of several attempts counts.
      project('event-loop', { include: [`${EVENT_LOOP}/*.test.ts`], env: PGLITE, fileParallelism: false }),
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

function inFolders(paths: readonly string[]): string[] {
  return paths.map(path => path.replace(/\*\*$/, '**/*.test.ts'))
}
