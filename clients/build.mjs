// Builds a package of this folder into its `dist`, or into another folder: `node clients/build.mjs cli [folder]`. `npm
// pack` runs it too.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ensureInstalled } from '../lib/build/build.mjs'
import { tellAside } from '../lib/build/print-status.mjs'
import { enterProject } from '../lib/build/project.mjs'

const CLIENTS = import.meta.dirname
const TSC = join(CLIENTS, '../node_modules/typescript/bin/tsc')

const BUILDS = {
  cli: bundleCli,
  typescript: folder => run([TSC, '-p', join(CLIENTS, 'typescript'), '--outDir', folder]),
}

const [name, folder = join(CLIENTS, name ?? '', 'dist')] = process.argv.slice(2)
if (!Object.hasOwn(BUILDS, name ?? '')) throw new Error(`The packages are ${Object.keys(BUILDS).join(' and ')}.`)
const target = resolve(folder)
enterProject()
await ensureInstalled(tellAside) // The compilers are packages of the project.
rmSync(target, { recursive: true, force: true })
await BUILDS[name](target)

/** The command with the TypeScript client and the catalog in it. The MCP server is a file of its own, which loads slowly. */
async function bundleCli(folder) {
  const { build } = await import('esbuild')
  await build({
    entryPoints: { sheaf: join(CLIENTS, 'cli/src/main.ts') },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    external: ['commander', '@modelcontextprotocol/sdk'],
    logLevel: 'warning',
  })
}

function run(args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
