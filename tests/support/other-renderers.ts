import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Image } from './reader'

/** Commands that render the first page at 72 DPI as a PPM image, for renderers other than PDFium. */
const COMMANDS = {
  mutool: (path: string) => ['draw', '-q', '-r', '72', '-c', 'rgb', '-F', 'ppm', '-o', '-', path, '1'],
  pdftoppm: (path: string) => ['-q', '-r', '72', '-f', '1', '-l', '1', path],
}

export type Renderer = keyof typeof COMMANDS

const MAX_IMAGE = 64_000_000

/** The first page as another renderer shows it. Undefined if that program isn't installed. */
export function renderWith(renderer: Renderer, file: Uint8Array): Image | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'renderer-'))
  try {
    const path = join(folder, 'file.pdf')
    writeFileSync(path, file)
    const options = { timeout: 20_000, maxBuffer: MAX_IMAGE }
    const { error, stdout } = spawnSync(renderer, COMMANDS[renderer](path), options)
    return error ? undefined : readPpm(stdout)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The image of a binary eight-bit PPM, in PDFium's order of channels. */
function readPpm(bytes: Buffer): Image {
  const header = /^P6\s+(?:#.*\n)?(\d+)\s+(\d+)\s+255\s/.exec(bytes.toString('latin1', 0, 200))
  if (!header) throw new Error('not a PPM image of three channels')
  const [width, height] = [Number(header[1]), Number(header[2])]
  const pixels = Buffer.alloc(width * height * 4, 255)
  for (let at = 0; at < width * height; at++) {
    const from = header[0].length + at * 3
    for (const channel of [0, 1, 2]) pixels[at * 4 + channel] = bytes[from + 2 - channel] ?? 0
  }
  return { width, height, pixels }
}
