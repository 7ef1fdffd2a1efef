import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { numbered } from '../../fixtures/draft'
import { readPageTexts } from '../../support/page-texts'
import { readZip } from '../../support/read-zip'
import { countPages } from '../../support/reader'
import { runOn } from '../../support/run-on'
import { runSteps } from '../../support/run-pipeline'

const sample = (name: string) => ({ name, bytes: readFileSync(`public/samples/${name}`) })
const letter = sample('letter.pdf')
const terms = sample('terms.pdf')
const REPORT = { name: 'report.pdf', bytes: numbered() }
const ROTATE = { id: 'rotate-pdf', options: { angle: 90 } }
const PDFA = { id: 'convert-to-pdfa', options: { attachments: 'remove' } }

describe('a pipeline', () => {
  it('gives each step the result before it', async () => {
    const { bytes, name, headers, contentType } = await runSteps(
      [
        { id: 'merge-pdf' },
        { id: 'page-numbers', options: { format: 'sheet {page}' } },
        { id: 'delete-pages', options: { pages: [1] } },
      ],
      [letter, terms],
    )
    const texts = await readPageTexts(bytes)
    expect(texts.map(text => /sheet \d/.exec(text)?.[0])).toEqual(['sheet 2', 'sheet 3'])
    expect(contentType).toBe('application/pdf')
    expect(name).toBe(
      'letter-merged-numbered-pages.pdf'.replace('pages', name.split('-').at(-1)?.replace('.pdf', '') ?? ''),
    )
    expect(headers).toMatchObject({ 'X-Pipeline-Steps': '3', 'X-Page-Count': '2' })
  })

  it('lets several steps read one result, which stays as it was', async () => {
    const { bytes } = await runSteps(
      [
        { id: 'rotate-pdf', options: { angle: 90, pages: [1] } },
        { id: 'delete-pages', options: { pages: '2-5' }, inputs: [{ step: 0 }] },
        { id: 'merge-pdf', inputs: [{ step: 0 }, { step: 1 }, { step: 0 }] },
      ],
      [REPORT],
    )
    expect(await countPages(bytes)).toBe(11)
  })

  it('gives the files of a list to a tool for lists', async () => {
    const { bytes } = await runSteps(
      [
        { id: 'split-pdf', options: { mode: 'every', every: 2 } },
        { id: 'merge-pdf', options: {} },
      ],
      [REPORT],
    )
    expect(await countPages(bytes)).toBe(5)
    const images = await runSteps([{ id: 'pdf-to-images', options: { dpi: 20 } }, { id: 'images-to-pdf' }], [REPORT])
    expect(await countPages(images.bytes)).toBe(5)
  })

  it('refuses a list that is too short for the next tool', async () => {
    const run = runSteps([{ id: 'split-pdf', options: { mode: 'every', every: 9 } }, { id: 'merge-pdf' }], [REPORT])
    await expect(run).rejects.toMatchObject({
      reason: 'file_missing',
      problems: [{ param: 'steps[1]', message: expect.stringContaining('at least 2 files') }],
    })
  })

  it('says once when files are open, before the work of the first step', async () => {
    const seen: string[] = []
    await runSteps([ROTATE, ROTATE, { id: 'split-pdf', options: { mode: 'every', every: 2 } }], [REPORT], {
      onOpened: () => seen.push('open'),
    })
    expect(seen).toEqual(['open'])
  })

  it('names the step and the option of an error', async () => {
    const run = runSteps([ROTATE, { id: 'extract-pages', options: { pages: [9] } }], [REPORT])
    await expect(run).rejects.toMatchObject({
      reason: 'page_missing',
      problems: [
        { param: expect.stringMatching(/^steps\[1\]\.options\.pages/), message: expect.stringContaining('9') },
      ],
    })
  })

  it('names the upload that is no PDF', async () => {
    const run = runSteps([{ id: 'merge-pdf' }], [letter, { name: 'x.pdf', bytes: Buffer.from('no PDF at all') }])
    await expect(run).rejects.toMatchObject({ problems: [{ param: 'files[1]' }] })
  })

  it('keeps results within the limit of outputs', async () => {
    const double = [1, 2, 3, 4, 5].map(step => ({
      id: 'merge-pdf',
      inputs: [{ step: step - 1 }, { step: step - 1 }],
    }))
    const run = runSteps([ROTATE, ...double], [REPORT], { maxOutputBytes: 12_000 })
    await expect(run).rejects.toMatchObject({ reason: 'output_too_large' })
    const pages = runSteps([ROTATE, ...double], [REPORT], { maxPagesOut: 50 })
    await expect(pages).rejects.toMatchObject({ reason: 'too_large' })
  })

  it('writes a receipt without passwords', async () => {
    const options = { userPassword: 'secret words' }
    const { bytes, name, contentType } = await runSteps(
      [ROTATE, { id: 'protect-pdf', options, shownOptions: { userPassword: '(not shown)' } }],
      [REPORT],
      { hasReceipt: true },
    )
    expect([name, contentType]).toEqual([expect.stringMatching(/\.zip$/), 'application/zip'])
    const [file, receipt] = readZip(bytes)
    const facts = JSON.parse(String(receipt?.bytes)) as {
      result: object
      steps: { inputs: object[]; results: object[] }[]
    }
    const hash = (content: Uint8Array | undefined) =>
      createHash('sha256')
        .update(content ?? '')
        .digest('hex')
    expect(facts.result).toEqual({ name: file?.name, bytes: file?.bytes.length, sha256: hash(file?.bytes) })
    expect(facts.steps[0]).toMatchObject({ tool: 'rotate-pdf', pages: 5, inputs: [{ sha256: hash(REPORT.bytes) }] })
    expect(facts.steps[1]?.inputs).toEqual(facts.steps[0]?.results)
    expect(facts.steps[1]?.results).toEqual([expect.objectContaining({ sha256: hash(file?.bytes) })])
    expect(String(receipt?.bytes)).not.toContain('secret words')
  })
})

