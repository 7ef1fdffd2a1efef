import { describe, expect, it } from 'vitest'
import { makeFontFile, SUBSETS } from '../../../redaction-traps/groups/embedded-fonts'
import { makeTrap } from '../../../fixtures/traps'
import { readPageTexts } from '../../../support/page-texts'
import { readZip } from '../../../support/read-zip'
import { runOn } from '../../../support/run-on'
import { findTraces } from '../../../support/traces'

const SECRET = 'QUIMBYOLDFIELD'

/** A file with the secret on its page, and an attached file. */
const withAttachment = (bytes: Buffer): Buffer =>
  makeTrap({
    content: `BT /F 15 Tf 60 145 Td (${SECRET}) Tj ET`,
    catalog: pdf =>
      '/Names<</EmbeddedFiles<</Names[(a)<</Type/Filespec/F(a)/EF<</F ' +
      `${pdf.addStream('/Type/EmbeddedFile', bytes)} 0 R>>>>]>>>>`,
  }).file

interface Report {
  verified: boolean
  notChecked: { reason: string; message: string; pages?: number[]; font?: string }[]
}

async function redact(
  file: Uint8Array,
  options: object,
): Promise<{ header: string | undefined; warnings: string[]; report: Report; bytes: Buffer }> {
  const {
    bytes: zip,
    headers,
    warnings,
  } = await runOn('pdf-redaction', file, { search: [{ text: SECRET }], ...options, report: true })
  const entries = readZip(zip)
  const find = (end: string): Buffer =>
    entries.find(({ name }) => name.endsWith(end))?.bytes ?? expect.fail(`no ${end}`)
  return {
    header: headers['X-Redaction-Verified'],
    warnings: [...warnings],
    report: JSON.parse(find('report.json').toString()) as Report,
    bytes: find('.pdf'),
  }
}

describe('a redaction', () => {
  it('is verified if nothing remains and everything could be checked', async () => {
    const { file } = makeTrap({ content: `BT /F 15 Tf 60 145 Td (${SECRET}) Tj ET` })
    const { header, report } = await redact(file, {})
    expect([header, report.verified, report.notChecked]).toEqual(['true', true, []])
  })

  it('is verified if an attached text file has no match, and keeps the file', async () => {
    const { header, warnings, bytes } = await redact(withAttachment(Buffer.from('nothing of that kind')), {})
    expect([header, warnings]).toEqual(['true', ['attachments-not-searched']])
    expect(findTraces(bytes, ['nothing of that kind'])).not.toEqual([])
  })

  it("is not verified if an attached file has a match or can't be searched", async () => {
    for (const attached of [
      Buffer.from(`this is ${SECRET.toLowerCase()}`),
      Buffer.from('%PDF-1.7 and so on'),
      Buffer.from([80, 75, 3, 4, 0, 0, 1, 2]),
      Buffer.from('it costs \x80 100', 'latin1'), // Windows-1252
    ]) {
      const { header, report } = await redact(withAttachment(attached), {
        search: [{ text: SECRET }, { regex: '€ \\d+' }],
      })
      expect([header, report.verified, report.notChecked.map(({ reason }) => reason)]).toEqual([
        'false',
        false,
        ['attachments'],
      ])
      const removed = await redact(withAttachment(attached), { attachments: 'remove' })
      expect(removed.header).toBe('true')
    }
  })

  it('is not verified, and warns, if text has no usable Unicode mapping, and the report names the pages', async () => {
    const file = makeFontFile(SUBSETS['Type 3 with counted names']?.add ?? expect.fail(), {
      secret: SECRET,
      way: { isSearched: true, subset: 'secret first' },
    })
    const unmapped = Buffer.from(file.toString('latin1').replaceAll('/ToUnicode', '/ToNothing'), 'latin1')
    const { header, warnings, report } = await redact(unmapped, {})
    expect(header).toBe('false')
    expect(warnings).toContain('text-not-searchable')
    expect(report.notChecked).toEqual([expect.objectContaining({ reason: 'text-not-searchable', pages: [1] })])
  })

  it("with requireVerified is refused if it can't be verified, with the next step", async () => {
    const file = withAttachment(Buffer.from('%PDF-1.7'))
    const work = runOn('pdf-redaction', file, { search: [{ text: SECRET }], requireVerified: true })
    await expect(work).rejects.toMatchObject({
      reason: 'not_verified',
      problems: [{ param: 'options.requireVerified', message: expect.stringContaining('`attachments`') as unknown }],
    })
  })

  it('by an expression removes data that no page shows', async () => {
    const hidden = 'jane.doe@example.com'
    const { file } = makeTrap({
      content: `%${hidden}\n(${hidden}) BT /F 15 Tf 60 145 Td (shown) Tj ET`,
      catalog: pdf => `/Own ${pdf.addStream('', `{"mail":"${hidden}"}`)} 0 R`,
    })
    const { bytes } = await runOn('pdf-redaction', file, { search: [{ preset: 'email' }] })
    expect(findTraces(bytes, [hidden])).toEqual([])
    expect((await readPageTexts(bytes)).join(' ')).toContain('shown')
  })
})

describe('a match that appears only after another match is removed', () => {
  /** Word inside word, one line each: every removal joins the two halves of the line around it. */
  const nested = (levels: number): string => {
    const show = (x: number, text: string): string => `1 0 0 1 ${x} ${20 + 20 * levels} Tm (${text}) Tj`
    return levels === 0 ? show(60, 'QUIMBY') : `${show(60, 'QUIM')} ${nested(levels - 1)} ${show(96, 'BY')}`
  }
  const redactNested = (levels: number) =>
    runOn('pdf-redaction', makeTrap({ content: `BT /F 15 Tf ${nested(levels)} ET` }).file, {
      search: [{ text: 'QUIMBY' }],
    })

  it.each([1, 3, 5])('is removed, with %i words around it', async levels => {
    const { bytes } = await redactNested(levels)
    expect(await readPageTexts(bytes)).toEqual(['BESIDE'])
  })
})
