import { describe, expect, it } from 'vitest'
import { makeTaggedText, run } from '../../../fixtures/tagged-text'
import type { Run } from '../../../fixtures/tagged-text'
import { runOn } from '../../../support/run-on'

const LINES = [
  'The river begins in the hills above the town and runs',
  'through three valleys before it reaches the sea. Most',
  'of the water comes from melting snow in the spring.',
]
const paragraph = (y: number): Run[] => LINES.map((text, at) => run(text, 40, y + 12 * at))

async function toPages(pages: Run[][]): Promise<{ type: string; box: object; text: string }[][]> {
  const file = makeTaggedText(pages.map(loose => ({ loose })))
  const { bytes } = await runOn('extract-text', file, { format: 'json' })
  return JSON.parse(bytes.toString('utf8')).pages.map(({ blocks }: { blocks: object[] }) => blocks)
}

describe('figures of pages without tags', () => {
  it.each<[string, Run[], object[]]>([
    ['one image', [run([120, 80], 60, 200)], [{ x: 60, y: 320, width: 120, height: 80 }]],
    [
      'two images',
      [run([120, 80], 60, 160), run([100, 60], 60, 250)],
      [
        { x: 60, y: 360, width: 120, height: 80 },
        { x: 60, y: 290, width: 100, height: 60 },
      ],
    ],
    [
      'an image in strips',
      [0, 1, 2, 3].map(at => run([120, 20], 60, 200 + 20 * at)),
      [{ x: 60, y: 320, width: 120, height: 80 }],
    ],
    ['an image that hangs over the page', [run([120, 80], 340, 200)], [{ x: 340, y: 320, width: 60, height: 80 }]],
    ['a small image', [run([12, 12], 60, 200)], []],
    ['a thin line', [run([300, 4], 60, 200)], []],
    ['a background', [run([400, 600], 0, 0)], []],
    ['an image behind text', [run([360, 60], 30, 80)], []],
  ])('finds %s', async (_, images, expected) => {
    const [blocks = []] = await toPages([[...images, ...paragraph(100), ...paragraph(400)]])
    expect(blocks.filter(({ type }) => type === 'figure').map(({ box }) => box)).toEqual(expected)
    if (expected.length > 0)
      expect(blocks.map(({ type }) => type)).toEqual(['paragraph', ...expected.map(() => 'figure'), 'paragraph'])
  })

  it('leaves out the logo of running heads', async () => {
    const page = [run([60, 30], 40, 20), ...paragraph(100)]
    const pages = await toPages([page, page])
    expect(pages.flat().filter(({ type }) => type === 'figure')).toEqual([])
    const [single = []] = await toPages([page])
    expect(single.map(({ type }) => type)).toEqual(['figure', 'paragraph'])
  })
})
