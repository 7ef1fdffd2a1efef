import { describe, expect, it } from 'vitest'
import { pageWith } from '../../../../fixtures/annotations'
import { flatten } from '../../../../support/flattened'
import { runOn } from '../../../../support/run-on'
import { IS_COMPLETE } from '../../../../support/scope'

describe('damaged annotations', () => {
  const SHAPES = ['Square', 'Line', 'PolyLine', 'Ink', 'FreeText', 'Stamp', 'Caret', 'Text']
  /** Kinds that are drawn by the code of another kind. */
  const MORE = IS_COMPLETE ? ['Underline', 'StrikeOut', 'Circle', 'Polygon'] : []
  const KINDS = ['Highlight', 'Squiggly', ...SHAPES, ...MORE]
  const GOOD = {
    C: '[1 0 0]',
    Rect: '[10 10 110 70]',
    QuadPoints: '[20 60 100 60 20 40 100 40]',
    InkList: '[[20 20 90 60]]',
    L: '[20 20 90 60]',
    Vertices: '[20 20 90 60 100 20]',
    DA: '(/Helv 12 Tf 0 g)',
    Contents: '(x)',
    Cap: 'true',
  }
  const OTHERS = ['IC', 'BS', 'Border', 'BE', 'LE', 'RD', 'CL', 'CO', 'DS', 'RC', 'CA', 'Name', 'LL', 'Path', 'AP', 'Q']
  const VALUES = [
    ...['[]', '[(x) null << >>]', '[1 2 3]', '[[]]', '[1e30 -1e30 1e30 1e30 0 0 1e30 1e30]'],
    ...['(x)', '/x', 'null', '-7', '99 0 R', '<<>>', '<</S/C/I 1e9/W 1e9/D[0 0]>>'],
  ]

  for (const kind of KINDS) {
    it(`does not fail if any entry of a ${kind} annotation is damaged`, async () => {
      const broken = [...Object.keys(GOOD), ...OTHERS].flatMap(key => VALUES.map(value => ({ ...GOOD, [key]: value })))
      const write = (entries: Record<string, string>): string =>
        Object.entries({ Subtype: `/${kind}`, ...entries })
          .map(([key, value]) => `/${key} ${value}`)
          .join('')
      const { annotationCount } = await flatten(pageWith([...broken, {}].map(write)))
      expect(annotationCount).toBe(0)
    })
  }

  it('draws a border of too many small arcs as a plain line, and limits the arcs of a long jagged line', async () => {
    const { bytes } = await flatten(
      pageWith([
        '/Subtype/Square/C[1 0 0]/BS<</W 0.001>>/BE<</S/C/I 0.0001>>/Rect[0 0 900000 900000]',
        '/Subtype/Squiggly/QuadPoints[0 20 900000 20 0 0 900000 0]/Rect[0 0 900000 20]',
      ]),
    )
    expect(bytes.byteLength).toBeLessThan(200_000)
  })

  it('refuses annotations that would exceed the limit for streams', async () => {
    const points = '7 9 '.repeat(2000)
    const source = pageWith(Array.from({ length: 20 }, () => `/Subtype/Ink/InkList[[${points}]]/Rect[0 0 9 9]`))
    const running = runOn('flatten-pdf', source, {}, { maxStreamBytes: 100_000 })
    await expect(running).rejects.toMatchObject({ reason: 'too_large' })
  })
})
