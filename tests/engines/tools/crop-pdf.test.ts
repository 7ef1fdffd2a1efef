import { describe, expect, it } from 'vitest'
import { cropPdf } from '../../../engines/tools/crop-pdf'
import { replaceText } from '../../fixtures/damaged'
import { Draft, numbered } from '../../fixtures/draft'
import { makeBook } from '../../fixtures/make-fixtures'
import { type Image, readPdf, renderPage } from '../../support/reader'
import { runOn } from '../../support/run-on'
import { readSound, type StrictPdf } from '../../support/strict-pdf'

const five = numbered({ imageBytes: 900 })
const box = { x: 40, y: 380, width: 360, height: 380 }

async function crop(file: Buffer, options: unknown): Promise<StrictPdf> {
  const strict = readSound((await runOn('crop-pdf', file, options)).bytes)
  return strict
}

/** The MediaBox of each page, as numbers. */
async function mediaBoxes(file: Buffer, options: unknown): Promise<unknown[]> {
  return (await crop(file, options)).pages.map(page => page.dict.get('MediaBox'))
}

/** The part of an image inside a box of the page as displayed, counted from the lower left. */
function cutOut({ width, height, pixels }: Image, area: typeof box): Image {
  const rows = Array.from({ length: area.height }, (_, row) => {
    const start = ((height - area.y - area.height + row) * width + area.x) * 4
    return pixels.subarray(start, start + area.width * 4)
  })
  return { width: area.width, height: area.height, pixels: Buffer.concat(rows) }
}

function difference(one: Image, other: Image): number {
  if (one.width !== other.width || one.height !== other.height) return 1
  let count = 0
  for (let at = 0; at < one.pixels.length; at += 4)
    if (Math.abs((one.pixels[at] ?? 0) - (other.pixels[at] ?? 0)) > 64) count++
  return count / (one.width * one.height)
}

describe('crop-pdf: the page as displayed', () => {
  const files: Record<string, [Buffer, typeof box]> = {
    'a plain page': [five, box],
    'a page with a CropBox': [
      numbered({ crop: [50, 60, 560, 780], imageBytes: 900 }),
      { x: 5, y: 330, width: 300, height: 300 },
    ],
    'a page whose box does not start at 0': [numbered({ origin: [-100, 50] }), box],
    'a page turned by 90': [numbered({ pages: 1, rotate: { 1: 90 } }), { x: 500, y: 300, width: 280, height: 300 }],
    'a page turned by 180': [numbered({ pages: 1, rotate: { 1: 180 } }), { x: 200, y: 20, width: 380, height: 300 }],
    'a page turned by 270': [
      numbered({ pages: 1, rotate: { 1: 270 }, origin: [30, 40] }),
      { x: 20, y: 20, width: 280, height: 300 },
    ],
    'a page that inherits everything': [
      replaceText(numbered({ inherits: true, crop: [20, 20, 600, 700] }), '/Count 5', '/Count 5/Rotate 90'),
      { x: 400, y: 250, width: 250, height: 300 },
    ],
  }
  for (const [name, [file, area]] of Object.entries(files)) {
    for (const mode of ['box', 'hide']) {
      it(`shows the content of the box of ${name} (${mode})`, async () => {
        const { bytes } = await runOn('crop-pdf', file, { cropBox: area, mode })
        const part = cutOut(await renderPage(file, 0), area)
        expect(part.pixels.some((value, at) => at % 4 < 3 && value < 128)).toBe(true) // The box isn't blank.
        expect(difference(part, await renderPage(bytes, 0))).toBeLessThan(0.002)
      })
    }
  }

  it('counts from the top, or in user space, if requested', async () => {
    const turned = numbered({ pages: 1, rotate: { 1: 90 }, origin: [10, 20] })
    const small = { x: 30, y: 40, width: 100, height: 50 }
    expect(await mediaBoxes(turned, { cropBox: small })).toEqual([[532, 50, 582, 150]])
    expect(await mediaBoxes(turned, { cropBox: small, origin: 'top-left' })).toEqual([[50, 50, 100, 150]])
    expect(await mediaBoxes(turned, { cropBox: small, origin: 'user-space' })).toEqual([[30, 40, 130, 90]])
  })

  it('accepts other units, and fractions of each page', async () => {
    expect(
      await mediaBoxes(numbered({ pages: 1 }), { cropBox: { x: 1, y: 2, width: 3, height: 4 }, unit: 'in' }),
    ).toEqual([[72, 144, 288, 432]])
    expect(
      await mediaBoxes(numbered({ pages: 1 }), { cropBox: { x: 25.4, y: 0, width: 50.8, height: 25.4 }, unit: 'mm' }),
    ).toEqual([[72, 0, 216, 72]])
    const half = { cropBox: { x: 0, y: 50, width: 100, height: 50 }, unit: '%' }
    expect(await mediaBoxes(numbered({ pages: 2, rotate: { 2: 90 } }), half)).toEqual([
      [0, 396, 612, 792],
      [0, 0, 306, 792],
    ])
  })

  it('counts points on pages with /UserUnit', async () => {
    const file = replaceText(numbered({ pages: 1 }), '/MediaBox', '/UserUnit 2/MediaBox')
    expect(await mediaBoxes(file, { cropBox: { x: 100, y: 200, width: 1000, height: 1200 } })).toEqual([
      [50, 100, 550, 700],
    ])
    expect(
      await mediaBoxes(file, { cropBox: { x: 100, y: 200, width: 400, height: 500 }, origin: 'user-space' }),
    ).toEqual([[100, 200, 500, 700]])
  })

  it('crops the named pages and keeps the others', async () => {
    expect(
      (await readPdf((await runOn('crop-pdf', five, { cropBox: box, pages: '2,4' })).bytes)).pages.map(
        page => page.width,
      ),
    ).toEqual([612, 360, 612, 360, 612])
  })
})

