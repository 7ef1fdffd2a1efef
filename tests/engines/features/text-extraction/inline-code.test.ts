import { describe, expect, it } from 'vitest'
import { linkTo, makeTaggedText, run, toUrl } from '../../../fixtures/tagged-text'
import { makeTextPages } from '../../../fixtures/text-page'
import type { TextPage } from '../../../fixtures/text-page'
import { runOn } from '../../../support/run-on'

const BODY = [
  'The river begins in the hills above the town and runs',
  'through three valleys before it reaches the sea. Most',
]
const mono = { isMonospaced: true }

async function toMarkdown(file: Uint8Array): Promise<string> {
  return (await runOn('extract-text', file, { format: 'markdown' })).bytes.toString('utf8')
}

const draw = async (make: (page: TextPage) => void): Promise<string> => toMarkdown(await makeTextPages(1, make))

describe('code in a line', () => {
  it.each([
    ['stop()', '`stop()`'],
    ['a*b_c[1]<2&amp;', '`a*b_c[1]<2&amp;`'],
    ['make all', '`make all`'],
    ['a`b', '``a`b``'],
    ['`a``', '``` `a`` ```'],
    ['12.50', '12.50'],
    ['1,200 (4 %)', '1,200 (4 %)'],
  ])('is a span of code: %s', async (code, written) => {
    const markdown = await draw(page =>
      page.lines(BODY, 40, 60).text('Use', 40, 84).text(code, 62, 84, mono).text('here', 165, 84),
    )
    expect(markdown).toContain(`Most Use ${written} here`)
  })

  it('leaves out punctuation of other text beside it', async () => {
    const markdown = await draw(page =>
      page.lines(BODY, 40, 60).text('(', 40, 84).text('stop', 43.3, 84, mono).text('), then go', 67.4, 84),
    )
    expect(markdown).toContain('Most (`stop`), then go')
  })

  it('goes on in the next line, and lies in cells and links', async () => {
    const lines = await draw(page =>
      page.lines(BODY, 40, 60).text('make', 300, 72, mono).text('all', 40, 84, mono).text('ends here.', 62, 84),
    )
    expect(lines).toContain('Most `make all` ends here.')
    const table = await draw(page => {
      page.lines(BODY, 40, 40).grid([40, 140, 240], [100, 120, 140])
      for (const [at, text] of ['Name', 'Use', 'a|b', 'Stops'].entries())
        page.text(text, 46 + 100 * (at % 2), 114 + 20 * Math.floor(at / 2), { isMonospaced: at === 2 })
    })
    expect(table).toContain('| `a\\|b` | Stops |')
    const link = linkTo(toUrl('https://example.com/'), [100, 92, 30, 10])
    const linked = makeTaggedText([
      { loose: [run('See', 78, 100), run('stop', 100, 100, mono), run('below', 130, 100)], annotations: [link] },
    ])
    expect(await toMarkdown(linked)).toBe('See [`stop`](https://example.com/) below\n')
  })

  it('is none where most text has such a font', async () => {
    const markdown = await draw(page => {
      page
        .lines([...BODY, ...BODY], 40, 60, { ...mono, size: 9 })
        .text('Rivers', 40, 120)
        .text('stop', 75, 120, mono)
    })
    expect(markdown).toContain('Rivers stop')
  })

  it('is only in Markdown', async () => {
    const file = await makeTextPages(1, page =>
      page.lines(BODY, 40, 60).text('Use', 40, 84).text('stop()', 62, 84, mono),
    )
    expect((await runOn('extract-text', file, {})).bytes.toString('utf8')).toContain('Most Use stop()')
    const json = JSON.parse((await runOn('extract-text', file, { format: 'json' })).bytes.toString('utf8'))
    expect(json.pages[0].blocks[0].text).toContain('Most Use stop()')
  })
})
