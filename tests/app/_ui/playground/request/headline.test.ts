import { expect, test } from 'vitest'
import { describeResult } from '../../../../../app/_ui/playground/request/headline'
import { readFacts } from '../../../../../app/_ui/playground/request/response-details'

const describe = (headers: Record<string, string>, contentType = 'application/pdf', report?: unknown) =>
  describeResult(
    readFacts(200, 10, Object.entries(headers)),
    { kind: 'file', blob: new Blob(['x'.repeat(1024)]), name: 'a', contentType },
    report,
  )

test.each([
  [{ 'x-redactions-applied': '3', 'x-redaction-verified': 'true' }, '3 places removed, verified'],
  [{ 'x-redactions-applied': '1', 'x-redaction-verified': 'false' }, '1 place removed, not verified'],
  [{ 'x-bytes-before': '1258291', 'x-bytes-after': '798720' }, /^−37 %, .+ → .+/],
  [{ 'x-bytes-before': '1000', 'x-bytes-after': '1000' }, /^Same size/],
  [{ 'x-bytes-before': '1000', 'x-bytes-after': '1100' }, /^\+10 %/],
  [{ 'x-changes': '0', 'x-page-count': '2' }, 'No changes'],
  [{ 'x-changes': '4', 'x-page-count': '2' }, '4 changes'],
  [{ 'x-ocr-pages': '2', 'x-page-count': '2' }, 'Text recognized on 2 pages'],
  [{ 'x-page-count': '5' }, /^5 pages, /],
  [{ 'x-pipeline-steps': '3', 'x-page-count': '5' }, /^3 steps run: 5 pages, [^,]+$/],
  [{ 'x-pipeline-steps': '1', 'x-page-count': '5' }, /^1 step run: 5 pages, /],
  [{ 'x-pipeline-steps': '3', 'x-redaction-verified': 'true' }, /^3 steps run: .+, redaction verified$/],
  [{ 'x-pipeline-steps': '3', 'x-redaction-verified': 'false' }, /^3 steps run: .+, redaction not verified$/],
  [
    { 'x-pipeline-steps': '2', 'x-redactions-applied': '3', 'x-redaction-verified': 'true' },
    '2 steps run: 3 places removed, verified',
  ],
])('says what the headers %o mean', (headers, sentence) => {
  expect(describe(headers)).toMatch(sentence)
})

test('reads reports', () => {
  const pages = [{ change: 'same' }, { change: 'changed' }, { change: 'inserted' }]
  expect(describe({ 'x-changes': '4' }, 'application/json', { changes: 4, pages })).toBe('4 changes on 2 pages')
  const report = (conforms: boolean | null, failures: unknown[] = []) => ({ conforms, failures })
  const verdict = (value: unknown) => describe({}, 'application/json', value)
  expect(verdict(report(false, [{}, {}]))).toBe('2 rules broken')
  expect(verdict(report(true))).toBe('No rule broken')
  expect(verdict({ reports: [report(true), report(false, [{}])] })).toBe('1 rule broken')
  expect(verdict({ reports: [report(true), report(null)] })).toBe('No rule broken, some not decided')
  expect(verdict({ number: 'INV-1' })).toMatch(/^JSON, /)
})
