import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchBrowser } from '../../engines/webpage/browser/launch-browser'
import type { LaunchSettings } from '../../engines/webpage/browser/launch-browser'

const PROGRAM_MS = 60_000

/** What most programs do: start a browser for the page, wait for `load`, and print. */
export async function printWithNewBrowser(launch: LaunchSettings, url: string): Promise<void> {
  const running = await launchBrowser(launch)
  try {
    const context = await running.browser.createBrowserContext({ proxyServer: 'direct://' })
    const page = await context.newPage()
    await page.goto(url, { waitUntil: 'load' })
    await page.pdf({ format: 'a4', printBackground: true })
  } finally {
    await running.close()
  }
}

/** A run of the first program that is installed. Undefined if none is. */
export async function findProgram(
  names: string[],
  args: (url: string, output: string) => string[],
): Promise<((url: string) => Promise<void>) | undefined> {
  for (const name of names)
    if ((await run(name, ['--version']).catch(() => -1)) === 0)
      return url => runProgram(name, output => args(url, output))
  return undefined
}

async function runProgram(name: string, args: (output: string) => string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-bench-'))
  const code = await run(name, args(join(folder, 'page.pdf'))).finally(() =>
    rmSync(folder, { recursive: true, force: true }),
  )
  if (code !== 0) throw new Error(`${name} ended with ${code}`)
}

async function run(name: string, args: string[]): Promise<number> {
  const child = spawn(name, args, { stdio: 'ignore', timeout: PROGRAM_MS })
  const [code] = (await once(child, 'exit')) as [number | null] // Rejects with `error` if the program doesn't exist.
  return code ?? -1
}
