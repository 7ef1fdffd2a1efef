import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { findEndpoint } from '../../lib/docs/endpoints'
import { CHAIN_SAMPLES } from '../../lib/docs/pages/chain-samples'
import { readPageTexts } from '../support/page-texts'
import { readPdf } from '../support/reader'
import type { RunningService } from '../support/service'
import { type ApiResponse, type Client, createClient, toFileInput, toPart, type Upload } from './client'
import { makePdf } from './documents'
import { expectFile, expectRefusal, readFileName } from './expectations'
import { readZip } from './read-zip'
import { usualService } from '../support/shared-services'

const PATH = '/api/external/pipeline'
const one: Upload = { name: 'one.pdf', bytes: makePdf() }
const two: Upload = { name: 'two.pdf', bytes: makePdf({ pages: 2, text: pageNumber => `Other ${pageNumber}` }) }
const MERGE = { tool: 'merge-pdf' }

let service: RunningService
let client: Client

beforeAll(async () => {
  service = await usualService()
  client = createClient(service.base, await service.createKey('pipeline@example.test', { credits: 1000 }))
})

function run(
  steps: unknown,
  files: Upload[],
  others: object = {},
  headers?: Record<string, string>,
): Promise<ApiResponse> {
  return client.sendJson(PATH, { files: files.map(toFileInput), steps, ...others }, headers)
}

describe('a pipeline', () => {
  it('runs its steps for one credit, in JSON and as a form', async () => {
    const steps = [MERGE, { tool: 'page-numbers', options: { format: 'sheet {page}' } }, { tool: 'compress-pdf' }]
    const response = await run(steps, [one, two])
    expectFile(response, 'application/pdf')
    expect([response.charged, response.headers['x-pipeline-steps'], response.headers['x-page-count']]).toEqual([
      1,
      '3',
      '7',
    ])
    expect((await readPageTexts(response.bytes))[6]).toContain('sheet 7')
    const form = await client.sendForm(PATH, [
      toPart('files', one),
      toPart('files', two),
      { name: 'steps', value: JSON.stringify(steps) },
    ])
    expectFile(form, 'application/pdf')
    expect(form.bytes.equals(response.bytes)).toBe(true)
    expect(readFileName(form)).toBe(readFileName(response))
  })

  it('gives the same bytes as single requests', async () => {
    const numbers = { position: 'bottom-right' }
    const merged = await client.callTool('merge-pdf', [one, two], {})
    const alone = await client.callTool(
      'page-numbers',
      { name: readFileName(merged) ?? '', bytes: merged.bytes },
      numbers,
    )
    const together = await run([MERGE, { tool: 'page-numbers', options: numbers }], [one, two])
    expect(together.bytes.equals(alone.bytes)).toBe(true)
    expect(readFileName(together)).toBe(readFileName(alone))
  })

  it('prints web pages first and gives them to later steps', async () => {
    const steps = [
      { webpage: { html: '<h1>COVER WORDS</h1>' }, as: 'cover' },
      {
        invoice: {
          invoiceNumber: 'R-1',
          from: { name: 'A' },
          billTo: { name: 'B' },
          items: [{ description: 'Binding', quantity: 1, rate: 4 }],
        },
        as: 'bill',
      },
      { tool: 'merge-pdf', files: ['cover', 'one.pdf', 'bill'] },
    ]
    const response = await run(steps, [one], { outputName: 'claim' })
    expectFile(response, 'application/pdf')
    const texts = await readPageTexts(response.bytes)
    expect([texts.length, readFileName(response)]).toEqual([7, 'claim.pdf'])
    expect(texts[0]).toContain('COVER WORDS')
    expect(texts[6]).toContain('Binding')
  })

  it('prints an uploaded page', async () => {
    const page = { name: 'page.html', bytes: Buffer.from('<p>UPLOADED WORDS</p>') }
    const response = await run([{ webpage: {}, files: ['page.html'] }, { tool: 'page-numbers' }], [page])
    expect((await readPageTexts(response.bytes)).join()).toContain('UPLOADED WORDS')
  })

  it('has a receipt with hashes and without passwords', async () => {
    const steps = [
      { tool: 'rotate-pdf', options: { angle: 90 } },
      { tool: 'protect-pdf', options: { userPassword: 'secret words' } },
    ]
    const response = await run(steps, [one], { receipt: true })
    expectFile(response, 'application/zip')
    const [file, receipt] = readZip(response.bytes)
    const facts = JSON.parse(String(receipt?.bytes)) as { result: { sha256: string }; steps: { tool: string }[] }
    expect(facts.steps.map(({ tool }) => tool)).toEqual(['rotate-pdf', 'protect-pdf'])
    expect(facts.result.sha256).toBe(
      createHash('sha256')
        .update(file?.bytes ?? '')
        .digest('hex'),
    )
    expect(String(receipt?.bytes)).not.toContain('secret words')
  })

  it('is free if a step is invalid, and the error names it', async () => {
    const before = await client.balance()
    const response = await run([MERGE, { tool: 'rotate-pdf', options: { angle: 45 } }], [one, two])
    expectRefusal(
      response,
      { status: 422, error: 'pdf_tool_processing_failed', says: ['steps[1].options.angle'] },
      before,
    )
    expect(response.json).toMatchObject({ reason: 'options_invalid' })
  })

  it('is free if a step breaks a promise', async () => {
    const before = await client.balance()
    const steps = [
      { tool: 'pdf-redaction', files: ['two.pdf'], options: { search: [{ text: 'Other' }] }, as: 'safe' },
      { tool: 'merge-pdf', files: ['safe', 'two.pdf'] },
    ]
    const response = await run(steps, [two])
    expectRefusal(
      response,
      { status: 422, error: 'pdf_tool_processing_failed', says: ['steps[1] (merge-pdf) breaks'] },
      before,
    )
    expect(response.json).toMatchObject({ reason: 'promise_broken' })
  })

  it('is charged once for an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'bundle-1' }
    const first = await run([MERGE], [one, two], {}, headers)
    const again = await run([MERGE], [one, two], {}, headers)
    expect([first.charged, again.charged, again.headers['idempotent-replayed']]).toEqual([1, 0, 'true'])
    expect(again.bytes.equals(first.bytes)).toBe(true)
  })

  it('limits wrong passwords as unlock-pdf does', async () => {
    const locked = { name: 'locked.pdf', bytes: readFileSync('public/samples/locked.pdf') }
    const other = createClient(service.base, await service.createKey('guess@example.test', { credits: 100 }))
    const guess = () =>
      other.sendJson(PATH, {
        files: [toFileInput(locked)],
        steps: [{ tool: 'unlock-pdf', options: { password: 'wrong' } }],
      })
    const responses: ApiResponse[] = []
    for (let count = 0; count < 21; count++) responses.push(await guess())
    expect(responses.map(({ status }) => status)).toEqual([...Array.from({ length: 20 }, () => 422), 429])
  })
})

