import { describe, expect, it } from 'vitest'
import type { PdfWriter } from '../../../fixtures/pdf-writer'
import { readDrawn } from './read-drawn'

/** A Type 3 font whose glyph A is as wide as an em of 1,000 units, mapped by a matrix. */
const type3 = (matrix: string) => (pdf: PdfWriter) => {
  const draw = pdf.addStream('', '1000 0 0 0 1000 800 d1 0 0 1000 800 re f')
  return `/Font<</T ${pdf.add(
    `<</Type/Font/Subtype/Type3/FontBBox[0 -200 1000 800]/FontMatrix[${matrix}]/CharProcs<</A ${draw} 0 R>>/Encoding` +
      '<</Differences[65/A]>>/FirstChar 65/LastChar 65/Widths[1000]/Resources<<>>>>',
  )} 0 R>>`
}

/** A font for vertical writing with the default metrics: an em down for each glyph. */
const vertical = (pdf: PdfWriter): string => {
  const system = '/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>'
  const descendant = pdf.add(`<</Type/Font/Subtype/CIDFontType0/BaseFont/Some${system}/DW 1000>>`)
  return `/Font<</V ${pdf.add(
    `<</Type/Font/Subtype/Type0/BaseFont/Some/Encoding/UniJIS-UCS2-V/DescendantFonts[${descendant} 0 R]>>`,
  )} 0 R>>`
}

/** Origin, end, size in points and angle in degrees. */
type Place = [x: number, y: number, endX: number, endY: number, size: number, angleDeg: number]

/** The place of the glyph at an index. */
function placeOf(content: string, index = 0, resources?: (pdf: PdfWriter) => string): number[] {
  const glyph = readDrawn(content, resources && { resources }).glyphs[index]
  if (!glyph) return []
  const { x, y, endX, endY, size, angle } = glyph
  return [x, y, endX, endY, size, (angle * 180) / Math.PI].map(value => Math.round(value * 1000) / 1000 + 0)
}