describe('crop-pdf: margins', () => {
  it('cut each side as displayed', async () => {
    expect(await mediaBoxes(numbered({ pages: 1 }), { margins: 36 })).toEqual([[36, 36, 576, 756]])
    expect(await mediaBoxes(numbered({ pages: 1 }), { margins: { top: 1, left: 2 }, unit: 'in' })).toEqual([
      [144, 0, 612, 720],
    ])
    expect(
      await mediaBoxes(numbered({ pages: 1, rotate: { 1: 90 } }), {
        margins: { top: 10, right: 20, bottom: 30, left: 40 },
      }),
    ).toEqual([[10, 40, 582, 772]])
    expect(await mediaBoxes(numbered({ pages: 1 }), { margins: 10, unit: '%' })).toEqual([[61.2, 79.2, 550.8, 712.8]])
  })

  it('must leave part of every page', async () => {
    await expect(runOn('crop-pdf', five, { margins: 305 })).rejects.toMatchObject({
      reason: 'options_invalid',
      problems: [
        {
          param: 'options.margins',
          message:
            'options.margins: must keep at least 3 points of the page. Got top 305, right 305, bottom 305, left 305 pt on ' +
            'page 1, which is 612 × 792 pt as displayed.',
        },
      ],
    })
  })
})

describe('crop-pdf: boxes', () => {
  const file = replaceText(
    numbered({ pages: 1 }),
    '/MediaBox[0 0 612 792]',
    '/MediaBox[0 0 612 792]/BleedBox[0 0 612 792]/TrimBox[100 500 300 700]/ArtBox[0 0 30 30]',
  )
  const keys = ['MediaBox', 'CropBox', 'BleedBox', 'TrimBox', 'ArtBox']

  it('cuts the other boxes to the new page', async () => {
    const dict = (await crop(file, { cropBox: box })).pages[0]?.dict
    expect(keys.map(key => dict?.get(key))).toEqual([
      [40, 380, 400, 760],
      [40, 380, 400, 760],
      [40, 380, 400, 760],
      [100, 500, 300, 700],
      undefined,
    ])
  })

  it('changes only the CropBox with mode hide', async () => {
    const dict = (await crop(file, { cropBox: box, mode: 'hide' })).pages[0]?.dict
    expect(keys.map(key => dict?.get(key))).toEqual([
      [0, 0, 612, 792],
      [40, 380, 400, 760],
      [0, 0, 612, 792],
      [100, 500, 300, 700],
      [0, 0, 30, 30],
    ])
  })

  it('sets the boxes for printing that are named', async () => {
    const same = [40, 380, 400, 760]
    const named = (await crop(file, { cropBox: box, boxes: ['trim', 'art'] })).pages[0]?.dict
    expect(keys.map(key => named?.get(key))).toEqual([same, same, same, same, same])
    const hidden = (await crop(file, { cropBox: box, mode: 'hide', boxes: ['trim'] })).pages[0]?.dict
    expect(keys.map(key => hidden?.get(key))).toEqual([[0, 0, 612, 792], same, [0, 0, 612, 792], same, [0, 0, 30, 30]])
  })

  it('keeps everything else of the document', async () => {
    const book = makeBook().write()
    const [before, after] = [
      await readPdf(book),
      await readPdf((await runOn('crop-pdf', book, { cropBox: { x: 0, y: 0, width: 600, height: 780 } })).bytes),
    ]
    expect(after).toEqual({ ...before, pages: before.pages.map(page => ({ ...page, width: 600, height: 780 })) })
  })
})

