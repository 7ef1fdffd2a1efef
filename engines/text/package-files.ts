// Asked for in this way because the bundler of the website, which takes in the declarations of all tools and with them
// this file, follows the ordinary one, and can't do so where names are put together.
const { resolve } = process.getBuiltinModule('node:module').createRequire(import.meta.url)

/** The path of a file of an npm package, such as `package/files/name.woff2`. */
export function findPackageFile(specifier: string): string {
  return resolve(specifier)
}
