import { lstat, open, realpath, rm } from 'node:fs/promises'
import { basename, join, parse } from 'node:path'
import type { SheafResult } from '../../../typescript/src/sheaf'
import { findFree } from '../output'
import { fitsTypes, listExtensions, usualExtension } from '../content-types'
import { PathError, type Place } from './folders'

/** A reserved path, so that no other program creates the file before it is saved. */
export class OutputFile {
  #place: Place
  readonly #overwrite: boolean
  #isNew = false

  private constructor(place: Place, overwrite: boolean) {
    this.#place = place
    this.#overwrite = overwrite
  }

  /** Throws a PathError if the file exists and must not be replaced. */
  static async reserve(place: Place, overwrite: boolean): Promise<OutputFile> {
    const output = new OutputFile(place, overwrite)
    await output.#reserve()
    return output
  }

  get path(): string {
    return join(this.#place.folder, this.#place.name)
  }

  /** Saves a result as it is. Throws a PathError if its content type doesn't fit the name that the agent chose. */
  async save(result: SheafResult): Promise<void> {
    await this.#fit(result)
    if (!(await this.#isUnmoved())) throw new PathError(`The folder "${this.#place.folder}" was replaced by a link.`)
    await result.save(this.path)
  }

  /** Leaves the folder as it was. */
  async giveUp(): Promise<void> {
    if (this.#isNew && (await this.#isUnmoved())) await rm(this.path, { force: true })
    this.#isNew = false
  }

  async #reserve(): Promise<void> {
    const existing = await lstat(this.path).catch(() => undefined)
    if (existing && !existing.isFile()) throw new PathError(`"${this.path}" exists and is not a file.`)
    if (existing && !this.#overwrite)
      throw new PathError(`"${this.path}" exists. Choose another output, or send overwrite: true.`)
    if (existing) return
    await (await open(this.path, 'wx')).close() // Follows no link.
    this.#isNew = true
  }

  /** A result whose name the agent didn't choose gets the name of the response, or a free one that resembles it. */
  async #fit({ contentType, name: given }: SheafResult): Promise<void> {
    const { folder, name, isChosen } = this.#place
    const extension = usualExtension(contentType)
    const own = fitsTypes(given, [contentType]) ? given : `${parse(given).name}${extension}`
    if (isChosen ? !fitsTypes(name, [contentType]) : extension === undefined)
      throw new PathError(describeExtension(name, [contentType]))
    if (isChosen || own === name) return
    await this.giveUp()
    this.#place = { folder, name: this.#overwrite ? own : basename(findFree(join(folder, own))), isChosen }
    await this.#reserve()
  }

  /** Another program may have replaced the folder while the request ran. */
  async #isUnmoved(): Promise<boolean> {
    const { folder } = this.#place
    return (await realpath(folder).catch(() => undefined)) === folder
  }
}

/** Throws a PathError for a name whose extension fits none of the content types. */
export function assertExtension(name: string, contentTypes: readonly string[]): void {
  if (!fitsTypes(name, contentTypes)) throw new PathError(describeExtension(name, contentTypes))
}

function describeExtension(name: string, contentTypes: readonly string[]): string {
  const extensions = listExtensions(contentTypes)
  return extensions.length === 0
    ? `The file has the unknown type ${contentTypes.join()}. Update this program.`
    : `output must end in ${extensions.join(' or ')}, as the type of the file. Got "${name}". Choose another output.`
}
