import { writeRounded } from '../../../pdf/syntax'
import type { Box } from '../../../pdf/geometry'
import openCode from 'qrcode-generator'

/** Size of the cross in the center of a Swiss code: 7 of 46 mm. */
const CROSS = 7 / 46

/** The black square in it, as a share of the white one, and the bars of the cross, as shares of the black one. */
const BLACK_SQUARE = 0.89
const BAR = { width: 0.18, length: 0.6 }

/** A QR code (ISO/IEC 18004) with error correction level M. */
export interface QrCode {
  /** Number of modules per side, 21 to 177. */
  count: number
  isDark(row: number, column: number): boolean
}

/** Creates the QR code of a text in UTF-8. */
export function openQrCode(text: string): QrCode {
  const code = openCode(0, 'M')
  code.addData(Buffer.from(text, 'utf8').toString('latin1'), 'Byte') // Each character represents one byte.
  code.make()
  return { count: code.getModuleCount(), isDark: (row, column) => code.isDark(row, column) }
}

/** Returns the operators that draw a code into a square. The caller adds the quiet zone. */
export function drawQrCode({ count, isDark }: QrCode, { x, y, width }: Box, { hasSwissCross = false } = {}): string {
  const size = width / count
  const boxes: string[] = []
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++) {
      if (!isDark(row, column)) continue
      let end = column + 1
      while (end < count && isDark(row, end)) end++
      boxes.push(rectangle(x + column * size, y + width - (row + 1) * size, (end - column) * size, size))
      column = end
    }
  }
  const cross = hasSwissCross ? drawSwissCross(x + width / 2, y + width / 2, width * CROSS) : []
  return ['0 g', ...boxes, 'f', ...cross].join('\n')
}

/** Draws a black square with a white border and a white cross. */
function drawSwissCross(centerX: number, centerY: number, side: number): string[] {
  const square = (width: number, height: number): string =>
    rectangle(centerX - width / 2, centerY - height / 2, width, height)
  const inner = side * BLACK_SQUARE
  return [
    '1 g',
    square(side, side),
    'f',
    '0 g',
    square(inner, inner),
    'f',
    '1 g',
    square(inner * BAR.width, inner * BAR.length),
    square(inner * BAR.length, inner * BAR.width),
    'f',
  ]
}

function rectangle(x: number, y: number, width: number, height: number): string {
  return `${[x, y, width, height].map(writeRounded).join(' ')} re`
}