describe('the samples of the documentation', () => {
  const endpoint = findEndpoint('pipeline')
  const files = (endpoint?.sampleFiles ?? []).map(name => ({ name, bytes: readFileSync(`public/samples/${name}`) }))
  const respond = async (title: string) => {
    const example = endpoint?.examples.find(one => one.title === title)
    return client.sendJson(PATH, { files: files.map(toFileInput), ...(example?.options as object) })
  }

  const respondInGuide = async (title: string) => {
    const chain = CHAIN_SAMPLES.find(one => one.title === title)
    const own = (chain?.files ?? []).map(name => ({ name, bytes: readFileSync(`public/samples/${name}`) }))
    return client.sendJson(PATH, { files: own.map(toFileInput), ...chain?.options })
  }

  it('put a letter before attachments', async () => {
    const response = await respondInGuide('A cover letter before attachments')
    const texts = await readPageTexts(response.bytes)
    expect([texts.length, readFileName(response)]).toEqual([4, 'claim.pdf'])
    expect(texts[0]).toContain('Claim 2026-17')
    const { outline } = await readPdf(response.bytes)
    expect(outline.map(({ title }) => title).slice(-2)).toEqual(['letter', 'terms'])
  })

  it('make a court bundle', async () => {
    const { bytes, headers } = await respondInGuide('A court bundle')
    const texts = await readPageTexts(bytes)
    expect(texts.map(text => /Bundle page \d of \d/.exec(text)?.[0])).toEqual([
      'Bundle page 1 of 3',
      'Bundle page 2 of 3',
      'Bundle page 3 of 3',
    ])
    expect((await readPdf(bytes)).outline.map(({ title }) => title)).toEqual(['letter', 'terms'])
    expect(headers['x-bytes-after']).toBe(String(bytes.length))
    expect(bytes.length).toBeLessThan(5_000_000)
  })

  it('protect a payslip that is printed from HTML', async () => {
    const response = await respondInGuide('A payslip with a password')
    expect([response.charged, readFileName(response)]).toEqual([1, 'payslip.pdf'])
    await expect(readPageTexts(response.bytes)).rejects.toThrow('error 4') // PDFium: a password is missing.
    const file = toFileInput({ name: 'payslip.pdf', bytes: response.bytes })
    const password = 'correct horse battery staple'
    const opened = await client.sendJson(PATH, {
      files: [file],
      steps: [{ tool: 'unlock-pdf', options: { password } }],
    })
    expect((await readPageTexts(opened.bytes)).join()).toContain('4,200.00')
  })

  it('merge two files, number the pages and make the result smaller', async () => {
    const { bytes } = await respond('Merge two files, number the pages and make the result smaller')
    const texts = await readPageTexts(bytes)
    expect(texts.map(text => /(\d) ?(?:of|\/) ?3/.exec(text)?.[1])).toEqual(['1', '2', '3'])
    // The font of the page numbers is larger than both files.
    const steps = [MERGE, { tool: 'page-numbers', options: { position: 'bottom-right' } }]
    const { bytes: uncompressed } = await run(steps, files)
    expect(bytes.length).toBeLessThan(uncompressed.length)
  })

  it('put a cover sheet from HTML before two files', async () => {
    const response = await respond('A cover sheet from HTML before two files')
    const texts = await readPageTexts(response.bytes)
    expect([texts.length, readFileName(response)]).toEqual([4, 'claim.pdf'])
    expect(texts[0]).toContain('Claim 2026-17')
  })

  it('merge, redact a name, protect the result, and get a receipt', async () => {
    const response = await respond('Merge, redact a name, protect the result, and get a receipt')
    expect(response.headers['x-redaction-verified']).toBe('true')
    const [file, receipt] = readZip(response.bytes)
    expect(file?.bytes.includes('/Encrypt')).toBe(true)
    expect(JSON.parse(String(receipt?.bytes))).toMatchObject({ promises: [{ step: 1, verdict: 'holds' }] })
  })
})
