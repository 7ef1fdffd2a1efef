import { describe, expect, it } from 'vitest'
import { numbered } from '../../fixtures/draft'
import { readPdf } from '../../support/reader'
import { runOn } from '../../support/run-on'
import { StrictPdf } from '../../support/strict-pdf'

describe('merge-pdf', () => {
  it('keeps the order sent, sizes and rotations', async () => {
    const files = [numbered({ pages: 2, size: [842, 595], layout: 'streams' }), numbered({ pages: 1, rotate: { 1: 90 } }), numbered({ pages: 3, inherits: true, size: [300, 400] })]
    const seen = (await readPdf((await runOn('merge-pdf', files)).bytes)).pages
    expect(seen.map(page => page.text.match(/PAGE (\d OF \d)/)?.[1])).toEqual(['1 OF 2', '2 OF 2', '1 OF 1', '1 OF 3', '2 OF 3', '3 OF 3'])
    expect(seen.map(page => [page.width, page.height])).toEqual([[842, 595], [842, 595], [792, 612], [300, 400], [300, 400], [300, 400]])
  })

  it('takes the same file several times', async () => {
    const file = numbered({ pages: 2, layout: 'streams' })
    expect((await readPdf((await runOn('merge-pdf', [file, file, file])).bytes)).pages).toHaveLength(6)
  })

  it('joins a hundred files soundly', async () => {
    const files = Array.from({ length: 100 }, (_, index) => numbered({ pages: 1 + (index % 2), salt: `file ${index}`, layout: index % 3 ? 'table' : 'streams' }))
    const { bytes } = await runOn('merge-pdf', files)
    const strict = new StrictPdf(bytes)
    expect(strict.problems.concat(strict.malformed, strict.dangling)).toEqual([])
    expect(strict.pages).toHaveLength(150)
  })

  it('names the file that can not be read', async () => {
    const good = numbered({ pages: 1 })
    await expect(runOn('merge-pdf', [good, Buffer.from('no PDF'), good])).rejects.toMatchObject({
      reason: 'unreadable',
      message: expect.stringMatching(/^files\[1\]: /) as string,
      problems: [{ param: 'files[1]' }],
    })
  })
})
