// `npm run clients`: bundles clients/generate/main.ts, runs it and passes the arguments on.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureInstalled } from '../lib/build/build.mjs'
import { bundleInto } from '../lib/build/bundle.mjs'
import { assertNode, enterProject } from '../lib/build/project.mjs'
import { runMain, tell } from '../lib/build/print-status.mjs'

await runMain(async () => {
  assertNode()
  enterProject()
  await ensureInstalled(tell)
  const folder = await bundleInto('clients', { clients: 'clients/generate/main.ts' })
  await import(pathToFileURL(join(folder, 'clients.mjs')).href)
})
