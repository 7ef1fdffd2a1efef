import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import manifest from '../../clients/typescript/package.json' with { type: 'json' }

/** Files that lib/build/pack-clients.mjs writes. All clients have the same version. */
export const PACKED_CLIENTS = {
  typescript: 'sheaf-client.tgz',
  python: `sheaf_client-${manifest.version}-py3-none-any.whl`,
  cli: 'sheaf-cli.tgz',
} as const

/** Returns a packed client of this build. Undefined for any other name, and in the development mode. */
export async function readClient(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const file = Object.values(PACKED_CLIENTS).find(one => one === name)
  const build = process.env['NEXT_DIST_DIR']
  if (file === undefined || build === undefined) return undefined
  return readFile(join(build, 'clients', file)).then(
    bytes => new Uint8Array(bytes),
    () => undefined,
  )
}
