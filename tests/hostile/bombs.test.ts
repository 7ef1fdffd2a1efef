import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BOMBS } from '../fixtures/bombs'
import { numbered } from '../fixtures/draft'
import { bundleScript } from '../support/bundled-script'

/** A limit on CPU time. The same work takes several times as long on some machines, and a request may take 10 s. */
const MAX_MS = 20_000
/** Other programs may use the machine as well. */
const MAX_WAIT_MS = 80_000
const MAX_PEAK_BYTES = 500_000_000
/**
 * When garbage is collected depends on what else runs: the same job has peaks of 440 to 560 MB beside four busy
 * processes. A job that needs too much memory needs it in every run.
 */
const MAX_RUNS = 3

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'bombs-'))
let script: Awaited<ReturnType<typeof bundleScript>>

beforeAll(async () => {
  script = await bundleScript('tests/hostile/run-bomb.ts')
})

afterAll(() => {
  script.remove()
  rmSync(folder, { recursive: true, force: true })
})

describe('a bomb', () => {
  for (const [name, make] of Object.entries(BOMBS)) {
    it(`is refused or processed within time and memory: ${name}`, async () => {
      const { tool, options, file, isSecond } = make()
      const path = join(folder, 'bomb.pdf')
      const small = join(folder, 'small.pdf')
      writeFileSync(path, file)
      writeFileSync(small, numbered({ pages: 1 }))
      const paths = isSecond ? [small, path] : [path]
      let peakBytes = Infinity
      for (let runs = 0; runs < MAX_RUNS && peakBytes >= MAX_PEAK_BYTES; runs++) {
        const { outcome, workMs, ...memory } = await runBomb(tool, options, paths)
        expect(outcome).toMatch(/^(\d+ bytes|unreadable|too-large|bad-options)$/)
        expect(workMs).toBeLessThan(MAX_MS)
        peakBytes = memory.peakBytes
      }
      expect(peakBytes).toBeLessThan(MAX_PEAK_BYTES)
    })
  }
})

async function runBomb(
  tool: string,
  options: unknown,
  paths: string[],
): Promise<{ outcome: string; workMs: number; peakBytes: number }> {
  const { stdout } = await run(process.execPath, [script.path, tool, JSON.stringify(options), ...paths], {
    timeout: MAX_WAIT_MS,
  })
  return JSON.parse(stdout) as { outcome: string; workMs: number; peakBytes: number }
}
