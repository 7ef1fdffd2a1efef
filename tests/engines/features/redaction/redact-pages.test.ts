import { describe, expect, it } from 'vitest'
import { Draft } from '../../../fixtures/draft'
import { INSIDE, makeLayers } from '../../../fixtures/layers'
import { makePage, IMAGES, showImage } from '../../../fixtures/images'
import { makeSecret, TRAPS, UNDER } from '../../../fixtures/traps'
import { readPageTexts } from '../../../support/page-texts'
import { renderPage } from '../../../support/reader'
import type { Image } from '../../../support/reader'
import { runOn } from '../../../support/run-on'
import { StrictPdf } from '../../../support/strict-pdf'
import { findTraces } from '../../../support/traces'

const redact = (file: Uint8Array, areas: object[] = [{ page: 1, ...UNDER }], more: object = {}) =>
  runOn('pdf-redaction', file, { areas, ...more })

type Region = Record<'x' | 'y' | 'width' | 'height', number>

const within = ({ x, y, width, height }: Region, across: number, up: number): boolean =>
  across > x && across < x + width && up > y && up < y + height

/** The shares of pixels beside an area and under it that differ by more than `levels`. */
function compare(one: Image, other: Image, area: Region, levels = 64): { beside: number; under: number } {
  expect([one.width, one.height]).toEqual([other.width, other.height])
  const counts = { beside: 0, under: 0 }
  for (let y = 0; y < one.height; y++) {
    for (let x = 0; x < one.width; x++) {
      const at = (y * one.width + x) * 4
      if (
        [0, 1, 2].every(
          channel => Math.abs((one.pixels[at + channel] ?? 0) - (other.pixels[at + channel] ?? 0)) <= levels,
        )
      )
        continue
      if (within(area, x + 0.5, one.height - y - 0.5)) counts.under++
      else counts.beside++
    }
  }
  return { beside: counts.beside / (one.width * one.height), under: counts.under / (one.width * one.height) }
}

/** The share of an area that has a color, one point inside its edges. */
function shareOf(
  { width, height, pixels }: Image,
  { x, y, width: across, height: up }: Region,
  [red, green, blue]: [number, number, number],
): number {
  let [same, all] = [0, 0]
  for (let row = Math.ceil(height - y - up) + 1; row < height - y - 1; row++) {
    for (let column = Math.ceil(x) + 1; column < x + across - 1; column++) {
      const at = (row * width + column) * 4
      all++
      if (
        Math.abs((pixels[at] ?? 0) - blue) < 4 &&
        Math.abs((pixels[at + 1] ?? 0) - green) < 4 &&
        Math.abs((pixels[at + 2] ?? 0) - red) < 4
      )
        same++
    }
  }
  return same / all
}

const GROWN = { x: UNDER.x - 1, y: UNDER.y - 1, width: UNDER.width + 2, height: UNDER.height + 2 }

describe('content under an area', () => {
  for (const [name, make] of Object.entries(TRAPS)) {
    it(`is removed from ${name}, and neighboring content stays`, async () => {
      const { file, secrets, kept } = make(makeSecret())
      expect(findTraces(file, secrets)).toEqual(secrets)
      const { bytes, headers, warnings } = await redact(file)
      expect(findTraces(bytes, secrets)).toEqual([])
      const text = (await readPageTexts(bytes)).join(' ')
      for (const word of kept) expect(text).toContain(word)
      for (const secret of secrets) expect(text).not.toContain(secret.slice(0, 4))
      const after = await renderPage(bytes, 0, { hasFields: true })
      expect(shareOf(after, UNDER, [0, 0, 0])).toBe(1)
      expect(headers).toMatchObject({ 'X-Redactions-Applied': '1', 'X-Redaction-Verified': 'true' })
      expect(warnings).toEqual(name === 'a repeating pattern' ? ['page-rasterized'] : [])
      const strict = new StrictPdf(bytes)
      expect(strict.problems.concat(strict.malformed, strict.dangling)).toEqual([])
    })
  }

  it('is removed from every kind of content of a page with a secret in each, and the rest looks as before', async () => {
    const { file, secrets, words } = makeLayers()
    const areas = [
      { page: 1, x: 0, y: 0, width: INSIDE.x, height: 800 },
      { page: 1, x: INSIDE.x + INSIDE.width, y: 0, width: 100, height: 800 },
      { page: 1, x: 0, y: 0, width: 600, height: INSIDE.y },
      { page: 1, x: 0, y: INSIDE.y + INSIDE.height, width: 600, height: 100 },
    ]
    const { bytes, warnings } = await redact(file, areas)
    expect(findTraces(bytes, Object.values(secrets))).toEqual([])
    const text = (await readPageTexts(bytes)).join('').replace(/\s+/g, '')
    for (const word of words.filter(one => one !== 'Tagge' && one !== 'Textafter')) expect(text).toContain(word)
    const [before, after] = [await renderPage(file, 0), await renderPage(bytes, 0)]
    let stray = 0
    for (let y = 103; y < 697; y++)
      for (let x = 112; x < 488; x++)
        if (Math.abs((before.pixels[(y * 600 + x) * 4] ?? 0) - (after.pixels[(y * 600 + x) * 4] ?? 0)) > 64) stray++
    expect(stray / (594 * 376)).toBeLessThan(0.005)
    // A repeating pattern contains one secret, because the test doesn't know what each tile shows.
    // The characters of one of the fonts are unknown.
    expect(warnings).toEqual(['page-rasterized', 'text-not-drawn'])
  })
})

