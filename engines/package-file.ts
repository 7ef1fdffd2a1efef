import { createRequire } from 'node:module'

/**
 * Where a file of an installed package is, by its name as an import has it. Of its own so that bundlers, which would
 * follow a name that is written out and take the file apart, see none.
 */
export function findPackageFile(name: string): string {
  return createRequire(import.meta.url).resolve(name)
}

/** The same for a file of a package that another one brings along, in the version that this one asks for. */
export function findFileOf(owner: string, name: string): string {
  return createRequire(findPackageFile(`${owner}/package.json`)).resolve(name)
}
