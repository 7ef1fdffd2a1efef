import { describe, expect, it } from 'vitest'
import { addBase, createPageSite, findSiteFile, nameSite } from '../../../../engines/webpage/egress/page-site'

const bytes = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding)

describe("the site of a request's page", () => {
  it("is named after the page's content, under localhost", () => {
    const names = ['<p>a', '<p>a', '<p>b'].map(html => nameSite(createPageSite(html)))
    expect(names[0]).toMatch(/^[0-9a-f]{24}\.localhost$/)
    expect(names[1]).toBe(names[0])
    expect(names[2]).not.toBe(names[0])
  })

  it.each([
    ['<p>x', '<base href="https://a.test/"><p>x'],
    ['<!doctype html><html lang="en"><head>', '<!doctype html><base href="https://a.test/"><html lang="en"><head>'],
    [
      '\ufeff <!-- note --> <!DOCTYPE html>\n<p>',
      '\ufeff <!-- note --> <!DOCTYPE html><base href="https://a.test/">\n<p>',
    ],
  ])('gets its base element after the document type: %j', (html, expected) => {
    expect(addBase(html, 'https://a.test/')).toBe(expected)
  })

  it('escapes a URL that would close the tag', () => {
    expect(addBase('', 'https://a.test/?a="><script>&b')).toBe('<base href="https://a.test/?a=&quot;><script>&amp;b">')
  })

  it.each([
    ['/a.html', bytes('<p>żółw'), 'text/html; charset=utf-8'],
    ['/a.html', bytes('<meta charset="iso-8859-2"><p>x'), 'text/html'],
    ['/a.html', bytes('<p>\xe9', 'latin1'), 'text/html'],
    ['/a.css', bytes('p{}'), 'text/css; charset=utf-8'],
    ['/a.SVG', bytes('<svg/>'), 'image/svg+xml'],
    ['/a.bin', bytes('x'), 'application/octet-stream'],
  ])('serves files with their types: %s', (path, content, contentType) => {
    expect(findSiteFile({ files: new Map([[path, content]]), entry: path }, path)).toEqual({
      contentType,
      bytes: content,
    })
  })

  it('serves encoded paths and the index of a folder, and nothing else', () => {
    const site = {
      files: new Map([
        ['/a b.css', bytes('1')],
        ['/docs/index.html', bytes('2')],
      ]),
      entry: '/docs/index.html',
    }
    expect(findSiteFile(site, '/a%20b.css')?.bytes.toString()).toBe('1')
    expect(findSiteFile(site, '/docs/')?.contentType).toContain('text/html')
    expect([findSiteFile(site, '/%'), findSiteFile(site, '/../etc/passwd'), findSiteFile(site, '/docs/x')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})