describe('paths', () => {
  const area = { x: 60, y: 80, width: 80, height: 40 }
  const SHAPES: Record<string, string> = {
    'a filled polygon that an area cuts in two': '0 .5 0 rg 20 90 m 180 95 l 190 110 l 30 130 l h f',
    'a curve': '0 0 .7 rg 20 40 m 60 200 150 -40 190 150 c 150 170 l f',
    'a ring, by the rule of even and odd': '.6 0 0 rg 30 60 120 90 re 80 90 90 70 re f*',
    'a ring, by winding': '.6 0 0 rg 30 60 m 150 60 l 150 150 l 30 150 l h 50 70 m 50 140 l 130 140 l 130 70 l h f',
    'a rectangle from side to side': '.8 g 10.3 90.4 180.2 15.7 re f',
    'lines, closed': '3 w 40 60 m 160 60 l 150 140 l 100 100 l 50 140 l s',
    'a frame': '2 w 100 50 70 100 re S',
    'filled and framed': '.9 .9 0 rg 4 w 40 60 m 160 70 l 120 140 l b',
    'a curve as a line': '2 w 20 100 m 80 180 120 20 190 100 c S',
    dashes: '[6 3] 0 d 2 w 20 100 m 190 100 l S [] 0 d 20 60 m 190 60 l S',
    'what is turned': '.8 .6 -.6 .8 80 -20 cm .5 g 20 40 140 50 re f 2 w 10 70 m 170 70 l S',
    'a background': '.9 g 0 0 200 200 re f',
    'a clip in that shape': 'q 30 60 120 90 re 100 100 80 60 re W* n .3 g 0 0 200 200 re f Q',
    'text as a clip': 'q BT /F 40 Tf 7 Tr 20 90 Td (CLIPPED) Tj ET 0 .4 .9 rg 0 0 200 200 re f Q',
  }
  for (const [name, content] of Object.entries(SHAPES)) {
    it(`keep the look of ${name} beside the area`, async () => {
      const file = makePage(
        content,
        pdf => `/Font<</F ${pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>')} 0 R>>`,
      )
      const { bytes, warnings } = await redact(file, [{ page: 1, ...area }], { color: '#ff00ff' })
      const { beside, under } = compare(
        await renderPage(file, 0),
        await renderPage(bytes, 0),
        { x: area.x - 1, y: area.y - 1, width: area.width + 2, height: area.height + 2 },
        40,
      )
      // Redaction removes whole letters, and dashes start again after the box.
      expect(beside).toBeLessThan(name === 'text as a clip' || name === 'dashes' ? 0.03 : 0.0006)
      expect(under).toBeGreaterThan(0.07)
      expect(warnings).toEqual([])
    })
  }
})

describe('images', () => {
  const area = { x: 60, y: 60, width: 50, height: 60 }
  for (const [name, image] of Object.entries(IMAGES)) {
    it(`lose the pixels under the area and no others: ${name}`, async () => {
      const file = showImage(image, '160 0 0 160 20 20')
      const { bytes, warnings } = await redact(file, [{ page: 1, ...area }], { color: '#ff00ff' })
      expect(warnings).toEqual([])
      const { beside } = compare(await renderPage(file, 0), await renderPage(bytes, 0), {
        x: area.x - 4,
        y: area.y - 4,
        width: area.width + 8,
        height: area.height + 8,
      })
      expect(beside).toBeLessThan(0.005)
    })
  }

  it('are removed completely with images: remove', async () => {
    const file = showImage(
      { dictionary: '/ColorSpace/DeviceGray/BitsPerComponent 8', data: Buffer.alloc(64 * 48, 90) },
      '160 0 0 160 20 20',
    )
    const { bytes } = await redact(file, [{ page: 1, ...area }], { images: 'remove' })
    expect(shareOf(await renderPage(bytes, 0), { x: 120, y: 130, width: 50, height: 40 }, [255, 255, 255])).toBe(1)
    expect(bytes.includes('/Image')).toBe(false)
  })
})

describe('a page that becomes an image', () => {
  it('keeps its other text, hidden, at its position, and loses the content under the area', async () => {
    const { file, secrets } = (TRAPS['a part of a text string'] as (typeof TRAPS)[string])(makeSecret())
    const { bytes, warnings } = await redact(file, undefined, { rasterize: 'pages' })
    expect(warnings).toEqual([])
    expect(findTraces(bytes, secrets)).toEqual([])
    const [text] = await readPageTexts(bytes)
    for (const word of ['KEPT', 'AFTER', 'BESIDE']) expect(text).toContain(word)
    const [before, after] = [await renderPage(file, 0), await renderPage(bytes, 0)]
    expect(shareOf(after, UNDER, [0, 0, 0])).toBe(1)
    expect(compare(before, after, GROWN, 140).beside).toBeLessThan(0.002)
    expect(bytes.toString('latin1')).toContain('/DCTDecode')
  })

  it.each([
    ['along the page', '1 0 0 1', [140, 200], [202, 200], [270, 200], [200, 207, 60, 3]],
    ['up the page', '0 1 -1 0', [200, 140], [200, 202], [200, 270], [190, 200, 3, 60]],
    ['down the page', '0 -1 1 0', [200, 260], [200, 198], [200, 130], [207, 140, 3, 60]],
  ])('loses a word whose upper half is in an area, on a line %s', async (_, matrix, first, second, third, box) => {
    const draft = new Draft({ pages: 1, size: [400, 400] })
    for (const [text, at] of Object.entries({ first, second, third }))
      draft.page(1).content.push(`BT /F1 12 Tf ${matrix} ${at.join(' ')} Tm (${text}) Tj ET`)
    const [x, y, width, height] = box
    const area = { page: 1, x, y, width, height, origin: 'user-space' }
    const { bytes } = await redact(draft.write(), [area], { rasterize: 'pages' })
    expect((await readPageTexts(bytes))[0]?.match(/first|second|third/g)).toEqual(['first', 'third'])
  })
})
