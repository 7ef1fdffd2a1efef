import { mkdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { safeFileName } from '../../../typescript/src/file-name'

/** A path that the agent may not use, or that doesn't fit. */
export class PathError extends Error {
  override name = 'PathError'
}

/** Where a file will be saved. */
export interface Place {
  /** The real path of the folder. */
  folder: string
  name: string
  /** Whether the agent chose the name. */
  isChosen: boolean
}

/** The folders that an agent may use. Links are resolved, so that none leads out of them or to a hidden file. */
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
   * Returns the place of an output file, and creates its folder. `name` is its name in a folder, and `check` refuses
   * names. Throws a PathError.
   */
  async findOutput(path: string, { name, check }: { name: string; check(name: string): void }): Promise<Place> {
    const full = await this.#resolve(path)
    const isFolder = /[\\/]$/.test(path) || (await stat(full).catch(() => undefined))?.isDirectory() === true
    const own = isFolder ? name : basename(full)
    const folder = isFolder ? full : dirname(full)
    await this.#checkFolder(path, folder)
    assertSafe(own)
    check(own)
    await mkdir(folder, { recursive: true })
    const real = await realpath(folder)
    await this.#assertInside(path, real) // Another program may have created a link.
    return { folder: real, name: own, isChosen: !isFolder }
  }

  /** Throws a PathError for a folder that isn't an allowed one or below one, or that needs a name that isn't safe. */
  async #checkFolder(path: string, folder: string): Promise<void> {
    let existing = folder
    while ((await realpath(existing).catch(() => undefined)) === undefined && dirname(existing) !== existing)
      existing = dirname(existing)
    const missing = relative(existing, folder)
    await this.#assertInside(path, join(await realpath(existing), missing))
    if (missing !== '') missing.split(sep).forEach(assertSafe)
  }

  /** Relative paths begin in the first allowed folder. */
  async #resolve(path: string): Promise<string> {
    if (path === '' || path.includes('\0')) throw new PathError('A path must not be empty.')
    // Windows would open a connection to the machine that such a path names.
    if (/^[\\/]{2}/.test(path)) throw new PathError(`A path must not begin with two slashes. Got "${path}".`)
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
    const inside = folders
      .map(folder => relative(folder, real))
      .filter(rest => rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest))
    if (inside.length === 0) throw new PathError(`"${path}" is outside of the allowed folders: ${folders.join(', ')}.`)
    if (inside.every(rest => rest.split(sep).some(isHidden))) throw new PathError(describeHidden(path))
  }
}

const isHidden = (name: string) => name.startsWith('.')

const describeHidden = (path: string) => `"${path}" is hidden. Choose a path in which no name begins with a dot.`

/** Throws a PathError for a name that is hidden, or that means something else on another system. */
function assertSafe(name: string): void {
  if (isHidden(name)) throw new PathError(describeHidden(name))
  const safe = safeFileName(name)
  if (safe !== name)
    throw new PathError(`output must have names that every system allows. Got "${name}". Send "${safe}" instead.`)
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