describe('a promise of an earlier step', () => {
  const REDACT = { id: 'pdf-redaction', options: { search: [{ text: 'Ada Lovelace' }] } }
  const withName = async () => {
    const options = { position: 'top-left', content: { type: 'text', text: 'For Ada Lovelace' } }
    const { bytes } = await runOn('add-watermark', numbered(), { text: 'For Ada Lovelace', ...(options && {}) })
    return { name: 'named.pdf', bytes }
  }

  it('that text is gone is proved again, and its header speaks about the final file', async () => {
    const { headers, bytes } = await runSteps([REDACT, { id: 'page-numbers' }], [await withName()])
    expect(headers['X-Redaction-Verified']).toBe('true')
    expect((await readPageTexts(bytes)).join()).not.toContain('Lovelace')
  })

  it('that text is gone is broken by a file that has it', async () => {
    const named = await withName()
    const run = runSteps(
      [
        { ...REDACT, inputs: [{ file: 0 }] },
        ROTATE,
        { id: 'merge-pdf', inputs: [{ step: 1 }, { file: 1 }] },
        { id: 'page-numbers' },
      ],
      [named, named],
    )
    await expect(run).rejects.toMatchObject({
      reason: 'promise_broken',
      problems: [
        {
          param: 'steps[2]',
          message: expect.stringMatching(/steps\[2\] \(merge-pdf\) breaks what steps\[0\] \(pdf-redaction\)/),
        },
      ],
    })
  })

  it('that text is gone is broken by a step that writes it', async () => {
    const run = runSteps(
      [REDACT, { id: 'header-footer', options: { header: { left: 'For Ada Lovelace' } } }],
      [await withName()],
    )
    await expect(run).rejects.toMatchObject({ reason: 'promise_broken', problems: [{ param: 'steps[1]' }] })
  })

  it('about areas is unknown after another file or text was added', async () => {
    const areas = { id: 'pdf-redaction', options: { areas: [{ page: 1, x: 60, y: 674, width: 126, height: 18 }] } }
    const alone = await runSteps([areas, ROTATE], [REPORT])
    expect(alone.headers['X-Redaction-Verified']).toBe('true')
    const titled = await runSteps([areas, { id: 'header-footer', options: { header: { left: '{title}' } } }], [REPORT])
    expect(titled.headers['X-Redaction-Verified']).toBe('false')
    const merged = await runSteps(
      [
        { ...areas, inputs: [{ file: 0 }] },
        { id: 'merge-pdf', inputs: [{ step: 0 }, { file: 1 }] },
      ],
      [REPORT, letter],
    )
    expect(merged.headers['X-Redaction-Verified']).toBe('false')
  })

  it('of a standard holds, or names the step that broke it', async () => {
    const kept = await runSteps([PDFA, ROTATE], [REPORT], { hasReceipt: true })
    const receipt = JSON.parse(String(readZip(kept.bytes)[1]?.bytes)) as { promises: unknown }
    expect(receipt.promises).toEqual([{ step: 0, claim: 'conforms to PDF/A-2b', verdict: 'holds' }])
    const last = await runSteps([ROTATE, PDFA], [REPORT], { hasReceipt: true })
    expect(JSON.parse(String(readZip(last.bytes)[1]?.bytes))).toMatchObject({
      promises: [{ step: 1, verdict: 'holds' }],
    })
    const broken = runSteps([PDFA, ROTATE, { id: 'protect-pdf', options: { userPassword: 'secret words' } }], [REPORT])
    await expect(broken).rejects.toMatchObject({ reason: 'promise_broken', problems: [{ param: 'steps[2]' }] })
  })

  it('of a size holds, or names the step that broke it', async () => {
    const { bytes } = await runOn('compress-pdf', numbered())
    const small = {
      id: 'compress-pdf',
      options: { targetBytes: Math.max(1024, bytes.length + 500) },
      inputs: [{ file: 0 }],
    }
    await expect(runSteps([ROTATE, { ...small, inputs: [{ step: 0 }] }], [REPORT])).resolves.toBeDefined()
    const run = runSteps([small, { id: 'merge-pdf', inputs: [{ step: 0 }, { file: 1 }] }], [REPORT, letter])
    await expect(run).rejects.toMatchObject({ reason: 'promise_broken', problems: [{ param: 'steps[1]' }] })
  })

  it('means nothing for a result that is no PDF', async () => {
    const { headers, contentType } = await runSteps([REDACT, { id: 'extract-text' }], [await withName()])
    expect(contentType).toMatch(/^text\/plain/)
    expect(headers).not.toHaveProperty('X-Redaction-Verified')
  })
})
