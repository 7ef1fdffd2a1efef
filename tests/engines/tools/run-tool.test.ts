import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { listTools } from '../../../engines/tools/registry'
import { runJob } from '../../../engines/jobs'
import { numbered } from '../../fixtures/draft'
import { readElectronicInvoice } from '../../fixtures/e-invoice'
import { makeApplication } from '../../fixtures/forms'
import { makeBook } from '../../fixtures/make-fixtures'
import { readZip } from '../../support/read-zip'
import { countPages } from '../../support/reader'
import { LIMITS, runOn } from '../../support/run-on'

/** A book has attached files, which PDF/A-2 doesn't allow. */
function makeFileFor(tool: string): Buffer {
  if (tool === 'form-filler') return makeApplication()
  if (tool === 'read-invoice') return readElectronicInvoice()
  if (tool === 'unlock-pdf') return readFileSync('public/samples/locked.pdf')
  return tool === 'convert-to-pdfa' ? numbered() : makeBook({ pages: 5 }).write()
}

describe('runJob', () => {
  for (const tool of listTools()) {
    // The contract tests run every example, on simpler files. They compare two results of each tool that isn't random.
    it(`runs the first example of ${tool.id} on a book`, async () => {
      const images = ['receipt.jpg', 'chart.png'].map(name => readFileSync(`public/samples/${name}`))
      const books = [makeBook({ salt: 'one' }).write(), makeBook({ salt: 'two' }).write('streams')]
      const files = tool.files === 'one' ? [makeFileFor(tool.id)] : tool.accepts === 'images' ? images : books
      const run = () => runOn(tool.id, files, tool.examples[0]?.options)
      const { bytes, contentType } = await run()
      expect(bytes.length).toBeGreaterThan(0)
      if (tool.isRandom) expect(bytes.equals((await run()).bytes)).toBe(false)
      else if (contentType === 'application/pdf') expect(await countPages(bytes)).toBeGreaterThan(0)
      if (contentType === 'application/zip') expect(readZip(bytes).length).toBeGreaterThan(0)
    })
  }

  it('reports when the files are open, before any work is done, and how long each phase took', async () => {
    const seen: string[] = []
    const { timings } = await runJob(
      { tool: 'rotate-pdf', options: { angle: 90 }, files: [{ name: 'a.pdf', bytes: numbered() }], limits: LIMITS },
      () => seen.push('open'),
    )
    expect(seen).toEqual(['open'])
    expect(Object.keys(timings)).toEqual(['open', 'work', 'save'])
    for (const milliseconds of Object.values(timings)) expect(milliseconds).toBeGreaterThanOrEqual(0)
  })

  it("does not report open files if a file can't be opened", async () => {
    const seen: string[] = []
    const job = {
      tool: 'rotate-pdf',
      options: { angle: 90 },
      files: [{ name: 'a.pdf', bytes: Buffer.from('none') }],
      limits: LIMITS,
    }
    await expect(runJob(job, () => seen.push('open'))).rejects.toMatchObject({ reason: 'damaged' })
    expect(seen).toEqual([])
  })

  it('names the result after the first file, or as requested', async () => {
    const file = { name: 'C:\\in\\Yearly report.pdf', bytes: numbered() }
    const run = (options: unknown) =>
      runJob({ tool: 'rotate-pdf', options, files: [file], limits: LIMITS }, () => undefined)
    expect((await run({ angle: 90 })).name).toBe('Yearly report-rotated.pdf')
    expect((await run({ angle: 90, outputName: 'new name' })).name).toBe('new name.pdf')
  })

  it('refuses results with more pages than allowed', async () => {
    await expect(runOn('extract-pages', numbered(), { pages: '1-5,1-5' }, { maxPagesOut: 9 })).rejects.toMatchObject({
      reason: 'too_large',
    })
  })

  it('keeps the bytes of the input unchanged', async () => {
    const bytes = makeBook().write()
    const before = Buffer.from(bytes)
    await runJob(
      { tool: 'delete-pages', options: { pages: [2] }, files: [{ name: 'a.pdf', bytes }], limits: LIMITS },
      () => undefined,
    )
    expect(bytes.equals(before)).toBe(true)
  })

  it('refuses a tool that does not exist', async () => {
    for (const tool of ['shred-pdf', '__proto__', 'constructor'])
      await expect(runOn(tool, numbered())).rejects.toMatchObject({ name: 'EngineError', reason: 'internal' })
  })
})
