import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Engines, WebPrinter } from '../../../engines/create-engines'
import { EngineError } from '../../../engines/errors'
import { holdChunks } from '../../../engines/output-content'
import type { OutputFile } from '../../../engines/types'
import { INDEX_ARCHIVE_JOB } from '../../../engines/webpage/request/page-source'
import type { Body, BodyFile } from '../../../lib/body/body'
import { webpageOperation } from '../../../lib/operations/webpage'
import { placeSingleton } from '../../../lib/registry'
import { ENGINES, PAGES } from '../../../lib/running-engines'
import { DEFAULT_HINTS } from '../../support/field-hints'

const file = { field: 'file', name: 'a.html', chunks: [Buffer.from('x')], byteLength: 1 }
const context = { accountId: 'account', signal: new AbortController().signal }
const OUTPUT: OutputFile = {
  name: 'a',
  contentType: 'application/pdf',
  content: holdChunks([]),
  warnings: [],
  headers: {},
  timings: {},
}
const refused = (message: RegExp) =>
  expect.objectContaining({ code: 'invalid_payload', message: expect.stringMatching(message) as string }) as Error
const parse = (fields: Record<string, unknown>, files: BodyFile[] = [], encoding: Body['encoding'] = 'json') =>
  webpageOperation.parse({ encoding, fields, files }, DEFAULT_HINTS)

describe('the page to print', () => {
  it.each([
    [{}, [], /one of url, html and file\. Got none/],
    [{ url: null }, [], /Got none/],
    [{ url: 'https://example.com', html: '<p>' }, [], /Got url and html/],
    [{ html: '<p>' }, [file], /Got html and file/],
    [{ url: 7 }, [], /^url: must be an absolute URL/],
    [{ html: ' ' }, [], /^html: must be HTML/],
    [
      { html: 'x'.repeat(10 * 2 ** 20 + 1) },
      [],
      /^html: must be at most 10 MB \(10485760 bytes\)\. Got 10485761 bytes/,
    ],
    [{}, [{ ...file, byteLength: 0 }], /^file: is empty/],
    [{}, [{ ...file, byteLength: 26 * 2 ** 20 }], /^file: must be at most 25 MB\. Got 27262976 bytes/],
    [{}, [{ ...file, name: 'page.docx' }], /^file: must be a \.html.* Got "page\.docx"/],
    [{}, [file, file], /^file: must be exactly one file\. Got 2 files/],
    [{}, [{ ...file, field: 'files' }], /^files: unknown field\. Did you mean "file"\?/],
    [
      { url: 'https://example.com/', baseUrl: 'https://example.com/' },
      [],
      /^baseUrl: is only allowed with html or file/,
    ],
    [{ html: '<p>', baseUrl: 'http://10.0.0.1/' }, [], /^baseUrl: .*public/],
  ])('refuses %#', async (fields, files, message) => {
    await expect(parse(fields, files)).rejects.toThrowError(refused(message))
  })

  it.each([
    ...[
      'file:///etc/passwd',
      'FILE:///etc/passwd',
      'view-source:http://example.com/',
      'about:blank',
      'javascript:alert(1)',
      'data:text/html,x',
      'blob:http://a/b',
      'ftp://example.com/',
      'ws://example.com/',
      'chrome://version',
    ],
    ...[
      'http://',
      '//example.com/',
      'example.com',
      'http://example.com:99999/',
      'http:example.com',
      `https://example.com/${'x'.repeat(2048)}`,
      '',
    ],
    ...[
      'http://127.0.0.1/',
      'http://127.1/',
      'http://2130706433/',
      'http://0x7f000001/',
      'http://0177.0.0.1/',
      'http://0/',
      'http://[::1]/',
      'http://[::]/',
      'http://[::ffff:7f00:1]/',
      'http://[64:ff9b::7f00:1]/',
      'http://[2002:7f00:1::]/',
    ],
    ...[
      'http://10.0.0.1/',
      'http://169.254.169.254/latest/',
      'http://100.64.0.1/',
      'http://255.255.255.255/',
      'http://localhost/',
      'http://LOCALHOST.:8080/',
      'http://a.localhost/',
      'http://metadata.google.internal/',
      'http://printer.local/',
    ],
    ...[
      'http://①②⑦.⓪.⓪.①/',
      'http://127。0。0。1/',
      'http://127.0.0.1\\@example.com/',
      'http://user:pw@example.com/',
      'http://example.com@127.0.0.1/',
      'http://127.0.0.1%2f@example.com/',
    ],
  ])('refuses the URL %j', async url => {
    await expect(parse({ url })).rejects.toThrowError(refused(/^(url: |the request needs)/))
  })

  it.each([
    'https://example.com',
    ' http://example.com:8080/a?b#c ',
    'https://bücher.example/ü',
    'http://8.8.8.8/',
    'https://[2606:4700::1111]/',
  ])('accepts the URL %j', async url => {
    expect((await parse({ url })).warnings).toEqual([])
  })

  it('that is no ZIP but named like one is refused before the charge', async () => {
    const broken = { field: 'file', name: 'site.zip', chunks: [Buffer.from('no zip')], byteLength: 6 }
    await expect((await parse({}, [broken])).inspect?.(context)).rejects.toThrowError(
      expect.objectContaining({
        reason: 'damaged',
        message: expect.stringContaining("isn't a ZIP") as string,
      }) as Error,
    )
    await expect((await parse({}, [file])).inspect?.(context)).resolves.toBeUndefined()
  })
})

