import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from './project.mjs'

/** The processes besides Next.js, by file name of the bundle, with their entry files. */
export const PROCESSES = {
  server: 'lib/start/server.ts',
  engine: 'engines/pool/child.ts',
  account: 'lib/commands/account.ts',
  reconcile: 'lib/commands/reconcile.ts',
  pages: 'engines/webpage/browser/child.ts',
  fonts: 'engines/webpage/fonts/make-fonts.ts',
}

/** Bundles each TypeScript entry to one ES module. Packages stay in node_modules. */
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

/** Bundles into a fresh folder under .next, which then replaces an earlier one. */
export async function bundleInto(name, entries) {
  const folder = join(ROOT, '.next', name)
  await rm(folder, { recursive: true, force: true })
  await bundle(entries, folder)
  return folder
}
