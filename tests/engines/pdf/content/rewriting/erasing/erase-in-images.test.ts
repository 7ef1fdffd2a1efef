import { describe, expect, it } from 'vitest'
import { IMAGES, showImage } from '../../../../../fixtures/images'
import { cropMiddle, differing, isBlank, strayPixels } from '../cropped'

/** The image's place, and how far beyond the box its pixels may remain: two pixels, or two blocks of a photo. */
const PLACES: [name: string, matrix: string, farPt: number][] = [
  ['larger than the box', '180 0 0 180 10 10', 9],
  ['across a corner, in fine pixels', '20 0 0 15 40 43', 7],
  ['turned by a quarter', '0 90 -160 0 180 20', 9],
  ['turned a little', '120 40 -40 120 60 20', 9],
]

describe('images that lie partly outside the box', () => {
  for (const [name, image] of Object.entries(IMAGES)) {
    for (const [place, matrix, farPt] of PLACES) {
      it(`${name}, ${place}: looks the same inside and loses its pixels outside`, async () => {
        const { before, after, whole } = await cropMiddle(showImage(image, matrix))
        expect(isBlank(before)).toBe(false)
        expect(differing(before, after, 24)).toBeLessThan(0.03)
        // Blank blocks of photos in four colors are gray.
        const isGray = name === 'JPEG in four colors' && place.includes('fine')
        expect(strayPixels(whole, farPt, isGray ? 40 : 240)).toEqual([])
      })
    }
  }
})
