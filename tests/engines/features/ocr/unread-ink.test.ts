import { describe, expect, it } from 'vitest'
import { openDocument } from '../../../../engines/pdf/open-save/open'
import { openRenderer } from '../../../../engines/pdf/rendering/render'
import type { GrayImage } from '../../../../engines/features/ocr/scans/gray-image'
import type { PageText } from '../../../../engines/features/ocr/page-text/page-text'
import { hasUnreadInk } from '../../../../engines/features/ocr/unread-ink'
import { makePrint, SCAN_SIZE } from '../../../fixtures/scan'
import { SHADES } from '../../../fixtures/shades'
import { LIMITS } from '../../../support/run-on'

const DPI = 216

async function draw(
  page: Parameters<typeof makePrint>[0],
  shade?: (value: number, x: number, y: number) => number,
): Promise<GrayImage> {
  const renderer = await openRenderer(openDocument(new Uint8Array(makePrint(page)), LIMITS))
  const { width, height, pixels } = renderer.draw(0, { dpi: DPI, color: 'gray', annotations: false })
  renderer.close()
  return {
    width,
    height,
    pixels: shade
      ? pixels.map((value, at) =>
          Math.max(0, Math.min(255, shade(value, (at % width) / width, Math.floor(at / width) / height))),
        )
      : pixels,
  }
}

/** An image of the same size. A function returns its gray values. */
function paint(shade: (x: number, y: number) => number): GrayImage {
  const side = (SCAN_SIZE.width * DPI) / 72
  return {
    width: side,
    height: side,
    pixels: Uint8Array.from({ length: side * side }, (_, at) => shade(at % side, Math.floor(at / side))),
  }
}

/** A recognition result with one word, in points from the upper-left corner. */
function reading(box: { x: number; y: number; width: number; height: number }, confidence = 90): PageText {
  const words = [{ text: 'word', box, confidence }]
  const line = {
    words,
    start: { x: box.x, y: box.y + box.height },
    end: { x: box.x + box.width, y: box.y + box.height },
    size: box.height,
  }
  return {
    width: SCAN_SIZE.width,
    height: SCAN_SIZE.height,
    toSeen: [1, 0, 0, -1, 0, SCAN_SIZE.height],
    blocks: [{ paragraphs: [{ lines: [line] }] }],
  }
}

const look = (image: GrayImage, readings: PageText[] = []): boolean =>
  hasUnreadInk({ image, dpi: DPI, known: [] }, readings)
const PLACE = { x: 24, y: 59, width: 90, height: 15 }

describe('ink that was not read', () => {
  it('is a word, in any light', async () => {
    const lit = await Promise.all(
      Object.values(SHADES).map(shade =>
        draw({ lines: ['Quimbleford', 'and another', 'Quimbleford', 'of letters', 'in a row'] }, shade),
      ),
    )
    expect(lit.map(image => look(image))).toEqual(lit.map(() => true))
    expect(look(await draw({ lines: ['Quimbleford'], slopeDeg: 3 }))).toBe(true)
    expect(look(await draw({ lines: ['Quimbleford'], slopeDeg: 90 }))).toBe(true)
  })

  it('is not a word that was read with some confidence, or that is known otherwise', async () => {
    const image = await draw({ lines: ['Quimbleford'] })
    expect(look(image, [reading(PLACE)])).toBe(false)
    expect(look(image, [reading({ ...PLACE, y: 120 }), reading(PLACE)])).toBe(false)
    expect(look(image, [reading(PLACE, 5)])).toBe(true)
    expect(look(image, [reading({ ...PLACE, y: 120 })])).toBe(true)
    expect(hasUnreadInk({ image, dpi: DPI, known: [{ x: 72, y: 177, width: 270, height: 45 }] }, [])).toBe(false)
  })

  it('is not a line, frame, box, speck, light or photo', () => {
    const grain = (x: number, y: number): number => ((x * 7919 + y * 104_729) % 97) / 97
    const images = {
      paper: paint(() => 255),
      rules: paint((x, y) => (y % 60 < 3 && x > 50 ? 0 : 255)),
      frames: paint((x, y) => (x % 120 < 3 || y % 80 < 3 ? 40 : 255)),
      boxes: paint((x, y) => (x % 200 > 60 && y % 150 > 90 ? 90 : 255)),
      specks: paint((x, y) => (grain(x, y) > 0.985 ? 0 : 255)),
      light: paint((x, y) => 120 + 80 * Math.sin(x / 90) * Math.cos(y / 70)),
      photo: paint((x, y) => 128 + 60 * Math.sin(x / 60) + 40 * Math.cos(y / 45 + x / 200) + 9 * grain(x, y)),
      noise: paint((x, y) => 255 * grain(x, y)),
    }
    expect(
      Object.entries(images)
        .filter(([, image]) => look(image))
        .map(([name]) => name),
    ).toEqual([])
  })
})
