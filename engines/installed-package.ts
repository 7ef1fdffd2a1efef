import { createRequire } from 'node:module'

/**
 * Returns the path of a file in an installed package, by its import specifier. Bundlers would follow a literal
 * specifier and inline the file, so the specifier is a parameter of this separate function.
 */
export function findPackageFile(name: string): string {
  return createRequire(import.meta.url).resolve(name)
}

/** Returns the path of a file in a dependency of `owner`, in the version that `owner` requires. */
export function findFileOf(owner: string, name: string): string {
  return createRequire(findPackageFile(`${owner}/package.json`)).resolve(name)
}
