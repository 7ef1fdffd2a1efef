import { describe, expect, it } from 'vitest'
import { makeTextPages } from '../../../../fixtures/text-page'
import type { TextPage } from '../../../../fixtures/text-page'
import { ROWS, TABLE, fill } from '../../../../fixtures/two-line-cells'
import { runOn } from '../../../../support/run-on'

async function toMarkdown(make: (page: TextPage) => void): Promise<string> {
  return (await runOn('extract-text', await makeTextPages(1, make), { format: 'markdown' })).bytes.toString('utf8')
}

interface Line {
  x: number
  y: number
  toX: number
  toY: number
}

function rule({ page }: TextPage, { x, y, toX, toY }: Line): void {
  const height = page.getHeight()
  page.drawLine({ start: { x, y: height - y }, end: { x: toX, y: height - toY }, thickness: 0.5 })
}

/** Draws vertical rules in one piece for each row. */
function drawDown(page: TextPage, xs: readonly number[], ys: readonly number[]): void {
  for (const x of xs)
    for (const [at, y] of ys.slice(0, -1).entries()) rule(page, { x, y, toX: x, toY: ys[at + 1] ?? y })
}

/** Draws horizontal rules in one piece for each column. */
function drawAcross(page: TextPage, xs: readonly number[], ys: readonly number[]): void {
  for (const y of ys)
    for (const [at, x] of xs.slice(0, -1).entries()) rule(page, { x, y, toX: xs[at + 1] ?? x, toY: y })
}

describe('tables whose programs draw the borders of each cell', () => {
  it.each([26, 27, 30, 34, 40])('keeps two lines of a cell together in rows of %s points', async step => {
    const [xs, ys] = [[40, 120, 200, 300] as const, ROWS.concat([[]]).map((_, at) => 60 + at * step)]
    const markdown = await toMarkdown(page => {
      drawDown(page, xs, ys)
      for (const y of [ys[0] ?? 0, ys.at(-1) ?? 0]) rule(page, { x: 40, y, toX: 300, toY: y })
      fill(page, xs, ys)
    })
    expect(markdown.replace('| --- | --- | --- |\n', '')).toContain(TABLE)
  })

  it.each([3.6, 3.8, 4, 4.2, 4.4])(
    'ends columns where the pieces of horizontal rules meet, %s points apart',
    async gap => {
      const numbers = ['1,087,948', '2,586,688', '3,867,692', '7,808,033']
      const markdown = await toMarkdown(page => {
        const width = page.widthOf('1,087,948') + gap
        const xs = [0, 1, 2, 3, 4].map(column => 40 + column * width)
        drawAcross(page, xs, [60, 75, 90, 105, 120])
        for (const x of [40, 40 + 2 * width, 40 + 4 * width]) rule(page, { x, y: 60, toX: x, toY: 120 })
        for (const [row, number] of numbers.entries())
          for (const x of xs.slice(0, -1)) page.text(number, x + gap / 2, 71 + 15 * row)
      })
      for (const number of numbers) expect(markdown).toContain(`| ${number} | ${number} | ${number} | ${number} |`)
    },
  )

  it.each([100, 103, 106, 109, 112])('keeps a cell whole if pieces meet inside its text, at %s', async joint => {
    const markdown = await toMarkdown(page => {
      drawAcross(page, [40, joint, 200, 300], [60, 90, 120])
      drawDown(page, [40, 200, 300], [60, 68, 90, 98, 120])
      page.text('The mill of the river', 44, 72).text('1870', 204, 72)
      page.text('The bridge of the town', 44, 102).text('1902', 204, 102)
    })
    expect(markdown).toContain('| The mill of the river | 1870 |')
    expect(markdown).toContain('| The bridge of the town | 1902 |')
  })
})
