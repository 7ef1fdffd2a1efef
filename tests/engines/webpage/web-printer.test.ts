import JSZip from 'jszip'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFile, openHtml } from '../../../engines/webpage/request/page-source'
import { indexHere, startPageRenderer } from '../../support/web-printer'
import type { TestRenderer } from '../../support/web-printer'
import { readPageTexts } from '../../support/page-texts'
import { readPdf, renderPage } from '../../support/reader'
import { startSite } from '../../support/site'
import type { Route, TestSite } from '../../support/site'
import { StrictPdf } from '../../support/strict-pdf'
import { waitFor } from '../../support/wait-for'

const to =
  (status: number, location: string): Route =>
  (_request, response) =>
    response.writeHead(status, { location }).end()
const reply =
  (status: number, headers: Record<string, string>, body: string): Route =>
  (_request, response) =>
    response.writeHead(status, headers).end(body)
const tell = (words: string): string =>
  `<!doctype html><meta charset="utf-8"><p id="x"></p><script>document.getElementById('x').textContent = ` +
  `${words}</script>`
const RED =
  '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" ' +
  'fill="#c80000"/></svg>'

const ROUTES: Record<string, Route> = {
  '/plain': '<!doctype html><title>Plain</title><h1>STATIC WORDS</h1>',
  '/late':
    '<p id="x">early</p><script>setTimeout(() => { x.textContent = "LATE WORDS"; x.className = "ready" }, ' +
    '700)</script>',
  '/fetched':
    '<p id="x">empty</p><script>onload = () => fetch("/slow.txt").then(r => r.text()).then(t => { x.textContent = ' +
    't })</script>',
  '/slow.txt': (_request, response) => void setTimeout(() => response.end('FETCHED WORDS'), 400),
  '/hop': to(302, '/plain'),
  '/loop': to(302, '/loop'),
  '/missing-body': reply(404, { 'content-type': 'text/html' }, '<p>NOT HERE'),
  '/error': reply(500, { 'content-type': 'text/html' }, '<p>BROKEN'),
  '/nothing': reply(204, {}, ''),
  '/file.pdf': reply(200, { 'content-type': 'application/pdf' }, '%PDF-1.4'),
  '/attached': reply(200, { 'content-type': 'text/html', 'content-disposition': 'attachment' }, '<p>ATTACHED'),
  '/cut': (_request, response) =>
    void response
      .writeHead(200, { 'content-type': 'text/html', 'content-length': '9999' })
      .write('<p>FRAGMENT', () => response.destroy()),
  '/endless': (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).write('<p>WHAT IS THERE'),
  '/hanging-picture': '<p>BESIDE IT</p><img src="/never">',
  '/never': () => {},
  '/lazy': `<p>TOP</p><div style="height: 9000px"></div><img loading="lazy" src="/red.svg">`,
  '/red.svg': reply(200, { 'content-type': 'image/svg+xml' }, RED),
  '/text': reply(200, { 'content-type': 'text/plain' }, 'PLAIN TEXT'),
  '/json': reply(200, { 'content-type': 'application/json' }, '{"a":"JSON TEXT"}'),
  '/broken-picture': '<p>WORDS</p><img src="/no-such.png">',
  '/storage': tell(
    '"seen:" + document.cookie + localStorage.length + (document.cookie = "mark=1") + (localStorage.mark = 1)',
  ),
  '/agent': tell(
    'navigator.userAgent + "|" + navigator.language + "|" + Intl.DateTimeFormat().resolvedOptions().timeZone + "|" ' +
      '+ document.cookie + "|" + devicePixelRatio + innerWidth + matchMedia("(prefers-color-scheme: dark)").matches',
  ),
  '/medium':
    '<style>p { display: none } @media print { .print { display: block; background: url(/print-only.png) } } ' +
    '@media screen { .screen { display: block } }</style><p class="print">ON PAPER</p><p class="screen">ON ' +
    'SCREEN</p><p id="x" style="display: block"></p><script>onload = () => setTimeout(() => { x.textContent = ' +
    'matchMedia("print").matches }, 100)</script>',
  '/secret': (request, response) => {
    if (request.headers.authorization === `Basic ${Buffer.from('ada:pw').toString('base64')}`)
      response.end('<p>SECRET WORDS')
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end()
  },
  '/refresh-for-ever': '<meta http-equiv="refresh" content="0"><p>AGAIN',
  '/spins': '<p>SPINS</p><script>onload = () => { for (;;); }</script>',
  '/downloads': '<p>STAYS</p><script>onload = () => { location.href = "/attached" }</script>',
  '/dialogs':
    '<script>alert(1); confirm(2); prompt(3); onbeforeunload = () => "stay"; window.open("/plain"); ' +
    'print()</script><p>AFTER DIALOGS',
}

