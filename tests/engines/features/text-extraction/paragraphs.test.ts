import { describe, expect, it } from 'vitest'
import { makeTextPages } from '../../../fixtures/text-page'
import type { TextPage } from '../../../fixtures/text-page'
import { runOn } from '../../../support/run-on'

const BODY = [
  'The river begins in the hills above the town and runs',
  'through three valleys before it reaches the sea. Most',
  'of the water comes from melting snow in the spring.',
]

async function toMarkdown(draw: (page: TextPage) => void, options: object = {}): Promise<string> {
  const file = await makeTextPages(1, draw)
  return (await runOn('extract-text', file, { format: 'markdown', ...options })).bytes.toString('utf8')
}

describe('paragraphs', () => {
  it.each([
    [[0, 1], 1],
    [[0, 2], 1],
    [[0, 3], 1],
    [[0, 1, 3], 1],
    [[0, 1, 2, 5], 1],
    [[0, 1, 6], 2],
  ])('keeps code with empty lines together: lines %j', async (places, blocks) => {
    const markdown = await toMarkdown(page => {
      page.lines(BODY, 40, 60)
      // Two lines of a block of their own show the distance of the lines.
      page.lines(['begin', 'end'], 60, 120, { isMonospaced: true }).lines(BODY, 40, 170)
      for (const place of places) page.text(`line ${place}`, 60, 230 + place * 12, { isMonospaced: true })
      page.lines(BODY, 40, 340)
    })
    expect(markdown.split('```')).toHaveLength(3 + 2 * blocks)
  })

  it('keeps the empty lines, the indents and the gaps of code', async () => {
    const lines = ['if (found) {', '  stop()    # ends it', '', '  go(1)     # goes on', '}', '', '', 'end']
    const markdown = await toMarkdown(page =>
      page.lines(BODY, 40, 60).lines(lines, 60, 120, { isMonospaced: true }).lines(BODY, 40, 230),
    )
    expect(markdown).toContain(`\n\n\`\`\`\n${lines.join('\n')}\n\`\`\`\n\n`)
  })

  it('finds the lines of code that are moved by a part of a point', async () => {
    const markdown = await toMarkdown(page => {
      page.lines(BODY, 40, 60)
      for (const [at, y] of [120, 133.5, 147, 159.75, 173.25, 200.25, 213.75].entries())
        page.text(`line ${at}`, 60, y, { isMonospaced: true })
    })
    expect(markdown).toContain('line 4\n\nline 5\nline 6\n```')
  })

  it.each(['* one', '- one', '1. one', 'a) one'])('keeps %s in code', async first => {
    const second = first.replace('1', '2').replace('a)', 'b)').replace('one', 'two')
    const lines = ['list:', `  ${first}`, `  ${second}`, 'end']
    const markdown = await toMarkdown(page =>
      page.lines(BODY, 40, 60).lines(lines, 60, 120, { isMonospaced: true }).lines(BODY, 40, 200),
    )
    expect(markdown).toContain(`\`\`\`\n${lines.join('\n')}\n\`\`\``)
  })

  it('joins code that goes on in the next column', async () => {
    const prose = ['The river begins in the hills', 'above the town and runs to', 'the sea through the valley']
    const markdown = await toMarkdown(page => {
      for (const y of [60, 110, 160]) page.lines(prose, 40, y)
      page.lines(['begin', '  first()', '  second()'], 40, 210, { isMonospaced: true })
      page.lines(['  third()', '  fourth()', 'end'], 220, 60, { isMonospaced: true })
      for (const y of [110, 160, 210]) page.lines(prose, 220, y)
    })
    expect(markdown).toContain('  second()\n  third()\n')
  })

  it('takes code with wide gaps for no table, even with a stretched line below', async () => {
    const lines = ['1     open', '2     read', '3     close', '4     end']
    const markdown = await toMarkdown(page => {
      page.lines(BODY, 40, 60).lines(lines, 60, 120, { isMonospaced: true })
      page.text('Line', 60, 175).text('4', 97, 175).text('ends it', 130, 175)
    })
    expect(markdown).toContain(`\`\`\`\n${lines.join('\n')}\n\`\`\``)
  })

  it('takes signs without a letter for no code', async () => {
    const markdown = await toMarkdown(page => page.lines(BODY, 40, 60).text('->', 70, 110, { isMonospaced: true }))
    expect(markdown).not.toContain('```')
  })

  it.each(['run.', 'F.', 'dry-run.', 'a b c.', 'sign --off.'])('keeps %s at the end of a paragraph', async code => {
    const markdown = await toMarkdown(page =>
      page.lines(BODY.slice(0, 2), 40, 60).text(code, 40, 84, { isMonospaced: true }).lines(BODY, 40, 120),
    )
    expect(markdown).not.toContain('```')
    expect(markdown).toContain(`Most \`${code}\``)
  })

  it('finds code below a line that ends early, or at another edge', async () => {
    const early = await toMarkdown(page =>
      page.lines([...BODY, 'Run:'], 40, 60).text('make all', 40, 108, { isMonospaced: true }),
    )
    expect(early).toContain('```\nmake all\n```')
    const indented = await toMarkdown(page => page.lines(BODY, 40, 60).text('make all', 70, 96, { isMonospaced: true }))
    expect(indented).toContain('```\nmake all\n```')
  })

  it.each([100, 120, 140, 160, 180])('joins the lines of a block of %s points below a wider one', async width => {
    const words = 'a mill by the river ground the corn of the county for years until a flood took the dam away'.split(
      ' ',
    )
    const file = await makeTextPages(1, page => {
      page.lines(BODY, 40, 60)
      justify(page, words, width)
    })
    const markdown = (await runOn('extract-text', file, { format: 'markdown' })).bytes.toString('utf8')
    expect(markdown.trim().split('\n\n')).toHaveLength(2)
  })
})

/** Sets words as a justified block. */
function justify(page: TextPage, words: readonly string[], width: number): void {
  const lines: string[][] = [[]]
  for (const word of words) {
    const last = lines.at(-1) ?? []
    if (page.widthOf([...last, word].join(' ')) > width) lines.push([word])
    else last.push(word)
  }
  for (const [at, own] of lines.entries()) {
    const room = width - own.reduce((sum, word) => sum + page.widthOf(word), 0)
    const gap = at === lines.length - 1 ? 2.8 : room / (own.length - 1)
    let x = 40
    for (const word of own) {
      page.text(word, x, 120 + at * 12)
      x += page.widthOf(word) + gap
    }
  }
}

describe('headers', () => {
  const read = async (draw: (page: TextPage) => void): Promise<string> => toMarkdown(draw, { headersFooters: 'remove' })

  it.each([
    ['Guide', '1', 40, 20],
    ['A guide to rivers', '1', 40, 24],
    ['1', 'Guide', 40, 20],
    ['Guide', '1', 40, 585],
    ['Rivers and mills', '1', 60, 590],
  ])('finds %s beside the page number %s on a single page', async (left, right, x, y) => {
    const markdown = await read(page => page.text(left, x, y).text(right, 340, y).lines(BODY, 40, 100))
    expect(markdown.trim()).toBe(BODY.join(' '))
  })

  it('keeps a line beside another number, and a line near the text', async () => {
    expect(await read(page => page.text('Guide', 40, 20).text('17', 340, 20).lines(BODY, 40, 100))).toContain('Guide')
    expect(await read(page => page.text('Guide', 40, 50).text('1', 340, 50).lines(BODY, 40, 62))).toContain('Guide')
  })
})
