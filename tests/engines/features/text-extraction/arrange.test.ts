import { describe, expect, it } from 'vitest'
import { makeTextPages } from '../../../fixtures/text-page'
import type { TextPage } from '../../../fixtures/text-page'
import { runOn } from '../../../support/run-on'

const LEFT = 30
const RIGHT = 220

/** Draws lines of prose that name their column, such as `left3`, and returns the baseline after them. */
function draw(page: TextPage, name: string, x: number, y: number, count: number): number {
  for (let line = 0; line < count; line++)
    page.text(`${name}${line} water flows from the hills to sea`, x, y + line * 12, { size: 9 })
  return y + count * 12
}

/** Draws rows of the ticks of a chart. */
function ticks(page: TextPage, name: string, x: number, y: number): number {
  for (let row = 0; row < 4; row++)
    for (const [at, side] of ['a', 'b', 'c'].entries()) page.text(`${name}${row}${side}`, x + at * 55, y + row * 18)
  return y + 4 * 18
}

async function orderOf(make: (page: TextPage) => void): Promise<string[]> {
  const file = await makeTextPages(1, make)
  const text = (await runOn('extract-text', file, { format: 'text' })).bytes.toString('utf8')
  return text.match(/[a-z]+\d+[abc]?/g) ?? []
}

const names = (name: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${name}${at}`)

describe('columns', () => {
  it.each([4, 6, 9])('go on beside figures that look like a table, with %s lines below', async count => {
    const order = await orderOf(page => {
      for (const [name, x] of [['left', LEFT] as const, ['right', RIGHT] as const]) {
        draw(page, `${name}top`, x, 40, 4)
        ticks(page, `${name}tick`, x, 100)
        draw(page, `${name}end`, x, 190, count)
      }
    })
    const first = order.findIndex(word => word.startsWith('right'))
    expect(order.slice(first).filter(word => word.startsWith('left'))).toEqual([])
    expect(order).toHaveLength(2 * (4 + 12 + count))
  })

  it.each([20, 40, 60])('keep lines of the first one that go on %s points below the end of the other', async gap => {
    const order = await orderOf(page => {
      const end = draw(page, 'left', LEFT, 40, 10)
      draw(page, 'below', LEFT, end + gap, 6)
      draw(page, 'right', RIGHT, 40, 10)
    })
    expect(order).toEqual([...names('left', 10), ...names('below', 6), ...names('right', 10)])
  })

  it('end above a table across them', async () => {
    const order = await orderOf(page => {
      draw(page, 'left', LEFT, 40, 6)
      draw(page, 'right', RIGHT, 40, 6)
      for (let row = 0; row < 5; row++)
        for (let column = 0; column < 6; column++) page.text(`cell${row}${column}`, LEFT + column * 63, 140 + row * 18)
    })
    const cells = order.filter(word => word.startsWith('cell'))
    expect(cells).toEqual([...cells].sort())
    expect(order.slice(-30)).toEqual(cells)
  })

  it('leave a short text below them behind both', async () => {
    const order = await orderOf(page => {
      draw(page, 'left', LEFT, 40, 6)
      draw(page, 'right', RIGHT, 40, 6)
      page.text('note1', LEFT, 200).text('note2', LEFT, 214)
    })
    expect(order).toEqual([...names('left', 6), ...names('right', 6), 'note1', 'note2'])
  })
})
