import { describe, it } from 'vitest'
import { HIDING_PLACES } from '../../../../fixtures/hidden-images'
import { addPicture, placeImage } from '../../../../fixtures/placed-images'
import { expectCleared } from './expect-cleared'

describe('words in an image that the page does not show', () => {
  for (const place of Object.keys(HIDING_PLACES))
    it(`are removed from its pixels, while other words stay: ${place}`, () => expectCleared(HIDING_PLACES[place]))

  it('are removed from an image that the page shows, wherever else the document has it', () =>
    expectCleared(picture =>
      placeImage(
        pdf => addPicture(pdf, picture),
        (_, image) => ({ content: 'q 320 0 0 48 40 180 cm /I Do Q', page: `/Thumb ${image} 0 R` }),
      ),
    ))
})
