import { rgb } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { makeTextPages } from '../../../fixtures/text-page'
import type { TextPage } from '../../../fixtures/text-page'
import { TABLE, fill } from '../../../fixtures/two-line-cells'
import { runOn } from '../../../support/run-on'

async function toMarkdown(make: (page: TextPage) => void): Promise<string> {
  return (await runOn('extract-text', await makeTextPages(1, make), { format: 'markdown' })).bytes.toString('utf8')
}

describe('tables with shading in their cells', () => {
  const shade = ({ page }: TextPage, x: number, y: number, toX: number, toY: number, gray: number): void =>
    page.drawRectangle({
      x,
      y: page.getHeight() - toY,
      width: toX - x,
      height: toY - y,
      color: rgb(gray, gray, gray),
    })

  it.each([2, 3, 4, 5, 7])('leaves out the shading of each line, %s points from the borders', async padding => {
    const [xs, ys] = [[40, 140, 240, 340] as const, [60, 88, 116, 144, 172]]
    const markdown = await toMarkdown(page => {
      for (const [row, y] of ys.slice(0, -1).entries())
        for (const [column, x] of xs.slice(0, -1).entries()) {
          shade(page, x + 0.5, y + 0.5, (xs[column + 1] ?? x) - 0.5, (ys[row + 1] ?? y) - 0.5, 0.8)
          for (const at of [2, 13]) shade(page, x + padding, y + at, (xs[column + 1] ?? x) - padding, y + at + 11, 0.85)
        }
      fill(page, xs, ys)
    })
    expect(markdown.replace('| --- | --- | --- |\n', '')).toContain(TABLE)
  })

  it.each([2, 3, 4, 5, 7])('leaves out shading between painted borders, %s points from them', async padding => {
    const [xs, ys] = [[40, 140, 240, 340] as const, [60, 88, 116, 144, 172]]
    const markdown = await toMarkdown(page => {
      for (const [column, x] of xs.slice(0, -1).entries())
        for (const y of ys.slice(0, -1))
          for (const at of [2, 13]) shade(page, x + padding, y + at, (xs[column + 1] ?? x) - padding, y + at + 11, 0.85)
      page.grid(xs, ys)
      fill(page, xs, ys)
    })
    expect(markdown.replace('| --- | --- | --- |\n', '')).toContain(TABLE)
  })
})
