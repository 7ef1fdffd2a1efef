import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeEnd64, writeZip } from '../fixtures/zip-writer'
import { readPageTexts } from '../support/page-texts'
import type { RunningService } from '../support/service'
import { startSite } from '../support/site'
import type { TestSite } from '../support/site'
import { StrictPdf } from '../support/strict-pdf'
import {
  type ApiResponse,
  type Client,
  createClient,
  eventually,
  sendRequest,
  toFileInput,
  toolPath,
  toPart,
  writeToolBody,
} from './client'
import { findBrowser } from '../hostile/chaos/processes'
import { makePdf } from './documents'
import { expectFile, expectRefusal, readFileName } from './expectations'
import { usualService } from '../support/shared-services'
import { waitFor } from '../support/wait-for'

const PATH = '/api/external/webpage-to-pdf/pdf'
const HTML = '<!doctype html><meta charset="utf-8"><title>Żółw</title><h1>CONTRACT WORDS</h1>'

let site: TestSite
let service: RunningService
let client: Client
/** The open requests of printed pages to `/never`. */
const hanging = new Set<IncomingMessage>()

beforeAll(async () => {
  site = await startSite({
    '/plain': HTML,
    '/late': '<p id="x">early</p><script>setTimeout(() => { x.textContent = "LATE WORDS" }, 600)</script>',
    '/never': request => {
      hanging.add(request)
      request.on('close', () => hanging.delete(request))
    },
  })
  service = await usualService()
  client = createClient(service.base, await service.createKey('pages@example.test', { credits: 1000 }))
})
afterAll(async () => {
  await site?.close()
})

async function expectPage(response: ApiResponse, words: string, name: string): Promise<void> {
  expectFile(response, 'application/pdf')
  expect(response.charged).toBe(1)
  expect(readFileName(response)).toBe(name)
  expect(new StrictPdf(response.bytes).problems).toEqual([])
  expect((await readPageTexts(response.bytes)).join(' ')).toContain(words)
}

