// `npm start`: installs and builds what is missing or stale, then serves. Nothing here needs a package to be installed.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuild } from './build.mjs'
import { assertNode, enterProject, ROOT } from './project.mjs'
import { runMain, tell } from './tell.mjs'

await runMain(async () => {
  assertNode()
  enterProject()
  const distDir = await ensureBuild(tell, { use: true })
  process.env.NODE_ENV = 'production'
  process.env.NEXT_TELEMETRY_DISABLED = '1'
  process.env.NEXT_DIST_DIR = distDir
  tell('starting')
  const { startServer } = await import(pathToFileURL(join(ROOT, distDir, 'server.mjs')).href)
  await startServer({ dev: false, distDir, enginePath: join(ROOT, distDir, 'engine.mjs') })
})
