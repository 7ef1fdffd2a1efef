import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import type { PageSite, SiteContent } from '../egress/page-site'
import type { ArchiveIndex, IndexedFile } from './archive-index'

const inflate = promisify(inflateRaw)

/** Returns the site of a zipped page. `index` is the result of the job that checked the ZIP, as JSON. */
export function openArchive(zip: Uint8Array, index: Uint8Array): PageSite {
  const { entry, files } = JSON.parse(Buffer.from(index).toString('utf8')) as ArchiveIndex // An engine wrote it.
  return { entry, files: new Map(files.map(file => [file.path, packedContent(zip, file)])) }
}

/** The content of a file that is unpacked when the page first requests it, outside the thread of JavaScript. */
function packedContent(zip: Uint8Array, { start, packedBytes, byteLength, isDeflated }: IndexedFile): SiteContent {
  const stored = zip.subarray(start, start + packedBytes)
  let unpacked: Promise<Uint8Array> | undefined
  return {
    stored,
    async read() {
      if (!isDeflated) return stored
      unpacked ??= inflate(stored, { maxOutputLength: Math.max(1, byteLength) })
      return unpacked
    },
  }
}