describe('crop-pdf: errors', () => {
  const problem = (options: unknown) =>
    runOn('crop-pdf', five, options).then(
      () => '',
      (error: unknown) => (error instanceof Error ? error.message : ''),
    )
  const issues = (options: unknown) =>
    cropPdf.options.safeParse(options).error?.issues.map(issue => issue.path.join('.')) ?? []

  it('name the box and the size of the page', async () => {
    expect(await problem({ cropBox: { x: 700, y: 900, width: 50, height: 50 } })).toBe(
      'options.cropBox: must overlap the page. Got x 700, y 900, width 50, height 50 pt on page 1, which is ' +
        '612 × 792 pt as displayed.',
    )
    expect(await problem({ cropBox: { x: 10, y: 10, width: 250, height: 250 }, unit: 'mm', pages: 'last' })).toBe(
      'options.cropBox: must be inside of the page. Got x 10, y 10, width 250, height 250 mm on page 5, which is ' +
        '215.9 × 279.4 mm as displayed. Choose a box inside of the page, or set clamp to true.',
    )
    expect(await problem({ cropBox: { x: -5, y: 0, width: 100, height: 100 }, origin: 'user-space' })).toBe(
      'options.cropBox: must be inside of the page. Got x -5, y 0, width 100, height 100 pt on page 1, whose ' +
        'visible area is x 0, y 0, width 612, height 792 pt in user space. Choose a box inside of the page, or set ' +
        'clamp to true.',
    )
    expect(await problem({ cropBox: { x: 0, y: 0, width: 2, height: 2 } })).toBe(
      'options.cropBox: must keep at least 3 points of the page. Got x 0, y 0, width 2, height 2 pt on page 1, ' +
        'which is 612 × 792 pt as displayed.',
    )
  })

  it('accepts rounded edges, and cuts boxes beyond the page with clamp', async () => {
    expect(
      await mediaBoxes(numbered({ pages: 1, size: [595.276, 841.89] }), {
        cropBox: { x: 0, y: 0, width: 595.3, height: 842 },
      }),
    ).toEqual([[0, 0, 595.276, 841.89]])
    expect(
      await mediaBoxes(numbered({ pages: 1 }), { cropBox: { x: -100, y: 100, width: 1000, height: 100 }, clamp: true }),
    ).toEqual([[0, 100, 612, 200]])
    expect(await problem({ cropBox: { x: 612, y: 0, width: 100, height: 100 }, clamp: true })).toMatch(
      /must overlap the page\. Got .* on page 1/,
    )
    expect(await problem({ cropBox: { x: 611, y: 0, width: 100, height: 100 }, clamp: true })).toContain(
      'must keep at least 3 points',
    )
  })

  it('refuses invalid numbers and sizes', () => {
    expect(issues({ cropBox: { x: 0, y: 0, width: -5, height: 0 } })).toEqual(['cropBox.width', 'cropBox.height'])
    expect(issues({ cropBox: { x: -1e300, y: 0, width: 1e308, height: 1e308 } })).toEqual([
      'cropBox.x',
      'cropBox.width',
      'cropBox.height',
    ])
    expect(issues({ margins: { top: -1 } })).toEqual(['margins.top'])
    expect(issues({ cropBox: { x: 0, y: 0, width: 'wide', height: 10 } })).toEqual(['cropBox.width'])
  })

  it("requires a box or margins, and refuses options that don't belong to them", () => {
    expect(issues({})).toEqual(['cropBox'])
    expect(issues({ cropBox: box, margins: 5 })).toEqual(['margins'])
    expect(issues({ margins: 5, origin: 'top-left', clamp: true })).toEqual(['origin', 'clamp'])
    expect(issues({ cropBox: box, unit: '%', origin: 'user-space' })).toEqual(['unit'])
    expect(issues({ cropBox: { ...box, depth: 1 } })).toEqual(['cropBox'])
  })

  it('fails without a result if one of the pages is too small', async () => {
    const mixed = replaceText(numbered({ pages: 2 }), '/MediaBox[0 0 612 792]', '/MediaBox[0 0 200 200]')
    await expect(runOn('crop-pdf', mixed, { cropBox: { x: 0, y: 0, width: 300, height: 300 } })).rejects.toThrow(
      'page 1, which is 200 × 200 pt',
    )
  })

  describe('crop-pdf to visible content', () => {
    /** Pages with a square of 100 points at these positions, and a blank page after them. */
    const squares = (places: [number, number][], entries = '') => {
      const draft = new Draft({ pages: places.length + 1, size: [600, 800] })
      for (const [index, [x, y]] of places.entries()) draft.page(index + 1).content = [`${x} ${y} 100 100 re f`]
      draft.page(places.length + 1).content = []
      for (const page of draft.pages) page.entries.push(entries)
      return draft.write()
    }
    const whole = [0, 0, 600, 800]
    /** The sides within a point, because the tests measure whole pixels. */
    const near = (boxes: number[][]) => boxes.map(sides => sides.map(side => expect.closeTo(side, -0.3) as number))

    it('cuts all pages to one box, with six points around the content, and keeps blank pages', async () => {
      expect(
        await mediaBoxes(
          squares([
            [100, 200],
            [300, 500],
          ]),
          { auto: true },
        ),
      ).toEqual(near([[94, 194, 406, 606], [94, 194, 406, 606], whole]))
    })

    it('cuts every page to its own box if requested, within the page', async () => {
      expect(
        await mediaBoxes(
          squares([
            [100, 200],
            [495, 5],
          ]),
          { auto: true, uniform: false, padding: 20 },
        ),
      ).toEqual(near([[80, 180, 220, 320], [475, 0, 600, 125], whole]))
    })

    it('measures the selected pages only', async () => {
      expect(
        await mediaBoxes(
          squares([
            [100, 200],
            [300, 500],
          ]),
          { auto: true, pages: [2], padding: 0 },
        ),
      ).toEqual(near([whole, [300, 500, 400, 600], whole]))
      expect(await mediaBoxes(squares([[100, 200]]), { auto: true, pages: [2] })).toEqual([whole, whole])
    })

    it('cuts rotated and cropped pages, and pages with /UserUnit', async () => {
      const file = squares(
        [
          [100, 200],
          [300, 500],
        ],
        '/CropBox[50 50 550 750]/Rotate 90/UserUnit 2',
      )
      const image = await renderPage(file, 0)
      const { bytes } = await runOn('crop-pdf', file, { auto: true, uniform: false, padding: 10 })
      expect((await readPdf(bytes)).pages[0]).toMatchObject({ rotation: 90 })
      expect(await mediaBoxes(file, { auto: true, uniform: false, padding: 10 })).toEqual(
        near([[95, 195, 205, 305], [295, 495, 405, 605], whole]),
      )
      expect(
        difference(await renderPage(bytes, 0), cutOut(image, { x: 145, y: 345, width: 110, height: 110 })),
      ).toBeLessThan(0.01)
    })

    it('includes annotations, and keeps the minimum size of a page', async () => {
      const draft = new Draft({ pages: 1, size: [600, 800] })
      const look = draft.pdf.addStream('/Type/XObject/Subtype/Form/BBox[0 0 50 50]', '0 0 50 50 re f')
      draft.page(1).content = ['300 300 1 1 re f']
      expect(await mediaBoxes(draft.write(), { auto: true, padding: 0 })).toEqual(near([[299, 299, 302, 302]]))
      draft.page(1).annotations.push(`<</Type/Annot/Subtype/Stamp/F 4/Rect[500 600 550 650]/AP<</N ${look} 0 R>>>>`)
      expect(await mediaBoxes(draft.write(), { auto: true, padding: 0 })).toEqual(near([[300, 300, 550, 650]]))
    })

    it('is one of three modes, each with its own options', async () => {
      for (const [options, message] of [
        [{ auto: true, margins: 5 }, "can't be combined with margins"],
        [{ auto: true, cropBox: box }, "can't be combined with cropBox"],
        [{ auto: true, unit: 'mm' }, 'padding is in points'],
        [{ margins: 5, padding: 3 }, 'only applies if auto is true'],
        [{ margins: 5, uniform: false }, 'only applies if auto is true'],
        [{}, 'set auto to true'],
      ] as const) {
        expect(cropPdf.options.safeParse(options).error?.message).toContain(message)
      }
    })
  })
})
