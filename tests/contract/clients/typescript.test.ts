import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Sheaf, SheafApiError, SheafError, type SheafResult } from '../../../clients/typescript/src/sheaf'
import { listClientOperations } from '../../../lib/clients/operations'
import { type ClientExample, firstExample, listClientExamples, startExampleSite } from '../../support/client-examples'
import { sample } from '../../support/scope'
import type { RunningService } from '../../support/service'
import type { TestSite } from '../../support/site'
import { makePng } from '../../fixtures/png'
import { makePdf } from '../documents'
import { usualService } from '../../support/shared-services'

let service: RunningService
let site: TestSite
let sheaf: Sheaf
let examples: ClientExample[]
/** The balance after the last request. */
let balance: number | undefined

beforeAll(async () => {
  site = await startExampleSite()
  service = await usualService()
  examples = listClientExamples(site)
  sheaf = new Sheaf({
    baseUrl: service.base,
    apiKey: await service.createKey('typescript@example.test', { credits: 1000 }),
  })
})
afterAll(async () => {
  await site?.close()
})

function sendExample({ operation, files, options }: ClientExample): Promise<SheafResult> {
  const { method } = operation
  const run = sheaf[method as 'mergePdf'].bind(sheaf) as (...args: unknown[]) => Promise<SheafResult>
  if (operation.files === 'html' || operation.files === 'none') return run(options)
  return run(operation.files === 'many' ? files : files[0], options)
}

// The contract tests of the command and of the client for Python send every example.
it.each(sample(listClientOperations(), ({ files }) => files))('$id works with its first example', async ({ id }) => {
  const example = firstExample(examples, id)
  const result = await sendExample(example)
  expect(example.operation.responses).toContain(result.contentType)
  expect((await result.bytes()).length).toBeGreaterThan(20)
  expect(result.creditsCharged).toBe(1)
  if (balance !== undefined) expect(result.creditBalance).toBe(balance - 1)
  balance = result.creditBalance
  expect(result.requestId).toMatch(/^req_/)
  expect(result.name).toMatch(/\.\w+$/)
})

it('has types for reports, and says that files must be a list', async () => {
  const report = await (await sheaf.validatePdf(makePdf(), { profile: 'pdfua-1' })).json()
  const [first] = 'reports' in report ? report.reports : [report]
  expect(first?.conforms).toBe(false)
  expect(first?.failures[0]?.clause).toMatch(/^\d/)
  balance = (await sheaf.credits()).creditBalance
  await expect(sheaf.mergePdf('a.pdf' as never)).rejects.toThrow('The files must be a list')
})

it('runs a pipeline without files, and one that ends with a text', async () => {
  const page = { webpage: { html: '<h1>Payslip</h1>' } }
  const protect = { tool: 'protect-pdf' as const, options: { userPassword: 'pw' } }
  const slip = await sheaf.pipeline([], { steps: [page, protect], outputName: 'payslip' })
  expect([slip.name, slip.contentType, slip.creditsCharged]).toEqual(['payslip.pdf', 'application/pdf', 1])
  expect(Buffer.from(await slip.bytes()).includes('/Encrypt')).toBe(true)
  const read = await sheaf.pipeline([], { steps: [page, { tool: 'extract-text' }] })
  expect([read.contentType, await read.text()]).toEqual(['text/plain', expect.stringContaining('Payslip')])
  balance = read.creditBalance
})

it('returns the balance', async () => {
  expect((await sheaf.credits()).creditBalance).toBe(balance)
})

describe('errors', () => {
  it('of the API have code, param, problems, request ID and documentation', async () => {
    const error = await sheaf.rotatePdf(makePdf(), { angle: 45 as 90 }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SheafApiError)
    expect(error).toMatchObject({
      status: 422,
      code: 'pdf_tool_processing_failed',
      param: 'options.angle',
      problems: [{ param: 'options.angle' }],
      requestId: expect.stringMatching(/^req_/) as string,
      docs: `${service.base}/docs/errors#pdf_tool_processing_failed`,
      creditBalance: expect.any(Number) as number,
    })
  })

  it('name a wrong key, an unknown option in strict mode, and a missing file', async () => {
    const stranger = new Sheaf({ apiKey: 'sk_wrong', baseUrl: service.base })
    await expect(stranger.reversePages(makePdf())).rejects.toMatchObject({ code: 'invalid_api_key' })
    await expect(sheaf.reversePages(makePdf(), { zzz: 1 } as object, { strict: true })).rejects.toMatchObject({
      code: 'pdf_tool_processing_failed',
    })
    await expect(sheaf.reversePages('/no/such/file.pdf')).rejects.toThrow('/no/such/file.pdf')
    await expect(sheaf.reversePages('/tmp')).rejects.toThrow('is not a file')
    await expect(sheaf.reversePages(7 as unknown as string)).rejects.toThrow('Got number')
  })

  it('say that the key is missing', () => {
    expect(() => new Sheaf({ apiKey: '' })).toThrow(SheafError)
  })
})

describe('files', () => {
  it('may be bytes, a Blob, a named Blob, and a stream, and give the same result', async () => {
    const bytes = makePdf()
    const blob = new Blob([new Uint8Array(bytes)])
    const results = await Promise.all(
      [
        bytes,
        new Uint8Array(bytes).buffer,
        blob,
        { data: blob, name: 'file-1.pdf' },
        blob.stream(),
        (async function* () {
          yield bytes.subarray(0, 100)
          yield bytes.subarray(100)
        })(),
      ].map(async file => (await sheaf.reversePages(file)).bytes()),
    )
    for (const result of results) expect(Buffer.from(result).equals(Buffer.from(results[0] ?? []))).toBe(true)
  })

  it('keep names in any script', async () => {
    const result = await sheaf.reversePages({ data: makePdf(), name: 'Rechnung "März" 山.pdf' })
    expect(result.name).toContain('März')
    expect(result.name).toContain('山')
  })

  it('in options may be bytes', async () => {
    const invoice = {
      invoiceNumber: 'L-1',
      from: { name: 'A' },
      billTo: { name: 'B' },
      items: [{ description: 'Work', quantity: 1, rate: 2 }],
      issueDate: '2026-11-02',
    }
    const logo = new Uint8Array(makePng({ width: 60, height: 20, colorType: 2, bits: 8, pixel: () => [200, 30, 60] }))
    const plain = await (await sheaf.invoiceGenerator(invoice)).bytes()
    const withLogo = await (await sheaf.invoiceGenerator({ ...invoice, logo })).bytes()
    expect(withLogo.length).toBeGreaterThan(plain.length)
  })
})