describe('a zipped page', () => {
  const bytes = Buffer.from('PK\u0003\u0004 and anything')
  const zip = { field: 'file', name: 'site.zip', chunks: [bytes.subarray(0, 9), bytes.subarray(9)], byteLength: 17 }
  const print = vi.fn<WebPrinter['print']>()
  const run = vi.fn<Engines['run']>()

  beforeEach(() => {
    vi.resetAllMocks()
    placeSingleton(ENGINES, { run })
    placeSingleton(PAGES, { print })
    return () => [ENGINES, PAGES].forEach(name => placeSingleton(name, undefined))
  })

  it('is checked by an engine before the charge, for its account and until the client leaves', async () => {
    run.mockResolvedValue({ ...OUTPUT, content: holdChunks([Buffer.from('{"entry"'), Buffer.from(':1}')]) })
    const call = await parse({ baseUrl: 'https://a.test' }, [zip])
    await call.inspect?.(context)
    const [[job, options] = []] = run.mock.calls
    expect(job).toMatchObject({ tool: INDEX_ARCHIVE_JOB, files: [{ chunks: [bytes], byteLength: 17 }] })
    expect(options).toMatchObject({ owner: 'account', signal: context.signal })
    expect(print).not.toHaveBeenCalled()
    print.mockResolvedValue(OUTPUT)
    await call.run(context)
    expect(run).toHaveBeenCalledTimes(1)
    const [[page] = []] = print.mock.calls
    const index = Buffer.from('{"entry":1}')
    expect(page?.source).toEqual({ kind: 'archive', zip: bytes, index, baseUrl: 'https://a.test/' })
  })

  it('fails with the error of the engine, and with the time that the engine needed', async () => {
    const error = new EngineError('damaged', 'must be a valid ZIP.', { param: 'file' })
    error.workMs = 1234
    run.mockRejectedValue(error)
    await expect((await parse({}, [zip])).inspect?.(context)).rejects.toBe(error)
  })
})

