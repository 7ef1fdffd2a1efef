import { describe, expect, it } from 'vitest'
import { readConfig } from '../../../../lib/config'
import { findPage } from '../../../../lib/docs/pages/all'
import { listProofs, proveCharges, proveRedaction, proveSpeed } from '../../../../lib/docs/start-page/proofs'

const context = { origin: 'https://api.example.com', config: readConfig({}) }

it.each(listProofs())('$linkText: the start page links the section that has the figures', ({ href }) => {
  const [, slug = '', anchor] = /^\/docs\/([a-z-]+)(?:#(.+))?$/.exec(href) ?? []
  const page = findPage(slug, context)
  expect(page).toBeDefined()
  const anchors = page?.blocks.flatMap(block => (block.kind === 'heading' ? [block.id] : []))
  if (anchor !== undefined) expect(anchors).toContain(anchor)
})

it('has three proofs, each with a figure', () => {
  expect(listProofs().map(({ figure }) => /\d/.test(figure))).toEqual([true, true, true])
})

describe('the proof of the redaction', () => {
  it('says whose files it counts, and that others leak', () => {
    const counts = { constructions: 40, tried: 1200, verified: 1150, leaked: 0 }
    const { figure, unit, text } = proveRedaction(counts)
    expect([figure, unit]).toEqual(['1,150 of 1,200', 'of our own redaction tests end as verified'])
    expect(text).toContain('We made these files ourselves. They hide a secret in 40 ways.')
    expect(text).toContain('The tests find no secret in the verified results.')
    expect(text).toContain('found about 20 other ways that leak')
    expect(proveRedaction({ ...counts, leaked: 7 }).text).toContain('still find the secret of 7 in the verified')
    expect(`${figure} ${unit}`).not.toMatch(/leak/)
  })
})

describe('the proof of the speed', () => {
  it('states the median, the range, and the worst ratio of all files', () => {
    const summary = { pages: 2400, bytes: 1, jobs: 3, median: 0.25, lowest: 0.1, highest: 0.4, highestOfAll: 1.3 }
    const { figure, text } = proveSpeed(summary)
    expect(figure).toBe('4.0×')
    expect(text).toContain('3 jobs in a warm process, on a file of 2,400 pages')
    expect(text).toContain('from 10% to 40% there, and up to 130% on other files')
  })
})

describe('the proof of the charges', () => {
  it('adds up the trials of charges, and no others', () => {
    const makeTrial = (part: string, passed: number, checks: number) => ({
      part,
      asks: '',
      description: '',
      runs: [{ database: 'pglite', share: 1, date: '2026-01-01', passed, checks }],
    })
    const trials = [makeTrial('ledger-server', 9, 10), makeTrial('idempotency', 5, 5), makeTrial('raw', 1, 1)]
    expect(proveCharges(trials).figure).toBe('14 of 15')
  })

  it('says at which scale the tests ran', () => {
    const makeTrial = (part: string, share: number) => ({
      part,
      description: '',
      runs: [{ database: 'pglite', share, date: '2026-01-01', passed: 1, checks: 1 }],
    })
    const write = (...shares: number[]) =>
      proveCharges(shares.map((share, index) => makeTrial(`ledger-${index}`, share))).text
    expect(write(1, 1)).toMatch(/ Each test ran at full scale\.$/)
    expect(write(0.1, 1)).toMatch(/ Each test ran at 10% to 100% of its full scale\.$/)
    expect(write(0.2, 0.2)).toMatch(/ Each test ran at 20% of its full scale\.$/)
  })
})
