import { describe, expect, it } from 'vitest'
import { numbered } from '../../fixtures/draft'
import { makeBook } from '../../fixtures/make-fixtures'
import { type Image, readPdf, renderPage } from '../../support/reader'
import { runOn } from '../../support/run-on'

const five = numbered({ imageBytes: 900 })

async function rotations(file: Buffer, options: unknown): Promise<number[]> {
  return (await readPdf((await runOn('rotate-pdf', file, options)).bytes)).pages.map(page => page.rotation)
}

describe('rotate-pdf', () => {
  it('rotates the named pages, or all pages if none are named', async () => {
    expect(await rotations(five, { angle: 90, pages: [2, 4] })).toEqual([0, 90, 0, 90, 0])
    expect(await rotations(five, { angle: 180 })).toEqual([180, 180, 180, 180, 180])
    expect(await rotations(five, { angle: 270, pages: 'r2-,1' })).toEqual([270, 0, 0, 270, 270])
  })

  it('rotates a page that is named twice only once', async () => {
    expect(await rotations(five, { angle: 90, pages: [1, 1, 1] })).toEqual([90, 0, 0, 0, 0])
  })

  it("adds to the page's rotation, whether inherited, negative or above 360", async () => {
    expect(await rotations(numbered({ rotate: { 2: 90, 3: -90, 4: 450, 5: 45 } }), { angle: 270 })).toEqual([
      270, 0, 180, 0, 270,
    ])
    const inherited = Buffer.from(
      numbered({ pages: 2, inherits: true }).toString('latin1').replace('/Count 2', '/Count 2/Rotate 180'),
      'latin1',
    )
    expect(await rotations(inherited, { angle: 90, pages: [1] })).toEqual([270, 180])
  })

  for (const angle of [90, 180, 270]) {
    it(`by ${angle} is clockwise and changes nothing else`, async () => {
      const before = await renderPage(five, 2)
      const after = await renderPage((await runOn('rotate-pdf', five, { angle })).bytes, 2)
      expect(difference(turned(before, angle / 90), after)).toBeLessThan(0.01)
      expect(difference(turned(before, angle / 90 + 2), after)).toBeGreaterThan(0.001)
    })
  }

  it("replaces the page's rotation, also by 0", async () => {
    const file = numbered({ rotate: { 2: 90, 3: -90, 4: 180 } })
    expect(await rotations(file, { angle: 0, mode: 'absolute' })).toEqual([0, 0, 0, 0, 0])
    expect(await rotations(file, { angle: 270, mode: 'absolute', pages: '2-3' })).toEqual([0, 270, 270, 180, 0])
    const inherited = Buffer.from(
      numbered({ pages: 2, inherits: true }).toString('latin1').replace('/Count 2', '/Count 2/Rotate 180'),
      'latin1',
    )
    expect(await rotations(inherited, { angle: 0, mode: 'absolute', pages: [2] })).toEqual([180, 0])
  })

  it('rotates several sets of pages, in sequence if they overlap', async () => {
    const several = [
      { pages: [1, 2], angle: 90 },
      { pages: '2-3', angle: 180 },
    ]
    expect(await rotations(five, { rotations: several })).toEqual([90, 270, 180, 0, 0])
    expect(await rotations(five, { rotations: several, mode: 'absolute' })).toEqual([90, 180, 180, 0, 0])
  })

  it('rotates only pages of one orientation, as displayed in the input', async () => {
    const turnedOnes = numbered({ rotate: { 2: 90, 4: 270, 5: 180 } })
    expect(await rotations(turnedOnes, { angle: 90, only: 'landscape' })).toEqual([0, 180, 0, 0, 180])
    expect(await rotations(turnedOnes, { angle: 90, only: 'portrait', pages: '1-4' })).toEqual([90, 90, 90, 270, 180])
    expect(
      await rotations(turnedOnes, {
        rotations: [
          { pages: 'all', angle: 90 },
          { pages: 'all', angle: 90 },
        ],
        only: 'landscape',
      }),
    ).toEqual([0, 270, 0, 90, 180])
    const cropped = numbered({ pages: 2, crop: [0, 100, 700, 400] })
    expect(await rotations(cropped, { angle: 90, only: 'portrait' })).toEqual([0, 0])
    expect(await rotations(cropped, { angle: 90, only: 'landscape' })).toEqual([90, 90])
    const square = numbered({ pages: 1, size: [400, 400] })
    for (const only of ['portrait', 'landscape']) expect(await rotations(square, { angle: 90, only })).toEqual([0])
  })

  it('refuses conflicting options', async () => {
    for (const options of [
      {},
      { angle: 90, rotations: [{ pages: 'all', angle: 90 }] },
      { pages: [1], rotations: [{ pages: 'all', angle: 90 }] },
      { rotations: [{ pages: 'all', angle: 0 }] },
      { rotations: [{ angle: 90 }] },
      { rotations: [] },
      { angle: 45, mode: 'absolute' },
      { bake: true, mode: 'absolute' },
      { bake: true, angle: 0 },
    ]) {
      await expect(runOn('rotate-pdf', five, options)).rejects.toMatchObject({ name: 'ZodError' })
    }
    await expect(
      runOn('rotate-pdf', five, {
        rotations: [
          { pages: 'all', angle: 90 },
          { pages: [6], angle: 90 },
        ],
      }),
    ).rejects.toMatchObject({ problems: [{ param: 'options.rotations[1].pages[0]' }] })
  })

  it('keeps everything else of the document', async () => {
    const file = makeBook().write()
    const [before, after] = [await readPdf(file), await readPdf((await runOn('rotate-pdf', file, { angle: 90 })).bytes)]
    expect(after).toEqual({
      ...before,
      pages: before.pages.map(page => ({ ...page, rotation: 90, width: page.height, height: page.width })),
    })
  })

  it('accepts 0 degrees only with mode absolute', async () => {
    await expect(runOn('rotate-pdf', five, { angle: 45 })).rejects.toMatchObject({
      issues: [{ path: ['angle'], message: 'must be 90, 180 or 270, or 0 with mode "absolute". Got 45.' }],
    })
  })

  it("refuses angles that aren't a multiple of 90, and pages that do not exist", async () => {
    for (const angle of [0, 45, 360, -90, '90', undefined])
      await expect(runOn('rotate-pdf', five, { angle })).rejects.toMatchObject({ name: 'ZodError' })
    await expect(runOn('rotate-pdf', five, { angle: 90, pages: [1, 6] })).rejects.toMatchObject({
      reason: 'page_missing',
      problems: [
        { param: 'options.pages[1]', message: 'options.pages[1]: page 6 is not in this 5-page document. Use 1 to 5.' },
      ],
    })
  })
})

function turned(image: Image, quarters: number): Image {
  let now = image
  for (let turn = 0; turn < quarters % 4; turn++) {
    const { width, height } = now
    const pixels = Buffer.alloc(now.pixels.length)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        now.pixels.copy(pixels, (x * height + height - 1 - y) * 4, (y * width + x) * 4, (y * width + x) * 4 + 4)
    now = { width: height, height: width, pixels }
  }
  return now
}

/** The share of pixels that differ clearly. */
function difference(a: Image, b: Image): number {
  if (a.width !== b.width || a.height !== b.height) return 1
  let count = 0
  for (let at = 0; at < a.pixels.length; at += 4) if (Math.abs((a.pixels[at] ?? 0) - (b.pixels[at] ?? 0)) > 96) count++
  return count / (a.width * a.height)
}
