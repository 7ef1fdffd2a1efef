import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const FONTS = 'fonts.conf'
const projectFolder = fileURLToPath(new URL('../..', import.meta.url))

/** A browser that the tests can start on any Linux machine, and what it must be started with. */
export interface TestBrowser {
  executablePath: string
  args: string[]
  env: Record<string, string>
}

/**
 * The browser of the `@sparticuz/chromium` package, inflated once into the cache folder.
 * Its own shared libraries are put behind those of the system, so that it starts where none are installed.
 */
export async function findTestBrowser(environment: Record<string, string | undefined> = process.env): Promise<TestBrowser> {
  const folder = await inflatedBrowser(environment['CACHE_DIR'])
  const libraries = [environment['LD_LIBRARY_PATH'], join(folder, 'al2023', 'lib')].filter(Boolean).join(':')
  const inherited = Object.fromEntries(Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
  return {
    executablePath: join(folder, 'chromium'),
    // Root has no user namespace to sandbox in; these tests open the project's own pages only.
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-dev-shm-usage', '--font-render-hinting=none'],
    env: { ...inherited, LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: join(folder, FONTS), HOME: folder },
  }
}

async function inflatedBrowser(cacheDir: string | undefined): Promise<string> {
  const { version } = JSON.parse(await readFile(join(projectFolder, 'node_modules/@sparticuz/chromium/package.json'), 'utf8')) as { version: string }
  const parent = await cacheFolder(cacheDir)
  const folder = join(parent, `test-browser-${version}`)
  if (await exists(join(folder, 'chromium'))) return folder

  const partial = await mkdtemp(join(parent, 'inflating-'))
  // The package inflates into the temporary folder and leaves its libraries out unless it believes to be on AWS.
  const script = "import('@sparticuz/chromium').then(chromium => chromium.default.executablePath())"
  await run(process.execPath, ['--input-type=module', '-e', `await ${script}`], {
    cwd: projectFolder,
    env: { ...process.env, TMPDIR: partial, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' },
  })
  await writeFile(join(partial, FONTS), fontConfiguration(folder))
  try {
    await rename(partial, folder)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    if (!(await exists(join(folder, 'chromium')))) throw error // otherwise another run was faster
  }
  return folder
}

/** The system's fonts and the one of the package, which by itself is looked for in fixed places only. */
function fontConfiguration(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(folder, 'fonts', 'fonts')}</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`
}

async function cacheFolder(cacheDir: string | undefined): Promise<string> {
  const folder = cacheDir ?? join(projectFolder, 'node_modules/.cache/sheaf')
  try {
    await mkdir(folder, { recursive: true })
    return folder
  } catch (error) {
    if (cacheDir !== undefined) throw error
    return mkdtemp(join(tmpdir(), 'sheaf-')) // a read-only checkout
  }
}

const exists = (path: string) => access(path).then(() => true, () => false)
