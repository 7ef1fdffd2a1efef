import { expect, test } from 'vitest'
import type { ProfileId } from '../../../../../engines/standards/conformance/examination/profiles'
import { TRAILER_RULES } from '../../../../../engines/standards/conformance/file/trailer-rules'
import { openDocument } from '../../../../../engines/pdf/open-save/open'
import { Examination } from '../../../../../engines/standards/conformance/examination/examination'
import { FileBytes } from '../../../../fixtures/pdf-writer'
import { LIMITS } from '../../../../support/run-on'
import { brokenRules, patch, writeSample } from './sample'

const GOOD = writeSample()
const STREAMED = writeSample({ layout: 'streams' })
const HEAD = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n'

const FILE_RULES = [
  ...['6.1-1', '6.1.2-1', '6.1.2-2', '6.1.3-1', '6.1.3-2', '6.1.3-3', '6.1.3-4', '6.1.4-1', '6.1.4-2', '6.1.4-3'],
  ...['6.1.7-1', '6.1.7-2', '6.1.7-3', '6.1.7.1-1', '6.1.7.1-2', '6.1.7.1-3', '6.1.8-1', '6.1.9-1'],
  ...['6.1.11-2', '6.1.13-1', '6.4.2-2', '6.11-1', '7.16-1'],
]

/** The text of the file, with everything after the first object one byte later. */
function insertBefore(text: string, inserted: string): Buffer {
  const file = GOOD.toString('latin1')
  return Buffer.from(file.replace(text, inserted + text), 'latin1')
}

const CASES: [what: string, profile: ProfileId, rule: string, file: Buffer][] = [
  ['bytes before the header', 'pdfa-1b', '6.1.2-1', Buffer.concat([Buffer.from('x'), GOOD])],
  ['bytes before the header', 'pdfa-2b', '6.1.2-1', Buffer.concat([Buffer.from('\n'), GOOD])],
  ['version 1.8', 'pdfa-3b', '6.1.2-1', patch(GOOD, '%PDF-1.4', '%PDF-1.8')],
  ['version 1.x', 'pdfa-1b', '6.1.2-1', patch(GOOD, '%PDF-1.4', '%PDF-1.x')],
  ['version 2.0', 'pdfua-1', '6.1-1', patch(GOOD, '%PDF-1.4', '%PDF-2.0')],
  ['ASCII comment', 'pdfa-2b', '6.1.2-2', patch(GOOD, '%\xe2\xe3\xcf\xd3', '%\xe2\xe3\xcfa')],
  ['no comment', 'pdfa-1b', '6.1.2-2', patch(GOOD, '%\xe2', ' \xe2')],
  ['no ID', 'pdfa-1b', '6.1.3-1', writeSample({ trailer: '' })],
  ['no ID', 'pdfa-2b', '6.1.3-1', writeSample({ trailer: '' })],
  ['empty ID', 'pdfa-2b', '6.1.3-1', writeSample({ trailer: '/ID[<><>]' })],
  ['bytes after the marker', 'pdfa-2b', '6.1.3-3', Buffer.concat([GOOD, Buffer.from('\n')])],
  ['two spaces in a subsection header', 'pdfa-1b', '6.1.4-1', insertBefore('5\n0000000000', ' ')],
  ['two line ends after xref', 'pdfa-1b', '6.1.4-2', insertBefore('0 5\n0000000000', '\n')],
  ['space after xref', 'pdfa-2b', '6.1.4-2', insertBefore('\n0 5\n0000000000', ' ')],
  ['cross-reference stream', 'pdfa-1b', '6.1.4-3', STREAMED],
  ['hybrid file', 'pdfa-1b', '6.1.4-3', writeSample({ layout: 'hybrid' })],
  ['embedded files', 'pdfa-1b', '6.1.11-2', writeSample({ catalog: '/Names<</EmbeddedFiles<<>>>>' })],
  ['optional content', 'pdfa-1b', '6.1.13-1', writeSample({ catalog: '/OCProperties<<>>' })],
  ['NeedsRendering', 'pdfa-2b', '6.4.2-2', writeSample({ catalog: '/NeedsRendering true' })],
  ['Requirements', 'pdfa-3b', '6.11-1', writeSample({ catalog: '/Requirements[<</S/EnableJavaScripts>>]' })],
  ['no line end before the object number', 'pdfa-1b', '6.1.8-1', patch(GOOD, '\n3 0 obj', ' 3 0 obj')],
  ["tab after the object number is allowed, two aren't", 'pdfa-2b', '6.1.9-1', spaced('3\t 0 obj\n', '\nendobj\n')],
  ['two spaces after the generation', 'pdfa-2b', '6.1.9-1', spaced('3 0  obj\n', '\nendobj\n')],
  ['no line end after obj', 'pdfa-2b', '6.1.9-1', patch(GOOD, '3 0 obj\n', '3 0 obj ')],
  ['no line end before endobj', 'pdfa-2b', '6.1.9-1', spaced('3 0 obj\n', ' endobj\n')],
  ['no line end after endobj', 'pdfa-2b', '6.1.9-1', spaced('3 0 obj\n', '\nendobj %\n')],
  ['short Length', 'pdfa-1b', '6.1.7-1', patch(GOOD, '/Length 3', '/Length 2')],
  ['long Length', 'pdfa-2b', '6.1.7.1-1', patch(GOOD, '/Length 3', '/Length 9')],
  ['no Length', 'pdfa-2b', '6.1.7.1-1', patch(GOOD, '/Length 3', '/Longth 3')],
  ['two line ends', 'pdfa-2b', '6.1.7.1-1', patch(patch(GOOD, '/Length 3', '/Length 2'), 'q Q\nends', 'q \n\nends')],
  ['CR after stream', 'pdfa-2b', '6.1.7.1-2', patch(GOOD, 'stream\nq Q', 'stream\rq Q')],
  ['no line end before endstream', 'pdfa-1b', '6.1.7-2', patch(GOOD, 'q Q\nends', 'q Q ends')],
  [
    'external data',
    'pdfa-2b',
    '6.1.7.1-3',
    writeSample({ objects: [{ dictionary: '/F(x)', data: Buffer.from('x') }] }),
  ],
  [
    'external filter',
    'pdfa-1b',
    '6.1.7-3',
    writeSample({ objects: [{ dictionary: '/FFilter/FlateDecode', data: Buffer.from('x') }] }),
  ],
]

