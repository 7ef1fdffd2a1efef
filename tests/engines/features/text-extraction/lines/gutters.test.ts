import { describe, expect, it } from 'vitest'
import { makeTextPages } from '../../../../fixtures/text-page'
import type { TextPage } from '../../../../fixtures/text-page'
import { runOn } from '../../../../support/run-on'

const WORDS =
  'the river begins in hills above a town and runs through three valleys to the sea where most of its water comes from snow'

/** Words that name their column and their place, such as `hills2`. */
function wordsOf(column: number, count: number): string[] {
  const words = WORDS.split(' ')
  return Array.from({ length: count }, (_, at) => `${words[(at * 7 + column * 3) % words.length]}${column}`)
}

interface Place {
  x: number
  y: number
  width: number
  size?: number
  leading?: number
}

/** Sets words as a justified block, and returns the end of it. */
function justify(page: TextPage, words: readonly string[], { x, y, width, size = 10, leading = 12 }: Place): number {
  const lines: string[][] = [[]]
  for (const word of words) {
    const last = lines.at(-1) ?? []
    if (page.widthOf([...last, word].join(' '), size) > width) lines.push([word])
    else last.push(word)
  }
  for (const [at, own] of lines.entries()) {
    const room = width - own.reduce((sum, word) => sum + page.widthOf(word, size), 0)
    const gap = at === lines.length - 1 ? 0.28 * size : room / (own.length - 1)
    let left = x
    for (const word of own) {
      page.text(word, left, y + at * leading, { size })
      left += page.widthOf(word, size) + gap
    }
  }
  return y + lines.length * leading
}

async function read(draw: (page: TextPage) => void, format = 'text'): Promise<string> {
  const file = await makeTextPages(1, draw)
  return (await runOn('extract-text', file, { format })).bytes.toString('utf8')
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()

describe('gutters', () => {
  it.each([
    [6, 0],
    [7, 0],
    [8, 0],
    [10, 0],
    [12, 0],
    [8, 3],
    [10, 4],
  ])('reads justified columns that are %s points apart one after the other, shifted by %s', async (gutter, shift) => {
    const [one, two] = [wordsOf(1, 90), wordsOf(2, 90)]
    const width = (340 - gutter) / 2
    const text = await read(page => {
      justify(page, one, { x: 30, y: 60, width })
      justify(page, two, { x: 30 + width + gutter, y: 60 + shift, width })
    })
    expect(plain(text)).toBe([...one, ...two].join(' '))
  })

  it.each([7, 8, 9, 10, 12])('reads three columns with a gutter of %s points', async gutter => {
    const columns = [1, 2, 3].map(column => wordsOf(column, 60))
    const width = (370 - 2 * gutter) / 3
    const text = await read(page => {
      for (const [at, words] of columns.entries())
        justify(page, words, { x: 15 + at * (width + gutter), y: 60, width, size: 8, leading: 10 })
    })
    expect(plain(text)).toBe(columns.flat().join(' '))
  })

  it('keeps wide text above and below columns', async () => {
    const [one, two, wide] = [wordsOf(1, 60), wordsOf(2, 60), wordsOf(3, 40)]
    const text = await read(page => {
      const top = justify(page, wide, { x: 30, y: 60, width: 340 })
      justify(page, one, { x: 30, y: top + 10, width: 165 })
      const end = justify(page, two, { x: 205, y: top + 10, width: 165 })
      justify(page, wide, { x: 30, y: end + 20, width: 340 })
    })
    expect(plain(text)).toBe([...wide, ...one, ...two, ...wide].join(' '))
  })

  it.each([120, 150, 200, 260, 330])('leaves a justified block of %s points whole', async width => {
    const words = wordsOf(1, 120)
    expect(plain(await read(page => justify(page, words, { x: 30, y: 40, width, size: 9, leading: 10 })))).toBe(
      words.join(' '),
    )
  })

  it('leaves the marks of a list beside their text', async () => {
    const text = await read(page => {
      for (let at = 1; at <= 8; at++)
        page.text(`${at}.`, 40, 40 + at * 14).text(wordsOf(at, 6).join(' '), 56, 40 + at * 14)
    }, 'markdown')
    expect(text.split('\n').filter(line => /^\d\. \w/.test(line))).toHaveLength(8)
  })

  it.each([2, 3, 4, 5, 6])('makes no table of lines of %s words in a justified paragraph', async count => {
    const markdown = await read(page => {
      const words = wordsOf(1, 50)
      const end = justify(page, words, { x: 30, y: 60, width: 300 })
      for (const [line, y] of [end, end + 12].entries()) {
        const own = wordsOf(line + 2, count)
        const room = 300 - own.reduce((sum, word) => sum + page.widthOf(word), 0)
        let left = 30
        for (const word of own) {
          page.text(word, left, y)
          left += page.widthOf(word) + room / (count - 1)
        }
      }
      justify(page, words, { x: 30, y: end + 24, width: 300 })
    }, 'markdown')
    expect(markdown).not.toContain('|')
  })
})
