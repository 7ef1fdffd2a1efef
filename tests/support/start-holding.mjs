// Starts the service as lib/start/start.mjs does, but with the engines of holding-engine.ts. The first argument is their
// bundle. Only this script can start such engines.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuild } from '../../lib/build/build.mjs'
import { enterProject, prepareEnvironment, ROOT } from '../../lib/build/project.mjs'
import { runMain, tell } from '../../lib/build/print-status.mjs'

await runMain(async () => {
  enterProject()
  const distDir = await ensureBuild(tell, { use: true })
  prepareEnvironment({ mode: 'production', distDir })
  const { startServer } = await import(pathToFileURL(join(ROOT, distDir, 'server.mjs')).href)
  await startServer({
    dev: false,
    distDir,
    enginePath: process.argv[2],
    pagesPath: join(ROOT, distDir, 'pages.mjs'),
    makeFontsPath: join(ROOT, distDir, 'fonts.mjs'),
  })
})