/** The sample with other spaces around the page's value. */
function spaced(before: string, after: string): Buffer {
  const file = new FileBytes('1.4')
  file.object(1, '<</Type/Catalog/Pages 2 0 R>>')
  file.object(2, '<</Type/Pages/Count 1/Kids[3 0 R]>>')
  file.offsets.set(3, file.length)
  file.push(`${before}<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>${after}`)
  file.object(4, { dictionary: '', data: Buffer.from('q Q') })
  return file.closeWithTable(5, '/Root 1 0 R/ID[<AB><CD>]')
}

test.each(CASES)('%s breaks a rule of %s: %s', async (_what, profile, rule, file) => {
  expect(brokenRules(file, profile)).toContain(rule)
})

test.each([
  ['pdfa-1b', GOOD],
  ['pdfa-2b', GOOD],
  ['pdfa-3b', STREAMED],
  ['pdfua-1', GOOD],
  ['pdfa-2b', spaced('3\t0\robj\r\n', '\r\nendobj\r')],
  ['pdfa-2b', patch(GOOD, 'q Q\nends', 'q Q\rends')],
  ['pdfa-2b', writeSample({ objects: ['42', 'null', '[1 2 3 0 R]', '(text)', '3 0 R'] })],
  ['pdfa-2b', writeSample({ catalog: '/NeedsRendering false/OCProperties<<>>' })],
] as const)('a sound file follows the rules of %s', async (profile, file) => {
  const broken = brokenRules(file, profile)
  expect(broken.filter(rule => FILE_RULES.includes(rule.replace('?', '')))).toEqual([])
})

test('a linearized file has its ID in the trailer of the first page', async () => {
  expect(brokenRules(linearized('/ID[<AB><CD>]', ''), 'pdfa-1b')).not.toContain('6.1.3-1')
  expect(brokenRules(linearized('', '/ID[<AB><CD>]'), 'pdfa-1b')).toContain('6.1.3-1')
  expect(brokenRules(linearized('/ID[<AB><CD>]', '/ID[<AB><CD>]'), 'pdfa-1b')).not.toContain('6.1.3-4')
  expect(brokenRules(linearized('/ID[<AB><CD>]', '/ID[<AB><EF>]'), 'pdfa-1b')).toContain('6.1.3-4')
})

test('cross-reference rules are left undecided if the table had to be rebuilt', async () => {
  const broken = brokenRules(patch(GOOD, 'startxref', 'startxxxx'), 'pdfa-2b')
  expect(broken).toContain('6.1.4-2?')
})

// The service refuses encrypted files before it validates them.
test('encryption breaks PDF/A, and PDF/UA if it forbids accessibility', () => {
  const check = (profile: ProfileId, entries: string): string[] => {
    const document = openDocument(writeSample({ objects: [`<</Filter/Standard${entries}>>`] }), LIMITS)
    const examination = new Examination(document, GOOD, profile)
    const trailer = document.context.obj({ Encrypt: document.source.referenceOf(5) })
    examination.apply(TRAILER_RULES, { document, trailer, mainTrailer: undefined, bytesAfterMarker: 0 })
    return examination.report().failures.map(({ clause, test: number }) => `${clause}-${number}`)
  }
  expect(check('pdfa-2b', '/P -1')).toContain('6.1.3-2')
  expect(check('pdfua-1', '/P -1')).toEqual([])
  expect(check('pdfua-1', '/P -513')).toEqual(['7.16-1'])
  expect(check('pdfua-1', '')).toEqual(['7.16-1'])
})

/** A file with two cross-reference sections, the newest first. */
function linearized(first: string, main: string): Buffer {
  const write = (length: number, mainStart: number): Buffer => {
    const places = new Map<number, number>()
    let text = `${HEAD}6 0 obj\n<</Linearized 1/L ${String(length).padStart(6, '0')}>>\nendobj\n`
    const start = text.length
    const row = (number: number): string => `${String(places.get(number) ?? 0).padStart(10, '0')} 00000 n \n`
    places.set(6, HEAD.length)
    const section = `xref\n6 1\n${row(6)}trailer\n<</Root 1 0 R/Size 7/Prev ${String(mainStart).padStart(6, '0')}${first}>>\nstartxref\n0\n%%EOF\n`
    text += section
    for (const [index, body] of [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
    ].entries()) {
      places.set(index + 1, text.length)
      text += `${index + 1} 0 obj\n${body}\nendobj\n`
    }
    const table = text.length
    text += `xref\n0 4\n0000000000 65535 f \n${row(1)}${row(2)}${row(3)}trailer\n<</Size 4${main}>>\nstartxref\n${start}\n%%EOF\n`
    return text.length === length && table === mainStart ? Buffer.from(text, 'latin1') : write(text.length, table)
  }
  return write(0, 0)
}
