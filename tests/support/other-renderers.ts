import { runProgram } from './other-programs'
import type { Image } from './reader'

/** Commands that render the first page at 72 DPI as a PPM image, for renderers other than PDFium. */
const COMMANDS = {
  mutool: (path: string) => ['draw', '-q', '-r', '72', '-c', 'rgb', '-F', 'ppm', '-o', '-', path, '1'],
  pdftoppm: (path: string) => ['-q', '-r', '72', '-f', '1', '-l', '1', path],
}

export type Renderer = keyof typeof COMMANDS

/** The first page as another renderer shows it. Throws if that program isn't installed. */
export function renderWith(renderer: Renderer, file: Uint8Array): Image {
  return readPpm(runProgram(renderer, file, COMMANDS[renderer]))
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
