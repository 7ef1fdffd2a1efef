import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const IS_HOLD = /^hold-[\da-f-]{36}\.pdf$/

/** A service with the engine of `holdingEngine` keeps each request with a document of this name until the release. */
export interface Hold {
  name: string
  release(): void
}

/** Begins a hold. Use its name for a document. */
export function beginHold(): Hold {
  const name = `hold-${randomUUID()}.pdf`
  writeFileSync(holdPath(name), '')
  return { name, release: () => rmSync(holdPath(name), { force: true }) }
}

/** The file that exists until the release. Engines don't get TMPDIR, so the folder is the same everywhere. */
export function holdPath(name: string): string {
  return join('/tmp', name)
}
