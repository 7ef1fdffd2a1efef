import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'puppeteer'
import { BROWSER_FLAGS } from './browser-flags'
import { isRoot, UNPRIVILEGED_ID } from './cache-folder'

export interface LaunchSettings {
  executablePath: string
  /** Folder of libraries that the browser needs in addition to those of the system. */
  libraries?: string
  /** Path of the fontconfig configuration. */
  fontsPath: string
  hasSandbox: boolean
}

/** A browser process that this service started. */
export interface RunningBrowser {
  browser: Browser
  pid: number | undefined
  /** Ends the browser and all of its processes at once. */
  kill(): void
  /** Ends the browser and removes its files from the disk. */
  close(): Promise<void>
}

const LAUNCH_MS = 30_000
const CLOSE_MS = 3000
const PROFILE_PREFIX = 'sheaf-browser-'
const SETPRIV_PLACES = ['/usr/bin/setpriv', '/bin/setpriv']

/**
 * Starts a browser with a separate profile and without the environment of the service. If the service runs as root, the
 * browser runs as `nobody`, because root has no sandbox.
 */
export async function launchBrowser({
  executablePath,
  libraries,
  fontsPath,
  hasSandbox,
}: LaunchSettings): Promise<RunningBrowser> {
  removeAbandonedProfiles()
  const profile = mkdtempSync(join(tmpdir(), `${PROFILE_PREFIX}${process.pid}-`))
  const wrapper = isRoot() ? SETPRIV_PLACES.find(path => existsSync(path)) : undefined
  if (wrapper) chownSync(profile, UNPRIVILEGED_ID, UNPRIVILEGED_ID)
  const flags = [
    ...BROWSER_FLAGS,
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    ...(hasSandbox ? [] : ['--no-sandbox']),
    '--no-startup-window',
  ]
  const identity = [
    `--reuid=${UNPRIVILEGED_ID}`,
    `--regid=${UNPRIVILEGED_ID}`,
    '--clear-groups',
    '--no-new-privs',
    '--',
    executablePath,
  ]
  const remove = () => rmSync(profile, { recursive: true, force: true, maxRetries: 3 })
  try {
    const { launch } = await import('puppeteer')
    const browser = await launch({
      executablePath: wrapper ?? executablePath,
      ignoreDefaultArgs: true,
      args: wrapper ? [...identity, ...flags] : flags,
      pipe: true,
      waitForInitialPage: false, // No initial page exists. It would need a process that nobody uses.
      timeout: LAUNCH_MS,
      protocolTimeout: 0, // Every wait has a separate deadline.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      env: {
        HOME: profile,
        TMPDIR: profile,
        XDG_CACHE_HOME: profile,
        XDG_CONFIG_HOME: profile,
        LANG: 'C.UTF-8',
        TZ: 'UTC',
        FONTCONFIG_FILE: fontsPath,
        ...(libraries === undefined ? {} : { LD_LIBRARY_PATH: libraries }),
      },
    })
    return describeRunning(browser, remove)
  } catch (error) {
    remove()
    throw error
  }
}

/** Removes profiles of processes that ended without cleanup. Profiles of other users stay. */
function removeAbandonedProfiles(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${PROFILE_PREFIX}(\\d+)-`).exec(name)?.[1]
    if (pid === undefined || existsSync(`/proc/${pid}`) || !existsSync('/proc')) continue
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    } catch {
      // The profile belongs to another user.
    }
  }
}

function describeRunning(browser: Browser, remove: () => void): RunningBrowser {
  const child = browser.process()
  const pid = child?.pid
  const killGroup = () => {
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL')
    } catch {
      // The processes have already ended.
    }
  }
  const kill = () => {
    if (child?.exitCode === null && child.signalCode === null) killGroup()
  }
  child?.once('exit', () => {
    killGroup() // The program can be a script, and the browser is then its child.
    setTimeout(remove, 200).unref() // The processes of the group end shortly afterwards.
  })
  return {
    browser,
    pid,
    kill,
    async close() {
      const timer = setTimeout(kill, CLOSE_MS)
      await browser.close().catch(kill)
      clearTimeout(timer)
      kill()
      remove()
    },
  }
}
