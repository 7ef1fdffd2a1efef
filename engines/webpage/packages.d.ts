// Packages that come without types, as far as they are used here.

/** tar-fs 3: writes what a tar file holds into a folder. */
declare module 'tar-fs' {
  import type { Writable } from 'node:stream'
  export function extract(folder: string): Writable
}
