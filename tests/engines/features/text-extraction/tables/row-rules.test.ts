import { describe, expect, it } from 'vitest'
import { makeTextPages } from '../../../../fixtures/text-page'
import type { TextPage } from '../../../../fixtures/text-page'
import { runOn } from '../../../../support/run-on'

const BODY = [
  'The river begins in the hills above the town and runs',
  'through three valleys before it reaches the sea. Most',
]

/** Draws rows of cells that have a rule above and below each. A cell may have several lines. */
function draw(page: TextPage, xs: readonly number[], rows: readonly string[][], top: number): void {
  let y = top
  const rule = (): void => {
    const at = page.page.getHeight() - y
    for (const [index, x] of xs.slice(0, -1).entries())
      page.page.drawLine({ start: { x, y: at }, end: { x: xs[index + 1] ?? x, y: at }, thickness: 0.5 })
  }
  for (const cells of rows) {
    rule()
    for (const [column, cell] of cells.entries())
      page.lines(cell.split('\n'), (xs[column] ?? 0) + 3, y + 11, { leading: 11 })
    y += 4 + 11 * Math.max(...cells.map(cell => cell.split('\n').length))
  }
  rule()
}

async function toMarkdown(make: (page: TextPage) => void): Promise<string> {
  return (await runOn('extract-text', await makeTextPages(1, make), { format: 'markdown' })).bytes.toString('utf8')
}

const ROWS = [
  ['Description:', 'A mill that grinds\nthe corn of the county'],
  ['Syntax:', 'mill'],
  ['Status:', 'Core, used'],
]

describe('tables with rules between rows', () => {
  it.each([98, 99, 100, 105, 110])(
    'finds cells next to each other, with %s points for the first column',
    async second => {
      const markdown = await toMarkdown(page => {
        page.lines(BODY, 40, 40)
        draw(page, [40, second, 220], ROWS, 80)
        page.lines(BODY, 40, 160)
      })
      expect(markdown).toContain('| Description: | A mill that grinds the corn of the county |')
      expect(markdown).toContain('| Syntax: | mill |\n| Status: | Core, used |')
    },
  )

  it.each([
    [['a', 'b', 'c', 'd']],
    [['Alpha', 'Beta', 'Gamma', 'Delta']],
    [['1', '2', '3', '4']],
    [['a river', 'a mill', 'a town', 'a sea']],
    [['1.0', 'x', '2.0', 'y']],
  ])('reads rows whose first cell has two lines: %j', async cells => {
    const markdown = await toMarkdown(page => {
      page.lines(BODY, 40, 40)
      draw(
        page,
        [40, 80, 200],
        [
          ['Des-\ncription', cells[0] ?? ''],
          ['Syn-\ntax', cells[1] ?? ''],
          ['Sta-\ntus', `${cells[2]} ${cells[3]}`],
        ],
        80,
      )
    })
    expect(markdown).toContain(`| Description | ${cells[0]} |`)
    expect(markdown).toContain(`| Syntax | ${cells[1]} |`)
    expect(markdown).toContain(`| Status | ${cells[2]} ${cells[3]} |`)
  })

  it.each([98, 99, 102, 105, 110])('finds cells beside rules of the first column only, at %s points', async second => {
    const markdown = await toMarkdown(page => {
      page.lines(BODY, 40, 40)
      for (const [row, [name = '', value = '']] of ROWS.entries()) {
        const y = 100 + row * 16
        page.text(name, 43, y).text(value.replace('\n', ' '), second + 3, y)
        const at = page.page.getHeight() - y - 4
        page.page.drawLine({ start: { x: 40, y: at }, end: { x: second, y: at }, thickness: 0.5 })
      }
      page.lines(BODY, 40, 180)
    })
    expect(markdown).toContain('| Description: | A mill that grinds the corn of the county |')
    expect(markdown).toContain('| Status: | Core, used |')
  })

  it.each([3, 4, 5, 6, 7])('makes no table of %s underlined words with text beside them', async count => {
    const markdown = await toMarkdown(page => {
      page.lines(BODY, 40, 40)
      for (let row = 0; row < count; row++) {
        const y = 100 + row * 16
        page.text('Mill', 40, y).text(`number ${row} of the river`, 60, y)
        const at = page.page.getHeight() - y - 2
        page.page.drawLine({ start: { x: 40, y: at }, end: { x: 40 + page.widthOf('Mill'), y: at }, thickness: 0.5 })
      }
    })
    expect(markdown).not.toContain('|')
  })

  it('divides tables with the same columns and text between them', async () => {
    const markdown = await toMarkdown(page => {
      draw(page, [40, 98, 220], ROWS, 60)
      page.lines([...BODY, ...BODY], 40, 150)
      draw(page, [40, 98, 220], ROWS, 220)
    })
    expect(markdown.match(/\| --- \| --- \|/g)).toHaveLength(2)
    expect(markdown).toContain(BODY.join(' '))
  })

  it('makes no table of a note between two rules', async () => {
    const markdown = await toMarkdown(page => {
      draw(page, [40, 300], [['Note'], ['Look after the mill\nin the winter.']], 60)
      page.lines(BODY, 40, 150)
    })
    expect(markdown).not.toContain('|')
  })
})
