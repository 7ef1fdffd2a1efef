import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPageTexts } from '../support/page-texts'
import type { RunningService } from '../support/service'
import { usualService } from '../support/shared-services'
import { startSite, type TestSite } from '../support/site'
import { type ApiResponse, type Client, createClient, toFileInput, toolPath } from './client'
import { makePdf } from './documents'
import { expectFile, expectRefusal, readFileName } from './expectations'
import { readZip } from './read-zip'

const SECRET = 'X-Signature=SECRETWORDS'
const PDF = makePdf()
const HTML = '<!doctype html><p>FETCHED WORDS</p>'

let site: TestSite
let service: RunningService
let client: Client

beforeAll(async () => {
  site = await startSite({
    '/report.pdf': (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': PDF.length }).end(PDF),
    '/page.html': HTML,
    '/moved': (_request, response) => response.writeHead(301, { location: `/report.pdf?${SECRET}` }).end(),
    '/empty': (_request, response) => response.writeHead(200, { 'content-length': 0 }).end(),
    '/out': (_request, response) => response.writeHead(302, { location: `http://10.0.0.7/?${SECRET}` }).end(),
    '/file': (_request, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    '/loop': (_request, response) => response.writeHead(302, { location: '/loop' }).end(),
    '/bomb': (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': PDF.length }).end(PDF),
    '/cut': (_request, response) => {
      response.writeHead(200, { 'content-length': PDF.length })
      response.write(PDF.subarray(0, 100), () => response.destroy())
    },
  })
  service = await usualService()
  client = createClient(service.base, await service.createKey('files-by-url@example.test', { credits: 100 }))
})

afterAll(async () => {
  await site?.close()
})

const at = (path: string, name = 'claim.pdf') => ({ name, url: `${site.base}${path}?${SECRET}` })

const rotate = (file: object, headers?: Record<string, string>): Promise<ApiResponse> =>
  client.sendJson(toolPath('rotate-pdf'), { file, options: { angle: 90 } }, headers)

describe('files by URL', () => {
  it('give the same result as their bytes, for one credit', async () => {
    const sent = await rotate(toFileInput({ name: 'claim.pdf', bytes: PDF }))
    for (const path of ['/report.pdf', '/moved']) {
      const fetched = await rotate(at(path))
      expectFile(fetched, 'application/pdf')
      expect([fetched.charged, readFileName(fetched)]).toEqual([1, 'claim-rotated.pdf'])
      expect(fetched.bytes.equals(sent.bytes)).toBe(true)
    }
    expect(site.headersOf('/report.pdf')).not.toHaveProperty('x-api-key')
  })

  it('can stand beside files in base64, in their order', async () => {
    const other = makePdf({ pages: 1, text: () => 'OTHER WORDS' })
    const files = [at('/report.pdf'), toFileInput({ name: 'b.pdf', bytes: other }), at('/report.pdf', 'c.pdf')]
    const response = await client.sendJson(toolPath('merge-pdf'), { files, options: {} })
    expectFile(response, 'application/pdf')
    expect((await readPageTexts(response.bytes))[5]).toContain('OTHER WORDS')
  })

  it('can be web pages', async () => {
    const response = await client.sendJson('/api/external/webpage-to-pdf/pdf', { file: at('/page.html', 'page.html') })
    expectFile(response, 'application/pdf')
    expect((await readPageTexts(response.bytes)).join()).toContain('FETCHED WORDS')
  })

  it('can be files of a pipeline, whose receipt has no URL', async () => {
    const response = await client.sendJson('/api/external/pipeline', {
      files: [at('/page.html', 'cover.html'), at('/report.pdf')],
      steps: [
        { webpage: {}, files: ['cover.html'], as: 'cover' },
        { tool: 'merge-pdf', files: ['cover', 'claim.pdf'] },
      ],
      receipt: true,
    })
    expectFile(response, 'application/zip')
    expect(response.charged).toBe(1)
    const [file, receipt] = readZip(response.bytes)
    expect((await readPageTexts(file?.bytes ?? Buffer.alloc(0)))[0]).toContain('FETCHED WORDS')
    expect(String(receipt?.bytes)).toContain('claim.pdf')
    expect(String(receipt?.bytes)).not.toMatch(/SECRET|127\.0\.0\.1/)
  })

  it('are fetched again for an Idempotency-Key, and charged once', async () => {
    const headers = { 'idempotency-key': 'by-url-1' }
    const [first, again] = [await rotate(at('/report.pdf'), headers), await rotate(at('/report.pdf'), headers)]
    expect([first.charged, again.charged, again.headers['idempotent-replayed']]).toEqual([1, 0, 'true'])
    const other = await rotate(at('/moved'), headers)
    expect([other.status, other.json['error']]).toEqual([409, 'idempotency_key_reused'])
  })

  it.each([
    ['/missing', 'file.url: HOST responded with status 404.'],
    ['/out', 'file.url: HOST redirects to another URL, which must have a public host. Got 10.0.0.7.'],
    ['/file', 'file.url: HOST redirects to another URL, which must be an absolute URL with https or http'],
    ['/loop', 'file.url: must have at most 5 redirects.'],
    ['/bomb', 'file.url: HOST compressed the file'],
    ['/cut', 'file.url: HOST closed the connection before the end of the file.'],
  ])('are free if they cannot be fetched: %s', async (path, words) => {
    const before = await client.balance()
    const response = await rotate(at(path))
    const says = [words.replace('HOST', site.host)]
    expectRefusal(response, { status: 422, error: 'pdf_tool_processing_failed', says }, before)
    expect(response.json).toMatchObject({ reason: 'not_fetched', param: 'file.url' })
    expect(response.bytes.toString()).not.toContain('SECRET')
  })

  it('are free if they are empty', async () => {
    const before = await client.balance()
    const problem = { status: 422, error: 'pdf_tool_processing_failed', says: ['file: is empty.'] }
    expectRefusal(await rotate(at('/empty')), problem, before)
  })

  it.each([
    'http://10.0.0.7/',
    'http://[::1]/',
    'http://169.254.169.254/latest/',
    'http://localhost/',
    'file:///etc/passwd',
  ])('are never read from %s', async url => {
    const before = await client.balance()
    const response = await client.sendJson('/api/external/webpage-to-pdf/pdf', { file: { name: 'a.html', url } })
    expectRefusal(response, { status: 400, error: 'invalid_payload', says: ['file.url: must'] }, before)
  })

  it('have no credentials', async () => {
    const response = await rotate({ name: 'a.pdf', url: 'https://user:SECRET@example.com/a.pdf' })
    expect(response.json).toMatchObject({ param: 'file.url', reason: 'body_invalid' })
    expect(response.bytes.toString()).not.toContain('SECRET')
  })

  it('leave no URL in the log', () => {
    expect(service.log()).not.toContain('SECRET')
  })
})
