import { existsSync, statSync } from 'node:fs'
import { mkdir, open, rm } from 'node:fs/promises'
import { basename, dirname, join, parse } from 'node:path'
import type { SheafResult } from '../../typescript/src/sheaf'
import { UsageError } from './failure'
import { STANDARD } from './inputs'
import { formatBytes } from './progress'
import type { ResultNames } from './result-names'

/** Where the file of a response goes. */
export interface Target {
  /** A folder, or `-`. */
  folder: string
  /** The name of the file. Undefined for the name of the response, or for a free name that resembles it. */
  name: string | undefined
  /** Whether a file with the name of the response is replaced. */
  isForced: boolean
}

/** Returns whether a path is a folder, or ends like one. */
export function isFolder(path: string): boolean {
  return /[\\/]$/.test(path) || (existsSync(path) && statSync(path).isDirectory())
}

/**
 * Checks where a result will be saved, so that a mistake is found before the request is charged. Creates the folder.
 * `path` is a file, a folder, `-`, or undefined for the current folder. Returns undefined if the result is there already
 * and may be skipped. Throws a UsageError if it may not be replaced, and an error of the file system if nothing can be
 * written.
 */
export async function openTarget(
  path: string | undefined,
  { likely, possible }: ResultNames,
  { isForced, skipsExisting }: { isForced: boolean; skipsExisting: boolean },
): Promise<Target | undefined> {
  if (path === STANDARD) return { folder: STANDARD, name: undefined, isForced }
  const name = path === undefined || isFolder(path) ? undefined : basename(path)
  const folder = path === undefined ? '.' : name === undefined ? path : dirname(path)
  const exists = (one: string) => existsSync(join(folder, one))
  if (skipsExisting && (name === undefined ? possible : [name]).some(exists)) return undefined
  const wanted = name ?? likely
  if (wanted !== undefined && exists(wanted)) {
    const target = join(folder, wanted)
    if (!statSync(target).isFile())
      throw new UsageError(`"${target}" exists and is not a file. Set another path with -o.`)
    if (name === undefined && !isForced)
      throw new UsageError(
        `"${target}" exists. Set another path with -o, replace it with --force, or skip it with --skip-existing.`,
      )
  }
  await mkdir(folder, { recursive: true })
  await assertWritable(folder)
  return { folder, name, isForced }
}

async function assertWritable(folder: string): Promise<void> {
  const path = join(folder, `.sheaf-${crypto.randomUUID()}.part`)
  await (await open(path, 'wx')).close()
  await rm(path)
}

/** Saves a result and returns its path, or `-` for standard output. */
export async function saveResult(result: SheafResult, { folder, name, isForced }: Target): Promise<string> {
  if (folder !== STANDARD)
    return result.save((name ?? isForced) ? join(folder, name ?? result.name) : findFree(join(folder, result.name)))
  const bytes = await result.bytes()
  await new Promise<void>((resolve, reject) =>
    process.stdout.write(bytes, error => (error ? reject(error) : resolve())),
  )
  return STANDARD
}

/** Returns the path, or one with a number if a file is there. A paid result never fails because of its name. */
export function findFree(path: string): string {
  const { dir, name, ext } = parse(path)
  let free = path
  for (let number = 2; existsSync(free); number += 1) free = join(dir, `${name} (${number})${ext}`)
  return free
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

/** What a result is, for people. `verdict` says what a report found. */
export async function tellResult(result: SheafResult, file: string, verdict: string | undefined): Promise<string> {
  const { headers, warnings, creditBalance } = result
  const pages = headers.get('x-page-count')
  const size = file === STANDARD ? (await result.bytes()).length : statSync(file).size
  return [
    `${file === STANDARD ? 'Written' : `Saved ${file}`} (${[...(pages ? [`${pages} ${pages === '1' ? 'page' : 'pages'}`] : []), formatBytes(size)].join(', ')})`,
    ...(verdict === undefined ? [] : [verdict]),
    ...(warnings.length > 0 ? [`Warnings: ${warnings.join(', ')}`] : []),
    `${creditBalance} credits left`,
  ].join('. ')
}