describe('a glyph is placed', () => {
  it.each<[string, string, Place]>([
    ['by its offset', '1 0 0 1 20 50 Tm', [26, 50, 32, 50, 10, 0]],
    ['under a scaling matrix', '2 0 0 3 20 50 Tm', [32, 50, 44, 50, 30, 0]],
    ['under a quarter turn', '0 1 -1 0 20 50 Tm', [20, 56, 20, 62, 10, 90]],
    ['upside down', '-1 0 0 -1 20 50 Tm', [14, 50, 8, 50, 10, 180]],
    ['flipped left to right', '-1 0 0 1 20 50 Tm', [14, 50, 8, 50, 10, 180]],
    ['flipped upside down', '1 0 0 -1 20 50 Tm', [26, 50, 32, 50, 10, 0]],
    ['with slanted letters', '1 0 .3 1 20 50 Tm', [26, 50, 32, 50, 10, 0]],
    ['along a skewed line', '1 1 0 1 20 50 Tm', [26, 56, 32, 62, 7.071, 45]],
    ['after a rise', '1 0 0 1 20 50 Tm 4 Ts', [26, 54, 32, 54, 10, 0]],
    ['after a rise on a turned line', '0 1 -1 0 20 50 Tm 4 Ts', [16, 56, 16, 62, 10, 90]],
    ['with horizontal scaling', '1 0 0 1 20 50 Tm 50 Tz', [23, 50, 26, 50, 10, 0]],
    ['with negative horizontal scaling', '1 0 0 1 20 50 Tm -50 Tz', [17, 50, 14, 50, 10, 180]],
    ['with a negative size', '1 0 0 1 20 50 Tm /F -10 Tf', [14, 50, 8, 50, 10, 180]],
    ['with a negative size in a turned matrix', '-1 0 0 -1 20 50 Tm /F -10 Tf', [26, 50, 32, 50, 10, 0]],
    ['after spacing', '1 0 0 1 20 50 Tm 3 Tc', [29, 50, 35, 50, 10, 0]],
    ['after scaled spacing', '1 0 0 1 20 50 Tm 3 Tc 50 Tz', [24.5, 50, 27.5, 50, 10, 0]],
    ['on a scaled page', '1 0 0 1 20 50 Tm ET Q q .5 0 0 .5 10 20 cm BT /F 10 Tf 20 60 Td', [23, 50, 26, 50, 5, 0]],
  ])('%s', (_, setup, place) => {
    expect(placeOf(`BT /F 10 Tf ${setup} (AB) Tj ET`, 1)).toEqual(place)
  })

  it.each<[string, string, string, Place]>([
    ['with a usual matrix', '.001 0 0 .001 0 0', '1 0 0 1 20 50 Tm', [30, 50, 40, 50, 10, 0]],
    ['with a large matrix', '.01 0 0 .01 0 0', '.1 0 0 .1 20 50 Tm', [30, 50, 40, 50, 10, 0]],
    ['with a flipped matrix', '.001 0 0 -.001 0 0', '1 0 0 -1 20 50 Tm', [30, 50, 40, 50, 10, 0]],
    ['turned', '.001 0 0 .001 0 0', '0 1 -1 0 20 50 Tm', [20, 60, 20, 70, 10, 90]],
    ['stretched', '.002 0 0 .001 0 0', '1 0 0 1 20 50 Tm', [40, 50, 60, 50, 10, 0]],
  ])('in a Type 3 font %s', (_, matrix, setup, place) => {
    expect(placeOf(`BT /T 10 Tf ${setup} (AA) Tj ET`, 1, type3(matrix))).toEqual(place)
  })

  it.each<[string, string, Place]>([
    ['down', '1 0 0 1 20 250 Tm', [20, 240, 20, 230, 10, -90]],
    ['with spacing', '1 0 0 1 20 250 Tm -2 Tc', [20, 238, 20, 228, 10, -90]],
    ['turned', '0 1 -1 0 20 50 Tm', [30, 50, 40, 50, 10, 0]],
    ['with a negative size', '1 0 0 1 20 50 Tm /V -10 Tf', [20, 60, 20, 70, 10, 90]],
    ['with horizontal scaling', '1 0 0 1 20 250 Tm 50 Tz', [20, 240, 20, 230, 10, -90]],
  ])('in vertical writing %s', (_, setup, place) => {
    expect(placeOf(`BT /V 10 Tf ${setup} <65e5672c> Tj ET`, 1, vertical)).toEqual(place)
  })
})

it('has about the same angle on all lines upside down', () => {
  const places = ['-1 0 0 -1', '-1 .001 -.001 -1', '-1 -.001 .001 -1'].map(turn =>
    placeOf(`BT /F 10 Tf ${turn} 200 50 Tm (A) Tj ET`),
  )
  for (const [, , , , , angle] of places) expect(Math.abs((angle ?? 0) - 180)).toBeLessThan(0.1)
})

