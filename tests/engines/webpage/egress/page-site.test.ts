import { describe, expect, it } from 'vitest'
import { createPageSite, findSiteFile, nameSite } from '../../../../engines/webpage/egress/page-site'

const bytes = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding)

describe("the site of a request's page", () => {
  it("is named after the page's content, under localhost", () => {
    const names = ['<p>a', '<p>a', '<p>b'].map(html => nameSite(createPageSite('/index.html', bytes(html))))
    expect(names[0]).toMatch(/^[0-9a-f]{24}\.localhost$/)
    expect(names[1]).toBe(names[0])
    expect(names[2]).not.toBe(names[0])
  })

  it.each([
    ['/a.html', bytes('<p>żółw'), 'text/html; charset=utf-8'],
    ['/a.html', bytes('<meta charset="iso-8859-2"><p>x'), 'text/html'],
    ['/a.html', bytes('<p>\xe9', 'latin1'), 'text/html'],
    ['/a.css', bytes('p{}'), 'text/css; charset=utf-8'],
    ['/a.SVG', bytes('<svg/>'), 'image/svg+xml'],
    ['/a.bin', bytes('x'), 'application/octet-stream'],
  ])('serves files with their types: %s', async (path, content, contentType) => {
    expect(await findSiteFile(createPageSite(path, content), path)).toEqual({ contentType, bytes: content })
  })

  it('serves encoded paths and the index of a folder, and nothing else', async () => {
    const file = (text: string) => ({ stored: bytes(text), read: () => Promise.resolve(bytes(text)) })
    const site = {
      files: new Map([
        ['/a b.css', file('1')],
        ['/docs/index.html', file('2')],
      ]),
      entry: '/docs/index.html',
    }
    expect((await findSiteFile(site, '/a%20b.css'))?.bytes.toString()).toBe('1')
    expect((await findSiteFile(site, '/docs/'))?.contentType).toContain('text/html')
    for (const path of ['/%', '/../etc/passwd', '/docs/x']) expect(await findSiteFile(site, path)).toBeUndefined()
  })

  it.each([
    ['/index.html', '/index.html', '<base href="https://a.test/"><p>'],
    ['/index.svg', '/index.svg', '<p>'],
    ['/index.html', '/other.html', undefined],
  ])('adds the base URL to the page %s, and to nothing else', async (entry, path, expected) => {
    const site = { ...createPageSite(entry, bytes('<p>')), baseUrl: 'https://a.test/' }
    expect((await findSiteFile(site, path))?.bytes.toString()).toBe(expected)
    expect(nameSite(site)).not.toBe(nameSite(createPageSite(entry, bytes('<p>'))))
  })
})
