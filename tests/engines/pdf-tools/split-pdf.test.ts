import { describe, expect, it } from 'vitest'
import { Draft, numbered } from '../../fixtures/draft'
import { makeBook } from '../../fixtures/make-fixtures'
import { readZip } from '../../support/read-zip'
import { readPdf } from '../../support/reader'
import { runOn } from '../../support/run-on'
import { StrictPdf } from '../../support/strict-pdf'
import { findTraces } from '../../support/traces'
import { pageNumbers } from './page-tools'

describe('split-pdf', () => {
  it('answers a ZIP of the parts, none of which holds anything of the others', async () => {
    const draft = makeBook({ pages: 5 })
    const { bytes, contentType, name } = await runOn('split-pdf', draft.write('streams'), { ranges: [{ start: 1, end: 2 }, { start: 3, end: 5 }] })
    expect({ contentType, name }).toEqual({ contentType: 'application/zip', name: 'input-parts.zip' })
    const parts = readZip(bytes)
    expect(parts.map(part => part.name)).toEqual(['input-1.pdf', 'input-2.pdf'])
    for (const [index, pages] of [[1, 2], [3, 4, 5]].entries()) {
      const part = parts[index]?.bytes ?? Buffer.alloc(0)
      expect(await pageNumbers(part)).toEqual(pages)
      expect(findTraces(part, draft.words(...[1, 2, 3, 4, 5].filter(number => !pages.includes(number))))).toEqual([])
      const strict = new StrictPdf(part)
      expect(strict.problems.concat(strict.malformed, strict.dangling)).toEqual([])
      expect((await readPdf(part)).attachments).toEqual([])
    }
  })

  it('takes overlapping and backward ranges and selectors, and one part is still a ZIP', async () => {
    const run = async (ranges: unknown): Promise<number[][]> => Promise.all(readZip((await runOn('split-pdf', numbered(), { ranges })).bytes).map(part => pageNumbers(part.bytes)))
    expect(await run([{ start: 4, end: 5 }, { start: 4, end: 2 }])).toEqual([[4, 5], [4, 3, 2]])
    expect(await run(['first', '2-', [3, 3]])).toEqual([[1], [2, 3, 4, 5], [3, 3]])
    expect(await run([{ start: 2, end: 2 }])).toEqual([[2]])
  })

  it('names parts so that they sort in their order', async () => {
    const { bytes } = await runOn('split-pdf', numbered({ pages: 12 }), { mode: 'ranges', ranges: Array.from({ length: 12 }, (_, index) => ({ start: index + 1, end: index + 1 })) })
    const names = readZip(bytes).map(part => part.name)
    expect(names[0]).toBe('input-01.pdf')
    expect([...names].sort()).toEqual(names)
  })

  it('carries no pictures of other pages into a part', async () => {
    const whole = new Draft({ pages: 8, pictureBytes: 40_000, sharesResources: true }).write()
    for (const part of readZip((await runOn('split-pdf', whole, { ranges: ['1', '2', '3', '4', '5', '6', '7', '8'] })).bytes)) expect(part.bytes.length).toBeLessThan(whole.length / 6)
  })

  it('gives the same bytes for the same input', async () => {
    const file = makeBook().write()
    const [one, two] = await Promise.all([1, 2].map(() => runOn('split-pdf', file, { ranges: ['1-3', '4-'] })))
    expect(one?.bytes.equals(two?.bytes ?? Buffer.alloc(0))).toBe(true)
  })

  it('refuses ranges outside the document, by their parameter', async () => {
    await expect(runOn('split-pdf', numbered(), { ranges: [{ start: 1, end: 2 }, { start: 3, end: 6 }] })).rejects.toMatchObject({ reason: 'bad-options', problems: [{ param: 'options.ranges[1].end' }] })
    await expect(runOn('split-pdf', numbered(), { ranges: ['1', '7'] })).rejects.toMatchObject({ reason: 'bad-options', problems: [{ param: 'options.ranges[1]' }] })
    await expect(runOn('split-pdf', numbered(), { ranges: [] })).rejects.toMatchObject({ name: 'ZodError' })
  })

  it('refuses more pages in all parts than an answer may have', async () => {
    await expect(runOn('split-pdf', numbered(), { ranges: ['all', 'all', 'all'] }, { maxPagesOut: 14 })).rejects.toMatchObject({ reason: 'bad-options', message: expect.stringContaining('at most 14') as string })
  })
})
