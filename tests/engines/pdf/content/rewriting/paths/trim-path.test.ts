import { describe, expect, it } from 'vitest'
import { makePage } from '../../../../../fixtures/images'
import { findTraces } from '../../../../../support/traces'
import { cropMiddle, differing, isBlank, strayPixels } from '../cropped'

/** Content by name. Each paints inside and outside the box, and contains the number 17.4711 far outside. */
const SHAPES: Record<string, string> = {
  'a line across the box': '3 w 10 17.4711 m 190 120 l S',
  'lines that come and go': '2 w 1 j 0 17.4711 m 60 60 l 17.4711 100 l 0 120 l 70 80 l 190 90 l 199 199 l S',
  'a closed outline whose corner lies inside': '4 w 1 j 100 100 m 17.4711 10 l 190 10 l s',
  'an outline that is closed before it is painted': '4 w 1 j 100 100 m 5 17.4711 l 10 150 l h S',
  'a frame that is closed as it is painted': '3 w 1 j 30 17.4711 m 170 17.4711 l 170 140 l 30 140 l s',
  'hairlines that are closed': '0 w 80 17.4711 m 80 190 l s 17.4711 120 m 190 120 l s',
  'a frame around the box': '2 w 17.4711 60 150 80 re S',
  'curves that leave the box': '2 w 0 17.4711 m 10 60 20 70 30 40 c 60 60 100 140 120 120 c 160 180 180 190 190 18 c S',
  dashes: '2 w [7 3] 0 d 20 20 m 100 100 l 190 100 l 199 17.4711 l S',
  'a filled polygon': '100 100 m 17.4711 5 l 195 5 l 195 60 l f',
  'a star that crosses itself, even-odd': '100 195 m 160 17.4711 l 5 130 l 195 130 l 40 17.4711 l f*',
  'a star that crosses itself, nonzero': '100 195 m 160 17.4711 l 5 130 l 195 130 l 40 17.4711 l f',
  'a hole turned the other way': '17.4711 10 180 180 re 70 70 m 70 130 l 130 130 l 130 70 l h f',
  'a rectangle of negative size as a hole': '17.4711 10 180 180 re 130 70 -60 60 re f',
  'curves around the box, filled': '60 60 m 18 5 10 20 5 30 c 5 80 17.4711 150 20 190 c 100 190 l 100 100 l h f',
  'pieces of one path': '5 17.4711 20 20 re 80 80 20 20 re 160 160 30 30 re f',
  'pieces with an outline': '2 w .5 g 5 17.4711 20 20 re 80 80 20 20 re B',
  'a clip in pieces': 'q 5 17.4711 20 20 re 80 80 20 20 re W n 0 0 200 200 re f Q',
  'a turned coordinate system': 'q .8 .6 -.6 .8 100 20 cm -60 17.4711 150 60 re f Q',
  'lines in a scaled coordinate system': 'q 100 0 0 100 0 0 cm .02 w .001 .174711 m 1.9 1.2 l S 17.4711 w Q',
}

describe('paths that lie partly outside the box', () => {
  for (const [name, content] of Object.entries(SHAPES)) {
    it(`${name}: look the same inside and are removed outside`, async () => {
      const { before, after, whole, bytes } = await cropMiddle(makePage(content))
      expect(isBlank(before)).toBe(false)
      expect(differing(before, after, 64)).toBeLessThan(0.003)
      // Curves and dashed lines stay one path.
      const isWhole = /curves|dashes|around the box|turned/.test(name)
      if (!isWhole) expect(strayPixels(whole, 8)).toEqual([])
      if (!/scaled|turned/.test(name)) expect(findTraces(bytes, ['17.4711'])).toEqual([])
    })
  }

  it('keeps the bytes of content inside the box', async () => {
    const content = 'q 60 60 20 20 re W* n 0 0 0 rg  60   60 m\n70 70 l S Q % as written'
    const { bytes } = await cropMiddle(makePage(content))
    expect(findTraces(bytes, [content])).toEqual([content])
  })

  it('clips everything if the clipping path lies outside', async () => {
    const { before, after, bytes } = await cropMiddle(
      makePage('q 5 17.4711 20 20 re W n 0 0 200 200 re f Q .2 g 80 80 10 10 re f'),
    )
    expect(differing(before, after, 8)).toBe(0)
    expect(findTraces(bytes, ['17.4711'])).toEqual([])
  })
})
