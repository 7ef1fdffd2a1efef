import { describe, expect, it } from 'vitest'
import type { Report } from '../../../engines/standards/conformance/examination/report'
import { makeClaiming } from '../../fixtures/claims'
import { numbered } from '../../fixtures/draft'
import { runOn } from '../../support/run-on'

async function validate(file: Uint8Array, options: unknown = {}): Promise<Report & { reports?: Report[] }> {
  const { bytes, contentType, name } = await runOn('validate-pdf', file, options)
  expect(contentType).toBe('application/json')
  expect(name).toBe('input-report.json')
  return JSON.parse(bytes.toString('utf8'))
}

describe('validate-pdf', () => {
  it('reports broken rules with clause, test, message, count and places', async () => {
    const report = await validate(numbered(), { profile: 'pdfa-2b' })
    expect(report).toMatchObject({ conforms: false, profile: 'pdfa-2b' })
    const fonts = report.failures.find(({ clause }) => clause === '6.2.11.4.1')
    expect(fonts).toMatchObject({ test: 1, message: expect.stringMatching(/\.$/) })
    expect(fonts?.count).toBeGreaterThan(0)
    expect(fonts?.places[0]).toMatchObject({ page: 1, found: expect.any(String) })
    expect(report.failures.map(({ clause, test }) => `${clause}-${test}`)).toEqual(
      expect.arrayContaining(['6.6.2.1-1', '6.1.3-1']),
    )
  })

  it('checks what the file claims by default', async () => {
    expect(await validate(makeClaiming({ pdfa: '3u' }))).toMatchObject({ profile: 'pdfa-3u' })
    expect(await validate(makeClaiming({ pdfua: '1' }))).toMatchObject({ profile: 'pdfua-1' })
  })

  it('checks each claim of a file that makes several', async () => {
    const { reports, ...rest } = await validate(makeClaiming({ pdfa: '2b', pdfua: '1' }))
    expect(reports?.map(({ profile }) => profile)).toEqual(['pdfa-2b', 'pdfua-1'])
    expect(rest).toEqual({})
  })

  it('checks level a at the nearest level', async () => {
    expect(await validate(makeClaiming({ pdfa: '1a' }))).toMatchObject({ profile: 'pdfa-1b' })
    expect(await validate(makeClaiming({ pdfa: '2a' }))).toMatchObject({ profile: 'pdfa-2u' })
  })

  it('refuses a file without a claim unless a profile is named', async () => {
    await expect(validate(numbered())).rejects.toMatchObject({
      reason: 'options_invalid',
      message: expect.stringContaining('options.profile'),
    })
  })

  it('lists at most ten places', async () => {
    const report = await validate(numbered({ pages: 30 }), { profile: 'pdfa-2b' })
    for (const { count, places } of report.failures) expect(places).toHaveLength(Math.min(count, 10))
  })
})