let renderer: TestRenderer
let site: TestSite

beforeAll(async () => {
  site = await startSite(ROUTES)
  renderer = await startPageRenderer({ allowedHosts: site.host })
  await renderer.pages.ready()
})

afterAll(async () => {
  await renderer?.close()
  await site?.close()
})

const print = (page: string, options?: object) =>
  renderer.print(page.startsWith('/') ? site.base + page : page, options)
const textOf = async (page: string, options?: object) =>
  (await readPageTexts((await print(page, options)).bytes)).join('\f').replace(/\s+/g, ' ')
const failure = (message = /could not be converted/) =>
  expect.objectContaining({ reason: 'not_rendered', message: expect.stringMatching(message) as string }) as Error

describe('a print', () => {
  const HTML =
    '<!doctype html><html lang="en"><title>Żółw</title><h1>First</h1><p>One</p><h2>Second</h2><p ' +
    'style="font-family: sans-serif">東京 서울 שלום नमस्ते'

  it('has tags, bookmarks, a title and no dates, and is valid', async () => {
    const { bytes } = await print(HTML)
    const seen = await readPdf(bytes)
    expect(seen.isTagged).toBe(true)
    expect(seen.outline.map(({ title }) => title)).toEqual(['First', 'Second'])
    const strict = new StrictPdf(bytes)
    expect(strict.problems).toEqual([])
    expect(bytes.toString('latin1')).not.toMatch(/CreationDate|ModDate|localhost/)
  })

  it('is the same for the same page', async () => {
    const [first, second] = [await print(HTML), await print(HTML)]
    expect(first.bytes.equals(second.bytes)).toBe(true)
  })

  it('has every script, in fonts that are embedded', async () => {
    const { bytes } = await print(HTML)
    const text = (await readPageTexts(bytes)).join('')
    for (const word of ['東京', '서울', 'שלום', 'नमस्ते']) expect(text).toContain(word)
    expect(bytes.toString('latin1')).toMatch(/\/FontFile2/)
  })

  it.each([
    ['zh-TW', 'TC'],
    ['zh-Hant', 'TC'],
    ['zh-CN', 'SC'],
    ['ja', 'JP'],
    ['ko', 'KR'],
    ['', 'SC'],
  ])('has Chinese characters in the forms of the language %j', async (lang, region) => {
    const { bytes } = await print(`<!doctype html><p lang="${lang}">骨直返`, { tagged: false })
    expect(new Set(bytes.toString('latin1').match(/NotoSans(SC|TC|JP|KR)/g))).toEqual(new Set([`NotoSans${region}`]))
  })

  it('joins Arabic letters', async () => {
    const word = async (text: string) => {
      const { pixels, width } = await renderPage(
        (await print(`<p dir="ltr" style="font: 60px sans-serif; margin: 0">${text}`)).bytes,
        0,
      )
      const columns = new Set<number>()
      for (let at = 0; at < pixels.length; at += 4) if ((pixels[at] ?? 255) < 128) columns.add((at / 4) % width)
      return [...columns].filter(column => !columns.has(column + 1)).length
    }
    // Joined letters leave no column without ink between them. Letters that a joiner separates do.
    expect(await word('سلم')).toBe(1)
    expect(await word('س&zwnj;ل&zwnj;م')).toBeGreaterThan(1)
  })

  it('positions letters exactly, so that spaced words stay whole', async () => {
    expect(await textOf('<p style="font: 12.8px sans-serif; letter-spacing: 1px">Mercury Planetary')).toContain(
      'Mercury Planetary',
    )
  })

  it('has the requested properties', async () => {
    const { bytes, name } = await print(HTML, {
      metadata: { title: 'Other', keywords: ['a', 'b'], creationDate: '2025-03-01' },
      outputName: 'My page.pdf',
      tagged: false,
      outline: false,
    })
    const text = bytes.toString('latin1')
    expect(text).toContain('(Other)')
    expect(text).toContain('(a, b)')
    expect(text).toMatch(/CreationDate ?\(D:20250301/)
    expect(name).toBe('My page.pdf')
    const seen = await readPdf(bytes)
    expect({ isTagged: seen.isTagged, outline: seen.outline }).toEqual({ isTagged: false, outline: [] })
  })

  it.each([
    [{}, 595, 842],
    [{ pageSize: 'letter', landscape: true }, 792, 612],
    [{ pageSize: 'Ledger' }, 1224, 792],
    [{ pageSize: { width: '100mm', height: '4in' } }, 283, 288],
  ])('has the size of %j', async (options, width, height) => {
    const { width: seenWidth, height: seenHeight } = await renderPage((await print('<p>x', options)).bytes, 0)
    expect(Math.abs(seenWidth - width)).toBeLessThan(2)
    expect(Math.abs(seenHeight - height)).toBeLessThan(2)
  })

  it('fits onto one page as tall as the content', async () => {
    const { bytes } = await print(`<body style="margin: 0"><div style="height: 4000px"></div><p>END`, {
      singlePage: true,
      margin: 0,
    })
    const { pages } = await readPdf(bytes)
    expect(pages.length).toBe(1)
    expect((await renderPage(bytes, 0)).height).toBeGreaterThan(3000)
  })

  it('is cut after the allowed pages, and keeps the requested pages', async () => {
    const html = Array.from({ length: 6 }, (_, index) => `<p style="break-after: page">PAGE ${index + 1}`).join('')
    const cut = await print(html, { maxPages: 3 })
    expect(cut.warnings).toEqual(['pages-cut'])
    expect((await readPageTexts(cut.bytes)).map(text => text.trim())).toEqual(['PAGE 1', 'PAGE 2', 'PAGE 3'])
    const chosen = await print(html, { pages: '5,2' })
    expect((await readPageTexts(chosen.bytes)).map(text => text.trim())).toEqual(['PAGE 5', 'PAGE 2'])
    await expect(print(html, { pages: [9] })).rejects.toThrowError(
      expect.objectContaining({
        reason: 'page_missing',
        message: expect.stringMatching(/page 9 is not in this \d-page document/) as string,
      }) as Error,
    )
  })

  it('has a legible header and footer', async () => {
    const text = await textOf('<title>T</title><p>BODY', {
      headerTemplate: 'HEAD <span class="title"></span>',
      footerTemplate: '<span class="pageNumber"></span> of <span class="totalPages"></span>',
    })
    expect(text).toContain('HEAD T')
    expect(text).toContain('1 of 1')
  })

  it('hides elements on request', async () => {
    const text = await textOf('<nav>MENU</nav><div class="cc-window">COOKIES</div><p>BODY', {
      hideSelectors: ['nav', 'p:::'],
      blockCookieBanners: true,
    })
    expect(text).toContain('BODY')
    expect(text).not.toMatch(/MENU|COOKIES/)
  })
})

describe('printing waits', () => {
  it('for requests after the page is loaded', async () => {
    expect(await textOf('/fetched')).toContain('FETCHED WORDS')
  })

  it.each([
    { waitDelay: 1 },
    { waitForSelector: '#x.ready' },
    { waitForExpression: 'x.textContent.startsWith("LATE")' },
  ])('on request: %j', async options => {
    expect(await textOf('/late', options)).toContain('LATE WORDS')
  })

  it.each([
    [{ waitForSelector: '#never', waitForTimeout: 0.3 }, /^waitForSelector: must become true within 0\.3 seconds/],
    [{ waitForSelector: ':::', waitForTimeout: 5 }, /^waitForSelector: must have valid syntax/],
    [{ waitForExpression: 'neverDefined.x', waitForTimeout: 0.3 }, /^waitForExpression: must become true/],
  ])('and fails if the condition is not met: %j', async (options, message) => {
    await expect(print('/plain', options)).rejects.toThrowError(failure(message))
  })

  it('for lazy images', async () => {
    const before = site.requests.length
    await print('/lazy')
    expect(site.requests.slice(before)).toContain('GET /red.svg')
  })

  it.concurrent('not forever: an image that never arrives causes a warning', async () => {
    const { bytes, warnings } = await print('/hanging-picture', { timeout: 8 })
    expect(warnings).toEqual(['resources-failed'])
    expect((await readPageTexts(bytes)).join('')).toContain('BESIDE IT')
  })

  it.concurrent('not forever: a response without an end is printed as far as it arrived', async () => {
    expect(await textOf('/endless', { timeout: 8 })).toContain('WHAT IS THERE')
  })
})

describe('the environment of a page', () => {
  it('includes the requested settings', async () => {
    const text = await textOf('/agent', {
      userAgent: 'Sheaf/Test',
      locale: 'de-DE',
      timezone: 'Asia/Tokyo',
      cookies: [{ name: 'a', value: 'b' }],
      deviceScaleFactor: 2,
      viewportWidth: 777,
      colorScheme: 'dark',
    })
    expect(text.replaceAll(' ', '')).toContain('Sheaf/Test|de-DE|Asia/Tokyo|a=b|2777true')
  })

  it('does not include a headless browser otherwise, and the time zone is UTC', async () => {
    const text = (await textOf('/agent', { mediaType: 'screen' })).replaceAll(' ', '')
    expect(text).toMatch(/Chrome\/\d+.*\|UTC\|\|11280false/)
    expect(text).not.toContain('Headless')
  })

  it('is print media, or a screen on request', async () => {
    const before = site.requests.length
    expect(await textOf('/medium', { waitDelay: 0.3 })).toMatch(/ON PAPER true/)
    expect(site.requests.slice(before)).toContain('GET /print-only.png')
    expect(await textOf('/medium', { mediaType: 'screen', waitDelay: 0.3 })).toMatch(/ON SCREEN false/)
  })

  it('sends extra headers to its own origin only', async () => {
    const other = await startSite({ '/x.png': reply(200, { 'content-type': 'image/svg+xml' }, RED) })
    const own = await startPageRenderer({ allowedHosts: `${site.host},${other.host}` })
    try {
      site.requests.length = 0
      await own.print({ kind: 'url', url: `${site.base}/broken-picture` }, { extraHeaders: { 'X-Token': 'abc' } })
      expect(site.headersOf('/broken-picture')?.['x-token']).toBe('abc')
      expect(site.headersOf('/no-such.png')?.['x-token']).toBe('abc')
      await own.print(openHtml(`<img src="${other.base}/x.png">`, undefined), { extraHeaders: { 'X-Token': 'abc' } })
      expect(other.headersOf('/x.png')).toBeDefined()
      expect(other.headersOf('/x.png')?.['x-token']).toBeUndefined()
    } finally {
      await own.close()
      await other.close()
    }
  })

  it('includes a name and a password if the page requires them', async () => {
    expect(await textOf('/secret', { httpAuth: { username: 'ada', password: 'pw' } })).toContain('SECRET WORDS')
    await expect(print('/secret', { httpAuth: { username: 'ada', password: 'wrong' } })).rejects.toThrowError(failure())
  })

  it('does not outlive its request', async () => {
    const [first, second] = [await textOf('/storage'), await textOf('/storage')]
    expect(first.replaceAll(' ', '')).toContain('seen:0')
    expect(second).toBe(first)
  })

  it('may exclude scripts', async () => {
    expect(await textOf('/late', { javascript: false, waitDelay: 1 })).toContain('early')
  })
})

describe('sources', () => {
  it('can be a ZIP with all files of the page', async () => {
    const zip = new JSZip()
    zip.file('index.html', '<link rel="stylesheet" href="css/a.css"><p>ZIPPED</p><img src="img/red.svg">')
    zip.file('css/a.css', 'p { color: #c80000 }')
    zip.file('img/red.svg', RED)
    const source = await openFile(
      { name: 'site.zip', chunks: [await zip.generateAsync({ type: 'uint8array', compression: 'DEFLATE' })] },
      { baseUrl: undefined, indexArchive: indexHere },
    )
    const { bytes, warnings } = await renderer.print(source)
    expect(warnings).toEqual([])
    expect((await readPageTexts(bytes)).join('')).toContain('ZIPPED')
    const { pixels } = await renderPage(bytes, 0)
    let red = 0
    for (let at = 0; at < pixels.length; at += 4)
      if ((pixels[at + 2] ?? 0) > 180 && (pixels[at + 1] ?? 255) < 40) red += 1
    expect(red).toBeGreaterThan(4000)
  })

  it('resolve relative URLs against their base', async () => {
    const before = site.requests.length
    await renderer.print(openHtml('<!doctype html><p>x</p><img src="red.svg">', `${site.base}/`))
    expect(site.requests.slice(before)).toContain('GET /red.svg')
  })

  it.each([
    ['text', 'PLAIN TEXT'],
    ['json', 'JSON TEXT'],
    ['hop', 'STATIC WORDS'],
    ['downloads', 'STAYS'],
    ['dialogs', 'AFTER DIALOGS'],
  ])('can be /%s', async (path, words) => {
    expect(await textOf(`/${path}`)).toContain(words)
  })
})

describe("a page that can't be printed", () => {
  it.each(['missing-body', 'error', 'loop', 'nothing', 'file.pdf', 'attached', 'cut', 'refresh-for-ever', 'secret'])(
    'fails with the same message: /%s',
    async path => {
      await expect(print(`/${path}`, { timeout: 8 })).rejects.toThrowError(failure())
    },
  )

  it.each(['http://no-such-host.invalid/', 'http://127.0.0.1:1/', 'https://no-such-host.invalid/'])(
    'fails with the same message: %s',
    async url => {
      await expect(renderer.print(url, { timeout: 8 })).rejects.toThrowError(failure())
    },
  )

  it('is printed on request whatever its status', async () => {
    expect(await textOf('/missing-body', { failOnHttpStatusCodes: [] })).toContain('NOT HERE')
    await expect(print('/plain', { failOnHttpStatusCodes: [200] })).rejects.toThrowError(failure())
  })

  it('includes a page with missing resources only on request', async () => {
    expect((await print('/broken-picture')).warnings).toEqual(['resources-failed'])
    await expect(print('/broken-picture', { failOnResourceError: true })).rejects.toThrowError(
      failure(/^failOnResourceError/),
    )
  })

  it('ends at its timeout if its script loops, and the next page works', async () => {
    await expect(print('/spins', { timeout: 2 })).rejects.toThrowError(failure())
    expect(await textOf('/plain')).toContain('STATIC WORDS')
  })

  it('ends after its client disconnects', async () => {
    const controller = new AbortController()
    const before = site.requests.length
    const printing = renderer.print(`${site.base}/never`, {}, controller.signal)
    printing.catch(() => {}) // The test awaits it below.
    await waitFor(() => expect(site.requests.slice(before)).toContain('GET /never'))
    controller.abort()
    await expect(printing).rejects.toThrowError(expect.objectContaining({ reason: 'canceled' }) as Error)
  })
})
