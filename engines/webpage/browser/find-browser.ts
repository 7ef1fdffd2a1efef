import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Browser } from 'puppeteer'
import { launchBrowser } from './launch-browser'
import type { LaunchSettings, RunningBrowser } from './launch-browser'
import { unpackBrowser } from './unpack-browser'

export interface SearchSettings {
  cache: string
  fontsPath: string
  /** The operator's own choice, which has to work. */
  executablePath?: string | undefined
  /** Folders that programs are looked for in, as PATH lists them. */
  searchPath: string
  /** Whether a browser may run without its sandbox where it can't have one. */
  mayLackSandbox: boolean
}

type Candidate = Pick<LaunchSettings, 'executablePath' | 'libraries'>

const SYSTEM_NAMES = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser', 'chrome-headless-shell']
const SYSTEM_FOLDERS = [
  '/usr/bin',
  '/usr/local/bin',
  '/opt/google/chrome',
  '/snap/bin',
  '/Applications/Google Chrome.app/Contents/MacOS',
]
const PROBE_MS = 20_000

/** A browser that was found to work, and how it is started again. */
export interface FoundBrowser {
  running: RunningBrowser
  settings: LaunchSettings
}

/**
 * Finds a browser and starts it: the operator's choice, puppeteer's own, those of the system, the one of the package.
 * One that starts but prints no text counts as none. First all are tried with a sandbox, then, if that is allowed,
 * without. Rejects with an Error that says what was tried; where the operator chose one, with what is wrong with that.
 */
export async function findBrowser({
  cache,
  fontsPath,
  executablePath,
  searchPath,
  mayLackSandbox,
}: SearchSettings): Promise<FoundBrowser> {
  const failures: string[] = []
  const searches =
    executablePath === undefined
      ? [
          ...(await listInstalled(searchPath)).map(path => async () => ({ executablePath: path })),
          () => unpackBrowser(cache),
        ]
      : [async () => ({ executablePath })]
  for (const hasSandbox of mayLackSandbox ? [true, false] : [true]) {
    for (const search of searches) {
      try {
        const candidate: Candidate = await search()
        const settings: LaunchSettings = { ...candidate, fontsPath, hasSandbox }
        return { settings, running: await launchAndProbe(settings) }
      } catch (error) {
        failures.push(
          `${hasSandbox ? 'with' : 'without'} sandbox: ${error instanceof Error ? error.message.slice(0, 500) : String(error)}`,
        )
      }
    }
  }
  throw new Error(
    `${executablePath === undefined ? 'No browser works' : `PUPPETEER_EXECUTABLE_PATH names ${executablePath}, which does not work`}: ${failures.join('; ')}`,
  )
}

/** Starts a browser and has it print a line: without fonts one prints empty pages and reports no error. */
async function launchAndProbe(settings: LaunchSettings): Promise<RunningBrowser> {
  const running = await launchBrowser(settings)
  const timer = setTimeout(() => running.kill(), PROBE_MS)
  try {
    if (!(await printsText(running.browser))) throw new Error(`${settings.executablePath} prints pages without text`)
    return running
  } catch (error) {
    running.kill()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function printsText(browser: Browser): Promise<boolean> {
  const page = await browser.newPage()
  await page.setContent('<p>Ag')
  const pdf = await page.pdf({ timeout: 0 })
  await page.close()
  return Buffer.from(pdf).includes('/FontDescriptor')
}

async function listInstalled(searchPath: string): Promise<string[]> {
  const folders = [...searchPath.split(delimiter).filter(Boolean), ...SYSTEM_FOLDERS]
  const paths = [...(await listOwn()), ...SYSTEM_NAMES.flatMap(name => folders.map(folder => join(folder, name)))]
  return [...new Set(paths)].filter(isExecutable)
}

/** Where puppeteer would have put a browser of its own. */
async function listOwn(): Promise<string[]> {
  try {
    const { executablePath } = await import('puppeteer')
    return [executablePath()]
  } catch {
    return [] // it knows of none
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