describe('the webpage operation', () => {
  it('prints a URL, named after its host, for a credit', async () => {
    const before = await client.balance()
    const response = await client.sendJson(PATH, { url: `${site.base}/plain`, pageSize: 'A5', waitDelay: 0.1 })
    await expectPage(response, 'CONTRACT WORDS', '127.0.0.1.pdf')
    expect(response.balance).toBe(before - 1)
    expect(response.warnings).toEqual([])
  })

  it('prints HTML and files, the same from JSON and from a form', async () => {
    const file = { name: 'übersicht.html', bytes: Buffer.from(HTML) }
    const options = { landscape: true, scale: 0.9, margin: { top: '20mm' }, pages: [1] }
    const fields = [
      { name: 'landscape', value: 'true' },
      { name: 'scale', value: '0.9' },
      { name: 'margin', value: '{"top": "20mm"}' },
      { name: 'pages', value: '[1]' },
    ]
    const responses = [
      [
        await client.sendJson(PATH, { html: HTML, ...options }),
        await client.sendForm(PATH, [{ name: 'html', value: HTML }, ...fields]),
      ],
      [
        await client.sendJson(PATH, { file: toFileInput(file), ...options }),
        await client.sendForm(PATH, [toPart('file', file), ...fields]),
      ],
    ] as const
    for (const [index, [first, second]] of responses.entries()) {
      await expectPage(first, 'CONTRACT WORDS', index === 0 ? 'page.pdf' : 'übersicht.pdf')
      await expectPage(second, 'CONTRACT WORDS', index === 0 ? 'page.pdf' : 'übersicht.pdf')
      expect(second.bytes.equals(first.bytes)).toBe(true)
    }
  })

  it('prints a ZIP with a page and its files', async () => {
    const style = { name: 'site/a.css', content: 'h1::after { content: " STYLED" }' }
    const bytes = writeZip([{ name: 'site/index.html', content: `<link rel=stylesheet href=a.css>${HTML}` }, style])
    const response = await client.sendForm(PATH, [toPart('file', { name: 'site.zip', bytes })])
    await expectPage(response, 'CONTRACT WORDS STYLED', 'site.pdf')
    expect(response.warnings).toEqual([])
  })

  it('refuses ZIP files that contradict themselves, for free, and goes on', async () => {
    const before = await client.balance()
    const page = { name: 'index.html', content: HTML }
    const end64 = (facts: Parameters<typeof writeEnd64>[0]) => writeEnd64(facts, 2 ** 31)
    const archives = [
      writeZip([page, { ...page, name: 'b.html', central: { headerStart: 0, name: 'index.html' } }]),
      writeZip([page, { ...page, name: 'b.html', central: { checksum: 1 }, local: { checksum: 1 } }]),
      writeZip([page], { count: 0xffff, before: end64 }),
      writeZip([page, { ...page, name: 'b.html', central: { byteLength: 2 ** 31 } }]),
    ]
    for (const bytes of archives) {
      const response = await client.sendForm(PATH, [toPart('file', { name: 'site.zip', bytes })])
      expectRefusal(response, { status: 400, error: 'invalid_payload', says: ['file: must'] }, before)
    }
    expect(await client.balance()).toBe(before)
  })

  it('accepts seconds as text too', async () => {
    const response = await client.sendForm(PATH, [
      { name: 'url', value: `${site.base}/late` },
      { name: 'waitDelay', value: '1.2' },
    ])
    await expectPage(response, 'LATE WORDS', '127.0.0.1.pdf')
  })

  it('ignores unknown fields, with a warning', async () => {
    const response = await client.sendJson(PATH, { html: HTML, paperFormat: 'A4' })
    await expectPage(response, 'CONTRACT WORDS', 'page.pdf')
    expect(response.warnings).toEqual(['unknown-field'])
    expect(response.headers['x-unknown-fields']).toBe('paperFormat')
  })

  it('refuses invalid fields before any charge, all at once', async () => {
    const before = await client.balance()
    const response = await client.sendJson(PATH, { url: 'http://localhost/', scale: 9, waitDelay: 2000 })
    expectRefusal(response, { status: 400, error: 'invalid_payload', says: ['url', 'scale', 'seconds'] }, before)
    expect(response.json['problems']).toMatchObject([{ param: 'url' }, { param: 'scale' }, { param: 'waitDelay' }])
    const zip = await client.sendForm(PATH, [
      toPart('file', { name: 'site.zip', bytes: Buffer.from('PK\u0003\u0004 broken') }),
    ])
    expectRefusal(zip, { status: 400, error: 'invalid_payload', says: ['file', 'ZIP'] }, before)
    expect(zip.headers['server-timing']).not.toContain('charge')
    const large = await client.sendJson(PATH, { html: 'x'.repeat(50_000_000) })
    expectRefusal(large, { status: 400, error: 'invalid_payload' }, before)
  })

  it('fails with the same message whatever a URL leads to, and refunds', async () => {
    const before = await client.balance()
    const responses = [
      await client.sendJson(PATH, { url: `${site.base}/missing` }),
      await client.sendJson(PATH, { url: 'http://no-such-host.invalid/' }),
      await client.sendJson(PATH, { url: `${site.base}/never`, timeout: 1 }),
    ]
    for (const response of responses)
      expectRefusal(response, { status: 502, error: 'conversion_failed', says: ['could not be converted'] }, before)
    expect(new Set(responses.map(({ json }) => json['message'])).size).toBe(1)
  })

  it('refunds missing pages', async () => {
    const before = await client.balance()
    expectRefusal(
      await client.sendJson(PATH, { html: HTML, pages: [7] }),
      { status: 400, error: 'invalid_payload', says: ['page 7 is not in this 1-page document'] },
      before,
    )
  })

  it('does not delay tools while pages hang, and cancels pages whose clients disconnect', async () => {
    const controller = new AbortController()
    const sent = Array.from({ length: 6 }, () =>
      client
        .send({
          path: PATH,
          body: JSON.stringify({ url: `${site.base}/never` }),
          headers: { 'content-type': 'application/json' },
          signal: controller.signal,
        })
        .catch(() => undefined),
    )
    await eventually(
      () => Promise.resolve(hanging.size),
      size => size >= 2,
    )
    const other = createClient(service.base, await service.createKey('tools-beside-pages@example.test'))
    expectFile(
      await other.sendJson(toolPath('rotate-pdf'), writeToolBody({ name: 'a.pdf', bytes: makePdf() }, { angle: 90 })),
    )
    controller.abort()
    await Promise.all(sent)
    await eventually(
      () => Promise.resolve(hanging.size),
      size => size === 0,
    )
  })

  it('reports the state of its browser to everyone, and its version and process only to the log', async () => {
    const { json } = await sendRequest(service.base, { path: '/api/health', method: 'GET' })
    expect(json['browser']).toEqual({
      state: 'ready',
      sandbox: expect.any(Boolean) as boolean,
      outdated: expect.any(Boolean) as boolean,
      running: expect.any(Number) as number,
    })
    await waitFor(() => {
      const browser = findBrowser(service.pid)
      expect(service.log()).toMatch(new RegExp(`started Chrome/\\d[\\d.]* as process ${browser?.pid}"`))
    })
  })
})
