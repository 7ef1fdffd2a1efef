import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { SheafResult } from '../../typescript/src/sheaf'
import { UsageError } from './failure'
import { STANDARD } from './inputs'
import { formatBytes } from './progress'

/** Where the file of a response goes. */
export interface Target {
  /** A file, a folder, `-`, or undefined for the name of the response in this folder. */
  path: string | undefined
  /** Whether an existing file may be replaced, if its name was not given. */
  isForced: boolean
}

/** Returns whether a path is a folder, or ends like one. */
export function isFolder(path: string): boolean {
  return /[\\/]$/.test(path) || (existsSync(path) && statSync(path).isDirectory())
}

/** Saves a result and returns its path, or `-` for standard output. */
export async function saveResult(result: SheafResult, { path, isForced }: Target): Promise<string> {
  if (path === STANDARD) {
    const bytes = await result.bytes()
    await new Promise<void>((resolve, reject) =>
      process.stdout.write(bytes, error => (error ? reject(error) : resolve())),
    )
    return STANDARD
  }
  if (path !== undefined && !isFolder(path)) return result.save(path)
  const target = path === undefined ? result.name : join(path, result.name)
  if (existsSync(target) && !isForced)
    throw new UsageError(`"${target}" exists. Set another path with -o, or replace it with --force.`)
  return result.save(target)
}

/** What a result is, for `--json`. */
export function describeResult(result: SheafResult, file: string): Record<string, unknown> {
  const { contentType, warnings, creditsCharged, creditBalance, requestId, headers } = result
  const pages = headers.get('x-page-count')
  return {
    file,
    contentType,
    ...(pages !== null && { pages: Number(pages) }),
    warnings,
    creditsCharged,
    creditBalance,
    requestId,
  }
}

/** What a result is, for people. */
export async function tellResult(result: SheafResult, file: string): Promise<string> {
  const { headers, warnings, creditBalance } = result
  const pages = headers.get('x-page-count')
  const size = file === STANDARD ? (await result.bytes()).length : statSync(file).size
  return [
    `${file === STANDARD ? 'Written' : `Saved ${file}`} (${[...(pages ? [`${pages} ${pages === '1' ? 'page' : 'pages'}`] : []), formatBytes(size)].join(', ')})`,
    ...(warnings.length > 0 ? [`Warnings: ${warnings.join(', ')}`] : []),
    `${creditBalance} credits left`,
  ].join('. ')
}
