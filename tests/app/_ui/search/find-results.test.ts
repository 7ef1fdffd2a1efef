import { describe, expect, it } from 'vitest'
import { openIndex } from '../../../../app/_ui/search/find-results'
import { readConfig } from '../../../../lib/config'
import { createSearchIndex } from '../../../../lib/docs/search/search-index'

const find = openIndex(await createSearchIndex(readConfig({})))

describe('the first result', () => {
  it.each([
    ['rate_limited', 'Error code', 'rate_limited', '/docs/errors#rate_limited'],
    ['Rate_Limited ', 'Error code', 'rate_limited', '/docs/errors#rate_limited'],
    ['rate_lim', 'Error code', 'rate_limited', '/docs/errors#rate_limited'],
    ['rate_limted', 'Error code', 'rate_limited', '/docs/errors#rate_limited'],
    ['invalid api key', 'Error code', 'invalid_api_key', '/docs/errors#invalid_api_key'],
    ['X-Credit-Balance', 'Header', 'X-Credit-Balance', '/docs/headers#X-Credit-Balance'],
    ['retry-after', 'Header', 'Retry-After', '/docs/headers#Retry-After'],
    ['marks', 'Parameter', 'marks', '/docs/add-watermark#param-marks'],
    ['marks[].text', 'Parameter', 'marks[].text', '/docs/add-watermark#param-marks.text'],
    ['httpauth.password', 'Parameter', 'httpAuth.password', '/docs/webpage-to-pdf#param-httpAuth.password'],
    ['repaired', 'Warning', 'repaired', '/docs/warnings#repaired'],
    ['characters missing', 'Warning', 'characters-missing', '/docs/warnings#characters-missing'],
    ['!4', 'Page selector', '!4', '/docs/api-basics#selector-except'],
    ['odd', 'Page selector', 'odd, even', '/docs/api-basics#selector-odd-even'],
    ['errors', 'Page', 'Errors', '/docs/errors'],
    ['idempotency', 'Page', 'Idempotency', '/docs/idempotency'],
    ['rate lim', 'Page', 'Rate limits and concurrency', '/docs/rate-limits'],
    ['pricing', 'Page', 'Pricing', '/docs/pricing'],
    ['merge', 'Endpoint', 'Merge PDFs', '/docs/merge-pdf'],
    ['split-pdf', 'Endpoint', 'Split a PDF', '/docs/split-pdf'],
    ['redact', 'Endpoint', 'Redact', '/docs/pdf-redaction'],
    ['how do I rotate a key', 'Section', 'Rotate a key', '/docs/api-basics#rotate-a-key'],
    ['rotate key', 'Section', 'Rotate a key', '/docs/api-basics#rotate-a-key'],
    ['DATABASE_URL', 'Variable', 'DATABASE_URL', '/docs/configuration#DATABASE_URL'],
  ])('for %s is the %s %s', (query, kind, title, href) => {
    expect(find(query)[0]).toMatchObject({ kind, title, href })
  })
})

describe('the results', () => {
  it('for “password” are several kinds of things on several pages', () => {
    const results = find('password')
    expect(new Set(results.map(({ kind }) => kind)).size).toBeGreaterThan(2)
    expect(results.map(({ page }) => page)).toEqual(expect.arrayContaining(['Unlock PDF', 'Protect PDF']))
  })

  it('for a status are its error code and the page about it', () => {
    expect(
      find('429')
        .slice(0, 2)
        .map(({ title }) => title),
    ).toEqual(expect.arrayContaining(['rate_limited', 'Rate limits and concurrency']))
  })

  it('name the endpoint of a parameter, and are not all the same parameter', () => {
    const results = find('pages')
    const parameters = results.filter(({ kind, title }) => kind === 'Parameter' && title === 'pages')
    expect(parameters.length).toBe(4)
    expect(new Set(parameters.map(({ page }) => page)).size).toBe(4)
    expect(results.some(({ kind }) => kind === 'Endpoint')).toBe(true)
  })

  it.each(['a4', 'pdf', 'e', 'pages file error', 'x'])('are at most 12, and each only once: %s', query => {
    const hrefs = find(query).map(({ href }) => href)
    expect(hrefs.length).toBeLessThanOrEqual(12)
    expect(new Set(hrefs).size).toBe(hrefs.length)
  })

  it('name what matched, also inside a name', () => {
    expect(find('rate_limted')[0]?.terms).toEqual(expect.arrayContaining(['rate', 'limited']))
    expect(find('size').flatMap(({ title }) => title)).toContain('fontSize')
  })

  it('for words that no entry has together have some of the words', () => {
    expect(find('watermark idempotency').length).toBeGreaterThan(0)
  })

  it('for an empty query are frequent pages', () => {
    expect(find('  ').map(({ href }) => href)).toContain('/docs/quickstart')
    expect(find('').every(({ kind }) => kind === 'Page' || kind === 'Endpoint')).toBe(true)
  })

  it.each(['xyzzy', '§', '()', '???'])('for %s are none', query => {
    expect(find(query)).toEqual([])
  })
})
