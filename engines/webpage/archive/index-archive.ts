import { crc32, inflateRawSync } from 'node:zlib'
import type { RunnableJob, ToolResult } from '../../types'
import type { ArchiveIndex, IndexedFile } from './archive-index'
import { archiveProblem, damagedArchive } from './archive-problem'
import { findFiles } from './find-files'
import type { LocatedFile } from './find-files'
import { readDirectory } from './zip-directory'

/**
 * Checks a zipped page in an engine process and returns the index of its files, as JSON. Every file is unpacked once,
 * and the result is dropped. The ZIP stays packed on its way to the printer. Throws EngineError `damaged` and
 * `too_large` with the parameter `file`.
 */
export async function runIndexArchive({ files: [file] }: RunnableJob): Promise<ToolResult> {
  const started = performance.now()
  const index = indexArchive(file?.bytes ?? new Uint8Array())
  return {
    name: 'index.json',
    contentType: 'application/json',
    chunks: [Buffer.from(JSON.stringify(index))],
    warnings: [],
    headers: {},
    timings: { unpack: performance.now() - started },
  }
}

/**
 * Returns the index of a zipped page. The page is `index.html` (or `index.htm`), at the top level or in the only
 * top-level folder. Throws EngineError `damaged` and `too_large` with the parameter `file`.
 */
export function indexArchive(bytes: Uint8Array): ArchiveIndex {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const files = findFiles(zip, readDirectory(zip)).filter(isServed)
    for (const file of files) assertIntact(zip, file)
    return findPage(files.map(describeFile))
  } catch (error) {
    // A field that names a position outside the file.
    throw error instanceof RangeError ? damagedArchive(error) : error
  }
}

/** Folders have no content, and macOS adds a folder with attributes of files. */
function isServed({ path }: LocatedFile): boolean {
  return !path.endsWith('/') && !path.startsWith('__MACOSX/')
}

/** Unpacks a file. Throws EngineError `damaged` if its size or checksum differs from the stated one. */
function assertIntact(zip: Buffer, { start, packedBytes, byteLength, checksum, isDeflated }: LocatedFile): void {
  const packed = zip.subarray(start, start + packedBytes)
  const bytes = isDeflated ? inflate(packed, byteLength) : packed
  if (bytes.length !== byteLength || crc32(bytes) !== checksum)
    throw damagedArchive('a file with another size or checksum than stated')
}

function inflate(packed: Buffer, byteLength: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, byteLength) })
  } catch (cause) {
    throw damagedArchive(cause)
  }
}

function describeFile({ path, start, packedBytes, byteLength, isDeflated }: LocatedFile): IndexedFile {
  return { path: `/${path}`, start, packedBytes, byteLength, isDeflated }
}

/** Finds the page among the files. If a single folder contains all files, its name is removed from their paths. */
function findPage(files: IndexedFile[]): ArchiveIndex {
  const folders = new Set(files.map(({ path }) => path.slice(0, path.indexOf('/', 1) + 1)))
  const [folder] = folders
  const cut = folders.size === 1 && folder !== undefined && folder !== '' ? folder.length - 1 : 0
  const moved = files.map(file => ({ ...file, path: file.path.slice(cut) }))
  const paths = new Set(moved.map(({ path }) => path))
  const entry = ['/index.html', '/index.htm'].find(path => paths.has(path))
  if (entry === undefined)
    throw archiveProblem(
      'damaged',
      `must contain index.html. Got ${files.length} ${files.length === 1 ? 'file' : 'files'} without it. Add the page ` +
        'to the ZIP.',
    )
  return { entry, files: moved }
}
