import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Browser } from 'puppeteer'
import { launchBrowser } from './launch-browser'
import type { LaunchSettings, RunningBrowser } from './launch-browser'
import { unpackBrowser } from './unpack-browser'

export interface SearchSettings {
  cache: string
  fontsPath: string
  /** The browser that the operator configured. It must work. */
  executablePath?: string | undefined
  /** Folders to search for programs, in the format of PATH. */
  searchPath: string
  /** Whether a browser may run without a sandbox if the sandbox isn't available. */
  mayLackSandbox: boolean
}

type Candidate = Pick<LaunchSettings, 'executablePath' | 'libraries'>

/** Headless shells have no windows, so they open a page much faster than full browsers. */
const SHELL_NAMES = ['chrome-headless-shell', 'chromium-headless-shell']
const FULL_NAMES = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser']
const SYSTEM_FOLDERS = [
  '/usr/bin',
  '/usr/local/bin',
  '/opt/google/chrome',
  '/snap/bin',
  '/Applications/Google Chrome.app/Contents/MacOS',
]
const PROBE_MS = 20_000

/** A working browser, and the settings to start it again. */
export interface FoundBrowser {
  running: RunningBrowser
  settings: LaunchSettings
}

/**
 * Finds and starts a working browser. It tries the configured browser, or else headless shells, full browsers and the
 * package, in this order. A browser that prints no text counts as not working. All browsers are tried with a sandbox first, then
 * without one if `mayLackSandbox` is set. Rejects with an Error that lists all attempts, or that says why the
 * configured browser doesn't work.
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

/** Starts a browser and prints a line of text. A browser without fonts prints empty pages and reports no error. */
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
  const inFolders = (names: string[]) => names.flatMap(name => folders.map(folder => join(folder, name)))
  const paths = [
    ...(await findPuppeteerBrowser('shell')),
    ...inFolders(SHELL_NAMES),
    ...(await findPuppeteerBrowser(true)),
    ...inFolders(FULL_NAMES),
  ]
  return [...new Set(paths)].filter(isExecutable)
}

/** The path at which puppeteer installs a browser for a headless mode. */
async function findPuppeteerBrowser(headless: 'shell' | true): Promise<string[]> {
  try {
    const { executablePath } = await import('puppeteer')
    return [executablePath({ headless })]
  } catch {
    return [] // Puppeteer knows of no such browser.
  }
}

/** Returns whether a program exists and can be started. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
