import { buildSync } from 'esbuild'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Job } from '../../../engines/types'
import { LIMITS } from '../../support/engine-limits'

/**
 * Bundles a script of this folder (`fake-child.ts`, …) into one file that plain Node runs. `remove` deletes the file.
 */
export function bundle(script: string): { path: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-pool-'))
  const path = join(folder, script.replace(/\.ts$/, '.mjs'))
  buildSync({
    entryPoints: [fileURLToPath(new URL(script, import.meta.url))],
    outfile: path,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url)",
    },
  })
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A job for one of the fake child's tools. Each list of chunks is a file. */
export function fakeJob(tool: string, ...files: Uint8Array[][]): Job {
  return {
    tool,
    options: {},
    files: files.map((chunks, index) => ({
      name: `in-${index}.pdf`,
      chunks,
      byteLength: chunks.reduce((sum, chunk) => sum + chunk.length, 0),
    })),
    limits: { ...LIMITS },
  }
}

/** Returns whether a process with that ID still runs. Returns false for a zombie process. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const status = `/proc/${pid}/status`
  return !existsSync(status) || !/^State:\s*[ZX]/m.test(readFileSync(status, 'latin1'))
}
