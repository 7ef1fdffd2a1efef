// Types for packages without types, limited to what is used here.

/** tar-fs 3: extracts a tar file into a folder. */
declare module 'tar-fs' {
  import type { Writable } from 'node:stream'
  export function extract(folder: string): Writable
}
