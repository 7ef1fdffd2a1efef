import { execFile } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createBrotliDecompress } from 'node:zlib'
import { extract } from 'tar-fs'
import { findPackageFile } from '../../installed-package'
import { isRoot, UNPRIVILEGED_ID } from './cache-folder'
import { writeFontConfiguration } from '../browser-fonts/font-configuration'
import { fingerprintFonts } from '../browser-fonts/font-files'

/** A browser on the disk, and a folder of libraries that it needs in addition to those of the system. */
export interface UnpackedBrowser {
  executablePath: string
  libraries: string
}

const MAKING_FONTS_MS = 120_000

/** Returns the browser of the package `@sparticuz/chromium`. Unpacks it into the cache folder if necessary. */
export async function unpackBrowser(cache: string): Promise<UnpackedBrowser> {
  const main = findPackageFile('@sparticuz/chromium')
  const root = main.slice(0, main.lastIndexOf(join('@sparticuz', 'chromium')) + join('@sparticuz', 'chromium').length)
  // Every package.json has a version.
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const folder = await createFolder(join(cache, `chromium-${version}-${process.arch}`), async partial => {
    const source = (name: string) =>
      createReadStream(join(root, 'bin', name)).pipe(createBrotliDecompress({ chunkSize: 2 ** 21 }))
    await Promise.all([
      pipeline(source('chromium.br'), createWriteStream(join(partial, 'chromium'), { mode: 0o755 })),
      pipeline(source('al2023.tar.br'), extract(join(partial, 'al2023'))),
    ])
  })
  return { executablePath: join(folder, 'chromium'), libraries: join(folder, 'al2023', 'lib') }
}

/**
 * Creates the fonts for pages from their packages, unless they exist. Returns the path of a fontconfig configuration.
 * `scriptPath` is the bundle of `make-fonts.ts`, which runs in a separate process.
 */
export async function makeFonts(cache: string, scriptPath: string): Promise<string> {
  const configure = (folder: string) =>
    writeFontConfiguration({ folder: join(folder, 'files'), cache: join(folder, 'notes') })
  const target = join(cache, `fonts-${fingerprintFonts(configure(''))}`)
  const folder = await createFolder(target, async partial => {
    await promisify(execFile)(process.execPath, [scriptPath, join(partial, 'files')], {
      timeout: MAKING_FONTS_MS,
      env: { NODE_ENV: 'production' },
    })
    const notes = join(partial, 'notes')
    mkdirSync(notes)
    if (isRoot()) chownSync(notes, UNPRIVILEGED_ID, UNPRIVILEGED_ID) // Fontconfig writes its cache to this folder.
    writeFileSync(join(partial, 'fonts.conf'), configure(target))
  })
  return join(folder, 'fonts.conf')
}

/** Fills a temporary folder and renames it when it is complete, so that no process sees an incomplete folder. */
async function createFolder(folder: string, fill: (partial: string) => Promise<void>): Promise<string> {
  if (existsSync(folder)) return folder
  const partial = mkdtempSync(join(dirname(folder), 'unpacking-'))
  try {
    await fill(partial)
    chmodSync(partial, 0o755)
    renameSync(partial, folder)
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    if (!existsSync(folder)) throw error // Otherwise another process created the folder first.
  }
  return folder
}
