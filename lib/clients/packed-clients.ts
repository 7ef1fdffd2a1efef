import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CLIENT_PACKAGES } from '../docs/pages/client-packages'

/** Returns a packed client of this build. Undefined for any other name, and in the development mode. */
export async function readClient(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const file = Object.values(CLIENT_PACKAGES).find(one => one === name)
  // The start sets this variable. It isn't a setting of the operator.
  const build = process.env['NEXT_DIST_DIR'] // oxlint-disable-line node/no-process-env -- as above
  if (file === undefined || build === undefined) return undefined
  return readFile(join(build, 'clients', file)).then(
    bytes => new Uint8Array(bytes),
    () => undefined,
  )
}