describe('options', () => {
  it('that are unknown are ignored with a warning', async () => {
    expect(await parse({ html: '<p>', paperFormat: 'A4', x: 1 })).toMatchObject({
      warnings: ['unknown-field'],
      unknownFields: ['paperFormat', 'x'],
    })
  })

  it('that are wrong are all listed at once, as fields of the body', async () => {
    await expect(parse({ html: '<p>', scale: 3, margin: '5 miles', pages: 'x' })).rejects.toThrowError(
      expect.objectContaining({
        problems: ['margin', 'scale', 'pages'].map(param => expect.objectContaining({ param }) as object),
      }) as Error,
    )
  })

  it.each([
    [{ pageSize: 'Z9' }, /^pageSize: must be a page size\. Got "Z9"\. Use A0/],
    [{ pageSize: { width: '5mm', height: 100 } }, /^pageSize\.width: must be 28 to 14400 points\. Got 5mm/],
    [{ waitDelay: 2000 }, /^waitDelay must be 0 to 30 seconds\. Got 2000\. Did you mean 2\?/],
    [{ waitDelay: -1 }, /^waitDelay must be 0 to 30 seconds\. Got -1/],
    [{ waitDelay: 'soon' }, /^waitDelay: must be a number\. Got "soon"\./],
    [{ waitDelay: '3' }, /^waitDelay: must be a number\. Got "3"\./],
    [{ waitDelay: '' }, /^waitDelay: must be a number\. Got ""\./],
    [{ metadata: '' }, /^metadata: must be an object\. Got ""\./],
    [{ metadata: { titel: 'x' } }, /^metadata\.titel: unknown field\. Did you mean "title"\?/],
    [{ title: 'x' }, /^title: belongs one level down\. Send it as "metadata\.title"/],
    [{ options: { landscape: true } }, /^options: unknown field\. Send its members one level up, as "landscape"/],
    [
      { waitDelay: 10, timeout: 5 },
      /^waitDelay: must be less than timeout\. Got 10 seconds with a timeout of 5 seconds/,
    ],
    [{ timeout: 61 }, /^timeout: must be at most 60\. Got 61\./],
    [{ margin: '150mm' }, /^margin: must leave room for content on a page of 595 by 842 points/],
    [{ maxPages: 0 }, /^maxPages: must be at least 1\. Got 0\./],
    [{ maxPages: 2001 }, /^maxPages: must be at most 2000\. Got 2001\./],
    [{ waitUntil: 'idle' }, /^waitUntil: must be settled.*\. Got "idle"\./],
    [{ extraHeaders: { 'X-A': 'a\r\nX-B: b' } }, /^extraHeaders\["X-A"\]: must have .* without line breaks/],
    [{ extraHeaders: { 'X A': 'a' } }, /must be a header name/],
    [{ extraHeaders: { Host: 'a' } }, /can't be set/],
    [{ extraHeaders: { Cookie: 'a' } }, /must be set with the option cookies/],
    [
      { extraHeaders: Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`X-${index}`, ''])) },
      /at most 32 headers/,
    ],
    [{ cookies: [{ name: 'a;b', value: 'c' }] }, /^cookies\[0\]\.name/],
    [{ cookies: [{ name: 'a', value: 'c\r\n' }] }, /^cookies\[0\]\.value/],
    [{ userAgent: 'a\nb' }, /^userAgent/],
    [{ httpAuth: { username: 'a' } }, /^httpAuth\.password: is required/],
    [{ timezone: 'Mars/Olympus' }, /^timezone: must be a time zone/],
    [{ locale: 'no language' }, /^locale: must be a language tag/],
    [{ headerTemplate: 'x'.repeat(20_001) }, /^headerTemplate: must have at most 20,000 bytes/],
    [{ failOnHttpStatusCodes: [99] }, /^failOnHttpStatusCodes\[0\]/],
    [
      { metadata: { creationDate: 'yesterday' } },
      /^metadata\.creationDate: must be an ISO 8601 date.* Got "yesterday"/,
    ],
    [{ pages: 'x' }, /^pages: must be a page selector\. Got "x" \(term 1\)/],
  ])('refuses %j', async (options, message) => {
    await expect(parse({ html: '<p>', ...options })).rejects.toThrowError(refused(message))
  })

  it.each([
    { pageSize: 'letter', landscape: true, margin: 0 },
    { pageSize: { width: '100mm', height: '4in' }, margin: { top: '1cm' } },
    {
      waitDelay: '2.5',
      landscape: 'true',
      scale: '.5',
      margin: '20',
      pageSize: '{"width":"100mm","height":"100mm"}',
      hideSelectors: '["nav"]',
      pages: '[1, 2]',
      maxPages: '7',
    },
    { hideSelectors: 'nav', failOnHttpStatusCodes: '404' },
    { hideSelectors: ['nav', '#ad'], failOnHttpStatusCodes: ['404', '5xx'] },
    { waitDelay: 30, pages: '1-3,last', failOnHttpStatusCodes: [] },
    { pageSize: 'LEDGER', waitDelay: null },
  ])('accepts %j from a form', async options => {
    expect((await parse({ html: '<p>', url: '', ...options }, [], 'form')).warnings).toEqual([])
  })
})
