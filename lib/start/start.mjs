// `npm start`: installs and builds what is missing or stale, then serves. This script works before any package is
// installed.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuild } from '../build/build.mjs'
import { assertNode, enterProject, prepareEnvironment, ROOT } from '../build/project.mjs'
import { runMain, tell } from '../build/print-status.mjs'

await runMain(async () => {
  assertNode()
  enterProject()
  const distDir = await ensureBuild(tell, { use: true })
  prepareEnvironment({ mode: 'production', distDir })
  tell('starting')
  const { startServer } = await import(pathToFileURL(join(ROOT, distDir, 'server.mjs')).href)
  await startServer({
    dev: false,
    distDir,
    enginePath: join(ROOT, distDir, 'engine.mjs'),
    pagesPath: join(ROOT, distDir, 'pages.mjs'),
    makeFontsPath: join(ROOT, distDir, 'fonts.mjs'),
  })
})
