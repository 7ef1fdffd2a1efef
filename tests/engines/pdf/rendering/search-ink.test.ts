import { describe, expect, it } from 'vitest'
import { findContentBoxes } from '../../../../engines/pdf/rendering/content-boxes'
import type { PixelBox } from '../../../../engines/pdf/rendering/ink'
import { drawPages } from '../../../../engines/pdf/rendering/render'
import { searchInk } from '../../../../engines/pdf/rendering/search-ink'
import { openDocument } from '../../../../engines/pdf/open-save/open'
import { withBlankPages } from '../../../fixtures/blanks'
import { Draft } from '../../../fixtures/draft'
import { IMAGES, showImage } from '../../../fixtures/images'
import { LIMITS } from '../../../support/run-on'

const SIZE = { width: 1200, height: 1700 }
const TEXT = { left: 144, top: 160, right: 1010, bottom: 1480 }

/** A page with these painted boxes, and the number of its pixels that were drawn. */
function page(boxes: PixelBox[]) {
  let drawn = 0
  const boxInk = (part: PixelBox): PixelBox | undefined => {
    drawn += (part.right - part.left) * (part.bottom - part.top)
    const inside = boxes
      .map(box => ({
        left: Math.max(box.left, part.left),
        top: Math.max(box.top, part.top),
        right: Math.min(box.right, part.right),
        bottom: Math.min(box.bottom, part.bottom),
      }))
      .filter(({ left, right, top, bottom }) => left < right && top < bottom)
    if (inside.length === 0) return undefined
    return {
      left: Math.min(...inside.map(box => box.left)),
      top: Math.min(...inside.map(box => box.top)),
      right: Math.max(...inside.map(box => box.right)),
      bottom: Math.max(...inside.map(box => box.bottom)),
    }
  }
  return { boxInk, drawnShare: () => drawn / (SIZE.width * SIZE.height) }
}

describe('searchInk', () => {
  const corner = { left: 3, top: 1600, right: 5, bottom: 1690 }

  it("finds the edges of a page's content, whatever the guess was", () => {
    for (const boxes of [
      [TEXT],
      [TEXT, corner],
      [corner],
      [{ left: 0, top: 0, ...{ right: SIZE.width, bottom: SIZE.height } }],
      [{ left: 600, top: 800, right: 601, bottom: 801 }],
    ]) {
      const whole = page(boxes).boxInk({ left: 0, top: 0, right: SIZE.width, bottom: SIZE.height })
      for (const likely of [
        undefined,
        TEXT,
        corner,
        { left: -50, top: -9, right: 5000, bottom: 4000 },
        { left: 700, top: 900, right: 600, bottom: 100 },
      ]) {
        expect(searchInk(SIZE, page(boxes).boxInk, { likely })).toEqual(whole)
      }
    }
  })

  it('draws only margins if the guess is good', () => {
    const { boxInk, drawnShare } = page([TEXT])
    searchInk(SIZE, boxInk, { likely: TEXT })
    expect(drawnShare()).toBeLessThan(0.45)
  })

  it('reports how far ink extends beyond a box, and whether there is any ink', () => {
    const inside = { left: 100, top: 100, right: 1100, bottom: 1500 }
    expect(searchInk(SIZE, page([]).boxInk, { inside, likely: TEXT })).toBeUndefined()
    expect(searchInk(SIZE, page([TEXT]).boxInk, { inside, likely: undefined })).toBeDefined()
    expect(searchInk(SIZE, page([TEXT, corner]).boxInk, { inside, likely: TEXT })).toMatchObject({
      left: 3,
      bottom: 1690,
    })
    expect(
      searchInk(SIZE, page([corner]).boxInk, {
        inside: { left: -5, top: -5, right: 3000, bottom: 3000 },
        likely: undefined,
      }),
    ).toBeDefined()
  })
})

describe('findContentBoxes', () => {
  /** The bounds of all non-white pixels in the whole page, from the lower-left corner. */
  async function boxByDrawing(bytes: Uint8Array): Promise<(number[] | undefined)[]> {
    const document = openDocument(new Uint8Array(bytes), LIMITS)
    const boxes: (number[] | undefined)[] = []
    for await (const { image } of drawPages(document, document.pages.keys(), {
      dpi: 144,
      color: 'rgb',
      annotations: true,
    })) {
      if (!image) throw new Error('a page was not drawn')
      const { width, height, pixels } = image
      let [left, top, right, bottom] = [width, height, 0, 0]
      for (let at = 0; at < pixels.length; at += 3) {
        if ([0, 1, 2].every(color => (pixels[at + color] ?? 0) >= 240)) continue
        const [x, y] = [(at / 3) % width, Math.floor(at / 3 / width)]
        left = Math.min(left, x)
        right = Math.max(right, x + 1)
        top = Math.min(top, y)
        bottom = y + 1
      }
      boxes.push(right === 0 ? undefined : [left / 2, (height - bottom) / 2, right / 2, (height - top) / 2])
    }
    return boxes
  }

  const turned = new Draft({ pages: 3 })
  for (const [index, draft] of turned.pages.entries()) draft.entries.push(`/Rotate ${index * 90}`)
  const files: Record<string, Buffer> = {
    'pages of which some are blank': withBlankPages().write(),
    'turned pages': turned.write(),
    ...Object.fromEntries(
      Object.entries(IMAGES).map(([name, image]) => [name, showImage(image, '120 40 -40 120 60 20')]),
    ),
  }

  for (const [name, file] of Object.entries(files)) {
    it(`${name}: have the same boxes as in an image of the whole page`, async () => {
      const document = openDocument(new Uint8Array(file), LIMITS)
      const own = await findContentBoxes(document, document.pages.keys(), {
        paddingPt: 0,
        isUniform: false,
        leastPt: 0,
      })
      const expected = await boxByDrawing(file)
      const seen = document.pages
        .map((_, index) => own.get(index))
        .map(box => box && [box.x, box.y, box.x + box.width, box.y + box.height])
      expect(seen.map(sides => sides?.map(side => Math.round(side * 100) / 100))).toEqual(expected)
      const joined = expected
        .filter(sides => sides !== undefined)
        .reduce<number[]>(
          (all, [x = 0, y = 0, right = 0, top = 0]) => [
            Math.min(all[0] ?? x, x),
            Math.min(all[1] ?? y, y),
            Math.max(all[2] ?? right, right),
            Math.max(all[3] ?? top, top),
          ],
          [],
        )
      const uniform = await findContentBoxes(document, document.pages.keys(), {
        paddingPt: 0,
        isUniform: true,
        leastPt: 0,
      })
      expect([...uniform.keys()]).toEqual([...own.keys()])
      if (new Set(document.pages.map((_, index) => index % 2)).size === 1)
        for (const box of uniform.values())
          expect(
            [box.x, box.y, box.x + box.width, box.y + box.height].map(side => Math.round(side * 100) / 100),
          ).toEqual(joined)
    })
  }
})
