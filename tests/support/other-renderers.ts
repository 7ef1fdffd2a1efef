import { runProgram } from './other-programs'
import type { Image } from './reader'

/** Commands that render all pages at 72 DPI as PPM images, for renderers other than PDFium. */
const COMMANDS = {
  mutool: (path: string) => ['draw', '-q', '-r', '72', '-c', 'rgb', '-F', 'ppm', '-o', '-', path],
  pdftoppm: (path: string) => ['-q', '-r', '72', path],
}

export type Renderer = keyof typeof COMMANDS

/** The pages as another renderer shows them. Throws if that program isn't installed. */
export function renderWith(renderer: Renderer, file: Uint8Array): Image[] {
  const images: Image[] = []
  // Complaints of the program follow its images.
  for (let rest = runProgram(renderer, file, COMMANDS[renderer]); rest.toString('latin1', 0, 2) === 'P6';) {
    const { image, byteLength } = readPpm(rest)
    images.push(image)
    rest = rest.subarray(byteLength)
  }
  return images
}

/** The first image of binary eight-bit PPMs, in PDFium's order of channels. */
function readPpm(bytes: Buffer): { image: Image; byteLength: number } {
  const header = /^P6\s+(?:#.*\n)?(\d+)\s+(\d+)\s+255\s/.exec(bytes.toString('latin1', 0, 200))
  if (!header) throw new Error('not a PPM image of three channels')
  const [width, height] = [Number(header[1]), Number(header[2])]
  const pixels = Buffer.alloc(width * height * 4, 255)
  for (let at = 0; at < width * height; at++) {
    const from = header[0].length + at * 3
    for (const channel of [0, 1, 2]) pixels[at * 4 + channel] = bytes[from + 2 - channel] ?? 0
  }
  return { image: { width, height, pixels }, byteLength: header[0].length + width * height * 3 }
}
