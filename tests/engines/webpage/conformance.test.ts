import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findOptionProblems, pageOptions } from '../../../engines/webpage/request/options'
import { validateFile } from '../../support/conformance'
import { startSite } from '../../support/site'
import type { TestSite } from '../../support/site'
import { startPageRenderer } from '../../support/web-printer'
import type { TestRenderer } from '../../support/web-printer'

const RED = 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/%3E'
const GOOD =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Report</title><h1>Report</h1><h2>Part</h2><p>See <a ' +
  `href="https://example.com/">the site</a> and <a href="#end">the end</a>.</p><img alt="A square" src='${RED}'><img ` +
  `alt="" src='${RED}'><table><thead><tr><th scope="col">A<th scope="col">B<tbody><tr><td>1<td>2</table>` +
  '<style>.note::before { content: "Note: " } td { border: 1px solid }</style><h4>Deep</h4><ul><li><a href="/x">one</a>' +
  '<li><strong>two</strong> <em>three</em></ul><aside class="note">Aside</aside><div style="opacity: 0.5; background: #36c">half</div><p id="end">שלום 東京 café 😀</p>'
const BAD = `<!doctype html><h1>Report</h1><img src='/red.svg'><img src="/blue.svg" alt="Blue">`

let site: TestSite
let renderer: TestRenderer

beforeAll(async () => {
  site = await startSite({ '/good': GOOD, '/bad': BAD, '/red.svg': '<svg/>', '/blue.svg': '<svg/>' })
  renderer = await startPageRenderer({ allowedHosts: site.host })
})

afterAll(async () => {
  await renderer?.close()
  await site?.close()
})

const PROBLEMS = [
  { message: expect.stringContaining('no title') },
  { message: expect.stringContaining('lang') },
  { message: expect.stringContaining('"/red.svg" has no alternative text') },
]

describe('a web page that must conform', () => {
  it.each([['pdfa-3b'], ['pdfua-1'], ['pdfa-3b', 'pdfua-1']] as const)('conforms to %s', async (...conformance) => {
    const { bytes, warnings } = await renderer.print(GOOD, { conformance })
    for (const profile of conformance)
      expect(validateFile(bytes, profile)).toEqual({ conforms: true, profile, failures: [], undecided: [] })
    expect(warnings).toEqual([])
  })

  it('is refused with what its HTML lacks', async () => {
    await expect(renderer.print(BAD, { conformance: 'pdfua-1' })).rejects.toMatchObject({
      reason: 'not_conforming',
      problems: PROBLEMS,
    })
  })

  it('fails with what it lacks if it is behind a URL', async () => {
    await expect(renderer.print(`${site.base}/bad`, { conformance: 'pdfua-1' })).rejects.toMatchObject({
      reason: 'not_rendered',
      problems: PROBLEMS,
    })
  })

  it('needs no alternative texts for PDF/A', async () => {
    const { bytes } = await renderer.print(`${site.base}/bad`, { conformance: 'pdfa-3b' })
    expect(validateFile(bytes, 'pdfa-3b').conforms).toBe(true)
  })

  it('takes its title from the request', async () => {
    const { bytes } = await renderer.print('<!doctype html><html lang="en"><p>x', {
      conformance: 'pdfua-1',
      metadata: { title: 'A title' },
    })
    expect(validateFile(bytes, 'pdfua-1').conforms).toBe(true)
  })

  it('makes no claim unless the request names a standard', async () => {
    const { bytes } = await renderer.print(GOOD)
    expect(bytes.includes('pdfaid')).toBe(false)
  })

  it('needs tags for PDF/UA', () => {
    const options = pageOptions.parse({ conformance: 'pdfua-1', tagged: false })
    expect(findOptionProblems(options)).toEqual([expect.objectContaining({ param: 'tagged' })])
  })
})
