import { describe, expect, it } from 'vitest'
import { IMAGES, showImage } from '../../../fixtures/images'
import { cropMiddle, differing, isBlank, strayPixels } from '../cropped'

/**
 * Where the picture is drawn, and how far beyond the box pixels of it may stay: two of its own, or blocks of
 * photographs.
 */
const PLACES: [name: string, matrix: string, farPt: number][] = [
  ['larger than the box', '180 0 0 180 10 10', 9],
  ['across a corner, in fine pixels', '20 0 0 15 40 43', 7],
  ['turned by a quarter', '0 90 -160 0 180 20', 9],
  ['turned a little', '120 40 -40 120 60 20', 9],
]

describe('pictures that lie partly outside of the box', () => {
  for (const [name, image] of Object.entries(IMAGES)) {
    for (const [place, matrix, farPt] of PLACES) {
      it(`${name}, ${place}: looks the same inside and is gone outside`, async () => {
        const { before, after, whole } = await cropMiddle(showImage(image, matrix))
        expect(isBlank(before)).toBe(false)
        expect(differing(before, after, 24)).toBeLessThan(0.03)
        // Blank blocks of photographs in four colors are gray.
        const isGray = name === 'JPEG in four colors' && place.includes('fine')
        expect(strayPixels(whole, farPt, isGray ? 40 : 240)).toEqual([])
      })
    }
  }
})
