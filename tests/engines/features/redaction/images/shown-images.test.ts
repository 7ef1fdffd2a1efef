import { beforeAll, describe, expect, it } from 'vitest'
import { listImages } from '../../../../../engines/features/redaction/images/document-images'
import { findShownImages } from '../../../../../engines/features/redaction/images/shown-images'
import { openDocument } from '../../../../../engines/pdf/open-save/open'
import { HIDING_PLACES } from '../../../../fixtures/hidden-images'
import { addPicture, drawWords, placeImage } from '../../../../fixtures/placed-images'
import type { GrayPicture, PlacedImage } from '../../../../fixtures/placed-images'
import { makeScan } from '../../../../fixtures/scan'
import { LIMITS } from '../../../../support/run-on'

/** The number of images, and of those that a page shows as they are. */
async function count(file: Uint8Array): Promise<{ all: number; shown: number }> {
  const document = openDocument(new Uint8Array(file), LIMITS)
  const images = listImages(document, 12)
  return { all: images.length, shown: (await findShownImages(document, images)).size }
}

let picture: GrayPicture
beforeAll(async () => {
  picture = await drawWords('The name is Vexholm here')
})

const place = (placed: PlacedImage): Buffer =>
  placeImage(
    pdf => addPicture(pdf, picture),
    () => placed,
  )

describe('images that a page shows as they are', () => {
  for (const [name, placed] of Object.entries<PlacedImage>({
    'on a page': { content: 'q 320 0 0 48 40 180 cm /I Do Q' },
    'on a rotated page': { content: 'q 320 0 0 48 40 180 cm /I Do Q', page: '/Rotate 90' },
    'on a cropped page': { content: 'q 320 0 0 48 40 180 cm /I Do Q', page: '/CropBox[20 100 380 290]' },
    'at a slope': { content: 'q 200 115 -20 35 60 100 cm /I Do Q' },
    'in larger units': { content: 'q 160 0 0 24 40 180 cm /I Do Q', page: '/UserUnit 2' },
    'beside a box': { content: 'q 320 0 0 48 40 180 cm /I Do Q 40 230 320 20 re f' },
    'on the second of two places': { content: 'q 32 0 0 5 4 18 cm /I Do Q q 320 0 0 48 40 180 cm /I Do Q' },
  }))
    it(`are found: ${name}`, async () => {
      expect(await count(place(placed))).toEqual({ all: 1, shown: 1 })
    })

  it('are found in a scan of a whole page', async () => {
    const scan = { lines: ['The lighthouse keeper'], slopeDeg: 3 }
    expect(await count(await makeScan([scan, { ...scan, rotate: 90 }]))).toEqual({ all: 1, shown: 1 })
  })

  for (const [name, hide] of Object.entries(HIDING_PLACES))
    it(`don't include an image: ${name}`, async () => {
      const { all, shown } = await count(hide(picture))
      expect(all).toBeGreaterThan(shown)
    })

  it("don't include an image with a single word in a box of its color", async () => {
    expect(await count(place({ content: 'q 320 0 0 48 40 180 cm /I Do Q 1 g 200 190 40 20 re f' }))).toMatchObject({
      shown: 0,
    })
  })
})
