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
  browser: 'engines/webpage/browser/remote-browser.ts',
  fonts: 'engines/webpage/browser-fonts/make-fonts.ts',
}

/**
 * Packages of which little is used. The modules that are used are bundled, because the whole packages would take 30 MB
 * of memory in each engine process.
 */
const BUNDLED_PACKAGES = {
  'pdf-lib': 'pdf-lib/es/index.js',
  '@pdf-lib/standard-fonts': '@pdf-lib/standard-fonts/es/index.js',
  tslib: 'tslib/tslib.es6.mjs',
  zod: 'zod/index.js',
}

/** Bundles each TypeScript entry to one ES module. Other packages than those above stay in node_modules. */
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
      plugins: [{ name: 'bundled-packages', setup: bundlePackages }],
      target: 'node20',
      // An inline source map would stay in memory with the code: 14 MB in each process.
      sourcemap: 'linked',
      sourcesContent: false,
      logLevel: 'silent',
    })
  } finally {
    await stop()
  }
}

/** Resolves the packages above. Their modules only declare things, so a module without a used export is left out. */
function bundlePackages(build) {
  build.onResolve({ filter: /^[^.]/ }, ({ path }) =>
    Object.hasOwn(BUNDLED_PACKAGES, path)
      ? { path: join(ROOT, 'node_modules', BUNDLED_PACKAGES[path]), sideEffects: false }
      : undefined,
  )
  build.onResolve({ filter: /^\./ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
    if (pluginData === RESOLVING || !importer.startsWith(join(ROOT, 'node_modules'))) return undefined
    const resolved = await build.resolve(path, { importer, resolveDir, kind, pluginData: RESOLVING })
    return { ...resolved, sideEffects: false }
  })
}

/** Marks the request of a resolver to esbuild's own resolvers. */
const RESOLVING = Symbol('resolving')

/** Bundles into a fresh folder under .next, which then replaces an earlier one. */
export async function bundleInto(name, entries) {
  const folder = join(ROOT, '.next', name)
  await rm(folder, { recursive: true, force: true })
  await bundle(entries, folder)
  return folder
}
