import { existsSync, statSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import type { FileInput } from '../../typescript/src/sheaf'
import { UsageError } from './failure'
import { expandPattern } from './expand-pattern'

/** The argument for standard input and standard output. */
export const STANDARD = '-'

/** An input file. Standard input is read as a whole, so that the request can be retried. */
export interface Input {
  /** A path, or `-`. */
  path: string
  open(): Promise<FileInput>
}

/** Lists the inputs of a command. Patterns that the shell didn't expand are expanded here. */
export function listInputs(args: readonly string[]): Input[] {
  if (args.filter(arg => arg === STANDARD).length > 1) throw new UsageError('Standard input can be read only once.')
  return args.flatMap(arg => {
    if (arg === STANDARD) return [{ path: arg, open: readStandardInput }]
    const paths = existsSync(arg) || !/[*?]/.test(arg) ? [arg] : expandPattern(arg)
    if (paths.length === 0) throw new UsageError(`No file matches "${arg}".`)
    return paths.map(path => {
      if (!existsSync(path)) throw new UsageError(`Can't find the file "${path}".`)
      if (!statSync(path).isFile() && !statSync(path).isFIFO()) throw new UsageError(`"${path}" is not a file.`)
      return { path, open: () => Promise.resolve(path) }
    })
  })
}

async function readStandardInput(): Promise<FileInput> {
  return { data: new Uint8Array(await buffer(process.stdin)), name: 'stdin.pdf' }
}

/** Reads a text from a file or from standard input. */
export async function readText(path: string): Promise<string> {
  const { readFile } = await import('node:fs/promises')
  if (path === STANDARD) return (await buffer(process.stdin)).toString('utf8')
  return readFile(path, 'utf8')
}
