import { lstat, mkdir, open, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

/** A path that the agent may not use, or that doesn't fit. */
class PathError extends Error {
  override name = 'PathError'
}

/** The folders that an agent may use. Links are resolved, so that none leads out of them. */
export class AllowedFolders {
  readonly #list: () => Promise<string[]>

  constructor(list: () => Promise<string[]>) {
    this.#list = list
  }

  /** Returns the real path of an input file. Throws a PathError. */
  async findInput(path: string): Promise<string> {
    const full = await this.#resolve(path)
    const real = await realpath(full).catch(() => undefined)
    await this.#assertInside(path, real ?? full)
    if (real === undefined) throw new PathError(`Can't find the file "${path}".`)
    if (!(await stat(real)).isFile()) throw new PathError(`"${path}" is not a file.`)
    return real
  }

  /**
   * Reserves an output file, so that no other program creates it. `name` is its name in a folder. Returns its path, and
   * a function that gives up. Throws a PathError.
   */
  async reserveOutput(
    path: string,
    { name, overwrite }: { name: string; overwrite: boolean },
  ): Promise<{ path: string; giveUp(): Promise<void> }> {
    const full = await this.#resolve(path)
    const isFolder = path.endsWith('/') || (await stat(full).catch(() => undefined))?.isDirectory() === true
    const folder = await this.#findFolder(path, isFolder ? full : dirname(full))
    const target = join(folder, isFolder ? name : basename(full))
    const existing = await lstat(target).catch(() => undefined)
    if (existing && !existing.isFile()) throw new PathError(`"${target}" exists and is not a file.`)
    if (existing && !overwrite)
      throw new PathError(`"${target}" exists. Choose another output, or send overwrite: true.`)
    if (existing) return { path: target, giveUp: () => Promise.resolve() }
    await (await open(target, 'wx')).close()
    return { path: target, giveUp: () => rm(target, { force: true }) }
  }

  /** Returns the real path of a folder, which is created below an allowed one. */
  async #findFolder(path: string, folder: string): Promise<string> {
    let existing = folder
    while ((await realpath(existing).catch(() => undefined)) === undefined && dirname(existing) !== existing)
      existing = dirname(existing)
    await this.#assertInside(path, join(await realpath(existing), relative(existing, folder)))
    await mkdir(folder, { recursive: true })
    const real = await realpath(folder)
    await this.#assertInside(path, real)
    return real
  }

  /** Relative paths begin in the first allowed folder. */
  async #resolve(path: string): Promise<string> {
    if (path === '' || path.includes('\0')) throw new PathError('A path must not be empty.')
    if (isAbsolute(path)) return resolve(path)
    const [first] = await this.#list()
    return resolve(first ?? '.', path)
  }

  async #assertInside(path: string, real: string): Promise<void> {
    const folders = await this.#list()
    if (folders.length === 0)
      throw new PathError(
        'No folder is allowed. Start the server with `sheaf mcp --allow <folder>`, or share a root with it.',
      )
    const isInside = folders.some(
      folder => real === folder || real.startsWith(folder.endsWith(sep) ? folder : folder + sep),
    )
    if (!isInside) throw new PathError(`"${path}" is outside of the allowed folders: ${folders.join(', ')}.`)
  }
}

/** Returns the real paths of folders. Throws a PathError for one that doesn't exist. */
export function resolveFolders(folders: readonly string[]): Promise<string[]> {
  return Promise.all(
    folders.map(async folder => {
      const real = await realpath(folder).catch(() => undefined)
      if (real === undefined || !(await stat(real)).isDirectory()) throw new PathError(`"${folder}" is not a folder.`)
      return real
    }),
  )
}
