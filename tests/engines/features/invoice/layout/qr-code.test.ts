import { describe, expect, it } from 'vitest'
import { drawQrCode, openQrCode } from '../../../../../engines/features/invoice/layout/qr-code'

/** The rectangles of an area that is filled in black, and the rectangles painted over it later. */
function rectanglesOf(operators: string): { black: number[][]; later: string } {
  const [first = '', later = ''] = operators.replace(/^0 g\n/, '').split(/\nf\n?/, 2)
  return { black: first.split('\n').map(line => line.split(' ').slice(0, 4).map(Number)), later }
}

describe('a QR code', () => {
  const code = openQrCode('https://pay.example.com/ü')

  it('has three finder patterns, and none in the fourth corner', () => {
    const last = code.count - 1
    const eye = (row: number, column: number) =>
      [0, 1, 2, 3, 4, 5, 6].every(step => code.isDark(row, column + step) && code.isDark(row + step, column))
    expect([eye(0, 0), eye(0, last - 6), eye(last - 6, 0), eye(last - 6, last - 6)]).toEqual([true, true, true, false])
  })

  it('is drawn at the requested size, with every dark module once', () => {
    const { black } = rectanglesOf(drawQrCode(code, { x: 10, y: 20, width: 84, height: 84 }))
    const size = 84 / code.count
    const dark = Array.from({ length: code.count ** 2 }, (_, at) =>
      code.isDark(Math.floor(at / code.count), at % code.count),
    ).filter(Boolean).length
    expect(black.reduce((sum, [, , width = 0, height = 0]) => sum + width * height, 0) / size ** 2).toBeCloseTo(dark, 0)
    expect(Math.min(...black.map(([x = 0]) => x))).toBeCloseTo(10, 2)
    expect(Math.max(...black.map(([, y = 0, , height = 0]) => y + height))).toBeCloseTo(104, 2)
    expect(Math.max(...black.map(([x = 0, , width = 0]) => x + width))).toBeCloseTo(94, 2)
  })

  it('grows with its content: longer text has more modules', () => {
    expect(openQrCode('x'.repeat(2000)).count).toBeGreaterThan(code.count)
    expect(openQrCode('ü'.repeat(1000)).count).toBe(openQrCode('x'.repeat(2000)).count)
  })

  it('of the Swiss kind has a cross in its middle', () => {
    expect(drawQrCode(code, { x: 0, y: 0, width: 46, height: 46 }, { hasSwissCross: true })).toContain(
      '1 g\n19.5 19.5 7 7 re\nf',
    )
  })
})
