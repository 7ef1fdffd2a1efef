// `npm run dev`: the server with Next's development mode. Pages and routes follow the sources. The server and the
// engines are bundled once at start.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureInstalled, writeNextTsconfig } from '../build/build.mjs'
import { bundleInto, PROCESSES } from '../build/bundle.mjs'
import { assertNode, enterProject, prepareEnvironment } from '../build/project.mjs'
import { runMain, tell } from '../build/print-status.mjs'

await runMain(async () => {
  assertNode()
  enterProject()
  await ensureInstalled(tell)
  writeNextTsconfig()
  const folder = await bundleInto('dev-start', PROCESSES)
  const distDir = '.next/dev'
  prepareEnvironment({ mode: 'development', distDir })
  const { startServer } = await import(pathToFileURL(join(folder, 'server.mjs')).href)
  await startServer({
    dev: true,
    distDir,
    enginePath: join(folder, 'engine.mjs'),
    pagesPath: join(folder, 'pages.mjs'),
    makeFontsPath: join(folder, 'fonts.mjs'),
  })
})
