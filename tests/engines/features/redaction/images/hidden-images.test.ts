import { describe, it } from 'vitest'
import { HIDING_PLACES } from '../../../../fixtures/hidden-images'
import { expectCleared } from './expect-cleared'

describe('words in an image that the page does not show', () => {
  for (const place of Object.keys(HIDING_PLACES))
    it(`are removed from its pixels, while other words stay: ${place}`, () => expectCleared(place))
})
