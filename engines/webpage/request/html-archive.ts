import { promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'
import { fromBuffer } from 'yauzl'
import type { Entry, ZipFile } from 'yauzl'
import { EngineError } from '../../errors'
import type { PageSite } from '../egress/page-site'

/** Limits for a zipped page. */
const MAX_ENTRIES = 2000
const MAX_INFLATED_BYTES = 100 * 2 ** 20
const ENCRYPTED = 1

/** Compression methods (APPNOTE, 4.4.5). */
const STORED = 0
const DEFLATED = 8

const inflate = promisify(inflateRaw)

/**
 * Reads the files of a zipped page. The page is `index.html` (or `index.htm`), at the top level or in the only
 * top-level folder. Nothing is written to disk. Names with `..`, drives and the like are rejected. Throws EngineError
 * `unreadable` and `too-large` with the parameter `file`.
 */
export async function readHtmlArchive(bytes: Uint8Array): Promise<PageSite> {
  const zip = await openArchive(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  try {
    if (zip.entryCount > MAX_ENTRIES)
      throw problem('too-large', `must have at most ${MAX_ENTRIES} files. Got ${zip.entryCount}.`)
    return findPage(await readEntries(zip))
  } finally {
    zip.close()
  }
}

function openArchive(buffer: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    fromBuffer(buffer, { lazyEntries: true, strictFileNames: false }, (error, zip) =>
      zip ? resolve(zip) : reject(damaged(error)),
    )
  })
}

/** Reads the entries one after another. Fails if the size of an entry differs from its declared size. */
function readEntries(zip: ZipFile): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>()
  let inflated = 0
  return new Promise((resolve, reject) => {
    const take = async (entry: Entry) => {
      if (!entry.fileName.endsWith('/')) {
        inflated += entry.uncompressedSize
        if (inflated > MAX_INFLATED_BYTES)
          throw problem(
            'too-large',
            `must unpack to at most ${MAX_INFLATED_BYTES / 2 ** 20} MB. Send fewer or smaller files.`,
          )
        if (entry.generalPurposeBitFlag & ENCRYPTED)
          throw problem('unreadable', 'contains encrypted files. Send a ZIP without a password.')
        if (!entry.fileName.startsWith('__MACOSX/')) files.set(`/${entry.fileName}`, await readEntry(zip, entry))
      }
      zip.readEntry()
    }
    zip.on('entry', (entry: Entry) => void take(entry).catch(reject))
    zip.on('error', (error: Error) =>
      reject(
        /invalid (relative path|characters)|absolute path/.test(error.message)
          ? problem('unreadable', 'contains a path outside the archive. Use relative paths.')
          : damaged(error),
      ),
    )
    zip.on('end', () => resolve(files))
    zip.readEntry()
  })
}

/** Reads an entry. Fails if its size or checksum differs from the declared one. */
async function readEntry(zip: ZipFile, entry: Entry): Promise<Uint8Array> {
  const { compressionMethod, uncompressedSize } = entry
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED)
    throw problem(
      'unreadable',
      'uses an unsupported compression method. Create the ZIP with Deflate or without compression.',
    )
  const packed = await readPacked(zip, entry)
  // yauzl 2.10 never returns from an entry that inflates to more than its declared size.
  const bytes =
    compressionMethod === STORED
      ? packed
      : await inflate(packed, { maxOutputLength: Math.max(1, uncompressedSize) }).catch((cause: unknown) =>
          Promise.reject(damaged(cause)),
        )
  if (bytes.length !== uncompressedSize || crc32(bytes) !== entry.crc32)
    throw damaged(new Error(`${bytes.length} bytes in place of ${uncompressedSize}, or others`))
  return bytes
}

function readPacked(zip: ZipFile, entry: Entry): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(
      entry,
      { decompress: entry.compressionMethod === STORED ? null : false, decrypt: null, start: null, end: null },
      (error, stream) => {
        if (!stream) return reject(damaged(error))
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('error', cause => reject(damaged(cause)))
        stream.on('end', () => resolve(Buffer.concat(chunks)))
      },
    )
  })
}

/** Finds the page among the files. If a single folder contains all files, its name is removed from their paths. */
function findPage(files: Map<string, Uint8Array>): PageSite {
  const folders = new Set([...files.keys()].map(path => path.slice(0, path.indexOf('/', 1) + 1)))
  const [folder] = folders
  const isWrapped = folders.size === 1 && folder !== undefined && folder !== ''
  const moved = isWrapped ? new Map([...files].map(([path, bytes]) => [path.slice(folder.length - 1), bytes])) : files
  const entry = ['/index.html', '/index.htm'].find(path => moved.has(path))
  if (entry === undefined)
    throw problem(
      'unreadable',
      `must contain index.html. Got ${files.size} ${files.size === 1 ? 'file' : 'files'} without it.`,
    )
  return { files: moved, entry }
}

function damaged(cause: unknown): EngineError {
  return problem('unreadable', 'must be a valid ZIP. It is damaged or has another format. Create it again.', cause)
}

function problem(reason: 'unreadable' | 'too-large', message: string, cause?: unknown): EngineError {
  return new EngineError(reason, message, { param: 'file', ...(cause === undefined ? {} : { cause }) })
}
