// Builds a package of this folder into its `dist`: `node clients/build.mjs typescript`, also run by `npm pack`.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'

const CLIENTS = import.meta.dirname
const TSC = join(CLIENTS, '../node_modules/typescript/bin/tsc')

const BUILDS = {
  typescript: () => run([TSC, '-p', join(CLIENTS, 'typescript')]),
}

const [name] = process.argv.slice(2)
if (!Object.hasOwn(BUILDS, name ?? '')) throw new Error(`The packages are ${Object.keys(BUILDS).join(' and ')}.`)
rmSync(join(CLIENTS, name, 'dist'), { recursive: true, force: true })
await BUILDS[name]()

function run(args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
