import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const ROOT = join(import.meta.dirname, '../..')

/**
 * Bundles a TypeScript entry, such as `lib/commands/account.ts`, into a script that plain Node can run in a separate
 * process. The script is inside the project, so that it finds the packages.
 */
export async function bundleScript(entry: string): Promise<{ path: string; remove(): void }> {
  const folder = join(ROOT, 'node_modules/.cache', `sheaf-test-${process.pid}-${entry.replaceAll(/\W/g, '-')}`)
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'script.mjs')
  await build({
    entryPoints: [join(ROOT, entry)],
    outfile: path,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
  })
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