describe('the bounds of a glyph', () => {
  const boundsOf = (content: string, resources?: (pdf: PdfWriter) => string): number[] => {
    const [glyph] = readDrawn(content, resources && { resources }).glyphs
    return glyph ? [glyph.left, glyph.bottom, glyph.right, glyph.top].map(Math.round) : []
  }

  it.each<[string, string, number[]]>([
    ['upright', '1 0 0 1 100 100 Tm', [100, 84, 160, 184]],
    ['turned by 90°', '0 1 -1 0 100 100 Tm', [16, 100, 116, 160]],
    ['upside down', '-1 0 0 -1 100 100 Tm', [40, 16, 100, 116]],
    ['flipped', '-1 0 0 1 100 100 Tm', [40, 84, 100, 184]],
    ['with a negative size', '1 0 0 1 100 100 Tm /F -100 Tf', [40, 16, 100, 116]],
    ['raised', '1 0 0 1 100 100 Tm 10 Ts', [100, 94, 160, 194]],
    ['narrow', '1 0 0 1 100 100 Tm 50 Tz', [100, 84, 130, 184]],
  ])('%s', (_, setup, bounds) => {
    const found = boundsOf(`BT /F 100 Tf ${setup} (A) Tj ET`)
    // Fonts tell ascent and descent apart differently, but together they are an em.
    for (const [index, value] of found.entries()) expect(Math.abs(value - (bounds[index] ?? 0))).toBeLessThan(8)
    expect([found.length, Math.max((found[2] ?? 0) - (found[0] ?? 0), (found[3] ?? 0) - (found[1] ?? 0))]).toEqual([
      4, 100,
    ])
  })

  it.each<[string, string, number[]]>([
    ['down', '1 0 0 1 100 200 Tm', [50, 100, 150, 200]],
    ['turned', '0 1 -1 0 100 100 Tm', [100, 50, 200, 150]],
    ['narrow', '1 0 0 1 100 200 Tm 50 Tz', [75, 100, 125, 200]],
    ['with a negative size', '1 0 0 1 100 100 Tm /V -100 Tf', [50, 100, 150, 200]],
    ['with negative scaling', '1 0 0 1 100 200 Tm -50 Tz', [75, 100, 125, 200]],
  ])('in vertical writing %s', (_, setup, bounds) => {
    expect(boundsOf(`BT /V 100 Tf ${setup} <65e5> Tj ET`, vertical)).toEqual(bounds)
  })
})

it.each([
  ['a size of zero', '/F 0 Tf'],
  ['a matrix without height', '/F 10 Tf 1 0 0 0 20 50 Tm'],
  ['a matrix without width', '/F 10 Tf 0 0 0 1 20 50 Tm'],
  ['a matrix of zeros', '/F 10 Tf 0 0 0 0 0 0 Tm'],
  ['numbers beyond all bounds', `/F 1${'0'.repeat(200)} Tf 1${'0'.repeat(200)} 0 0 1${'0'.repeat(200)} 0 0 Tm`],
])('a glyph with %s has no position', (_, setup) => {
  expect(readDrawn(`BT ${setup} (AB) Tj ET`).glyphs).toEqual([])
})

describe('the spacing of an operation', () => {
  it.each<[string, string, number]>([
    ['to the right', '1 0 0 1 20 50 Tm 5 Tc', 0.5],
    ['under a matrix', '2 0 0 2 20 50 Tm 5 Tc', 0.5],
    ['in narrow letters', '1 0 0 1 20 50 Tm 5 Tc 50 Tz', 0.25],
    ['with negative scaling', '1 0 0 1 200 50 Tm 5 Tc -50 Tz', 0.25],
    ['with a negative size', '1 0 0 1 200 50 Tm /F -10 Tf 5 Tc', -0.5],
  ])('is a distance along the line %s', (_, setup, spacing) => {
    expect(readDrawn(`BT /F 10 Tf ${setup} (AB) Tj ET`).glyphs[0]?.shown.spacing).toBeCloseTo(spacing)
  })

  it.each<[string, string, number]>([
    ['down', '1 0 0 1 20 250 Tm -5 Tc', 0.5],
    ['turned', '0 1 -1 0 20 50 Tm -5 Tc', 0.5],
    ['closer', '1 0 0 1 20 250 Tm 2 Tc', -0.2],
    ['with a negative size', '1 0 0 1 20 50 Tm /V -10 Tf 5 Tc', 0.5],
  ])('is a distance along a vertical line %s', (_, setup, spacing) => {
    expect(
      readDrawn(`BT /V 10 Tf ${setup} <65e5672c> Tj ET`, { resources: vertical }).glyphs[0]?.shown.spacing,
    ).toBeCloseTo(spacing)
  })
})
