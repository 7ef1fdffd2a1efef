// `npm run clients`: bundles lib/commands/clients.ts, runs it and passes the arguments on.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureInstalled } from '../build/build.mjs'
import { bundleInto } from '../build/bundle.mjs'
import { assertNode, enterProject } from '../build/project.mjs'
import { runMain, tell } from '../build/print-status.mjs'

await runMain(async () => {
  assertNode()
  enterProject()
  await ensureInstalled(tell)
  const folder = await bundleInto('clients', { clients: 'lib/commands/clients.ts' })
  await import(pathToFileURL(join(folder, 'clients.mjs')).href)
})
