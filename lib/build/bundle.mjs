import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from './project.mjs'

/** The processes beside Next.js: file name of the bundle and where it begins. */
export const PROCESSES = {
  server: 'lib/start/server.ts',
  engine: 'engines/pool/child.ts',
  account: 'lib/commands/account.ts',
  reconcile: 'lib/commands/reconcile.ts',
  pages: 'engines/webpage/browser/child.ts',
  fonts: 'engines/webpage/fonts/make-fonts.ts',
}

/** Bundles TypeScript entries to one ES module each; packages stay where npm put them. */
export async function bundle(entries, folder) {
  const { build, stop } = await import('esbuild')
  try {
    await build({
      absWorkingDir: ROOT,
      entryPoints: entries,
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      target: 'node20',
      sourcemap: 'inline',
      sourcesContent: false,
      logLevel: 'silent',
    })
  } finally {
    await stop()
  }
}

/** Bundles into a fresh folder under .next that takes the place of an earlier one. */
export async function bundleInto(name, entries) {
  const folder = join(ROOT, '.next', name)
  await rm(folder, { recursive: true, force: true })
  await bundle(entries, folder)
  return folder
}
