import { describe, it } from 'vitest'
import { HIDING_PLACES } from '../../../../fixtures/hidden-images'
import { expectCleared } from './expect-cleared'

describe('words in an image that the page does not show', () => {
  for (const place of ['under a black box', 'drawn by no page'])
    it(`are removed from its pixels, while other words stay: ${place}`, () => expectCleared(HIDING_PLACES[place]))
})
