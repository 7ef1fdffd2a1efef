import { describe, expect, it } from 'vitest'
import { openDocument } from '../../../../engines/pdf/open-save/open'
import { findNameResidue } from '../../../../engines/features/redaction/names/rename-custom-names'
import { openRules } from '../../../../engines/features/redaction/search-rules/rule'
import { BUTTON_TRAPS, makeChoices, NAME_TRAPS, SIGNATURE_TRAPS } from '../../../fixtures/object-traps'
import { makeSecret, makeTrap, UNDER } from '../../../fixtures/traps'
import { readFieldsAndNotes } from '../../../support/pdfjs-objects'
import { PdfDict, PdfName, PdfText } from '../../../support/pdf-syntax'
import { readPageTexts } from '../../../support/page-texts'
import { readPdf, renderPage } from '../../../support/reader'
import { LIMITS, runOn } from '../../../support/run-on'
import { StrictPdf } from '../../../support/strict-pdf'
import { findTraces } from '../../../support/traces'

const area = { page: 1, origin: 'user-space', ...UNDER }

/** A file that violates no rule. */
function readStrictly(file: Buffer): StrictPdf {
  const strict = new StrictPdf(file)
  expect(strict.problems.concat(strict.malformed, strict.dangling)).toEqual([])
  return strict
}

/** All names and strings of the objects, with decoded escapes. */
function textsOf(file: StrictPdf): string {
  const texts: string[] = []
  const stack: unknown[] = [...file.objects.values()].map(({ value }) => value)
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (Array.isArray(value)) stack.push(...value)
    else if (value instanceof PdfName) texts.push(value.name)
    else if (value instanceof PdfText) texts.push(value.bytes)
    else if (value instanceof PdfDict) for (const [key, item] of value) stack.push(new PdfName(key), item)
  }
  return texts.join('\n')
}

/** The number of names that the verification of the result would still find. */
function nameResidue(file: Buffer, text: string): number {
  const document = openDocument(new Uint8Array(file), LIMITS)
  return findNameResidue(document, openRules([{ text, caseSensitive: false, wholeWord: false }], document.pageCount))
    .length
}

async function expectGone(file: Buffer, secrets: string[], kept: string[]): Promise<StrictPdf> {
  const strict = readStrictly(file)
  expect(findTraces(file, secrets)).toEqual([])
  for (const secret of secrets) expect(textsOf(strict)).not.toContain(secret)
  const text = (await readPageTexts(file)).join(' ')
  for (const word of kept) expect(text).toContain(word)
  return strict
}

describe('a signed file', () => {
  for (const [name, make] of Object.entries(SIGNATURE_TRAPS)) {
    it(`keeps nothing about the signer: ${name}`, async () => {
      const secret = makeSecret()
      const { file, secrets, kept } = make(secret)
      expect(findTraces(file, secrets)).toEqual(secrets)
      for (const options of [{ areas: [area] }, { search: [{ text: 'nowhere' }] }, { search: [{ text: secret }] }]) {
        const { bytes, warnings } = await runOn('pdf-redaction', file, options)
        expect(warnings).toContain(name.includes('XFA') ? 'xfa-dropped' : 'signatures-invalidated')
        const strict = await expectGone(bytes, secrets, kept)
        expect(['Perms', 'DSS'].filter(key => strict.catalog.has(key))).toEqual([])
        expect(strict.dict(strict.catalog.get('AcroForm')).has('SigFlags')).toBe(false)
        if (!name.includes('field')) continue
        const { fields, annotations } = await readFieldsAndNotes(bytes)
        expect(fields.sig?.at(-1)).toMatchObject({ type: 'signature' })
        expect(annotations).toMatchObject([{ fieldType: 'Sig', hasAppearance: true }])
      }
    })
  }

  it('loses the field whose widget lies under an area', async () => {
    const { file } = (SIGNATURE_TRAPS['a signature field and /Perms /DocMDP'] as (typeof SIGNATURE_TRAPS)[string])(
      'NOBODYATALL',
    )
    const { bytes } = await runOn('pdf-redaction', file, { areas: [{ page: 1, x: 50, y: 10, width: 60, height: 60 }] })
    const strict = await expectGone(bytes, ['NOBODYATALL'], ['BESIDE'])
    expect(strict.catalog.has('AcroForm')).toBe(false)
  })
})

describe('the value of a button under an area', () => {
  for (const [name, make] of Object.entries(BUTTON_TRAPS)) {
    it(`is removed, and the other button still works: ${name}`, async () => {
      const secret = makeSecret()
      const { file, kept } = make(secret)
      expect(textsOf(new StrictPdf(file))).toContain(secret)
      const { bytes } = await runOn('pdf-redaction', file, { areas: [area] })
      await expectGone(bytes, [secret], kept)
      const { fields, annotations } = await readFieldsAndNotes(bytes)
      expect(fields.choice?.at(-1)).toMatchObject({ type: 'radiobutton', value: 'Off' })
      expect(annotations).toMatchObject([{ buttonValue: name.includes('each') ? '1' : 'None' }])
      const seen = await readPdf(bytes)
      expect(seen.pages[0]?.fields.map(field => field.isChecked)).toEqual([false])
    })
  }
})

describe('a name that a rule finds', () => {
  for (const [name, make] of Object.entries(NAME_TRAPS)) {
    it(`is replaced, and the page keeps its look: ${name}`, async () => {
      const secret = makeSecret()
      const { file, kept } = make(secret)
      const { bytes, warnings, headers } = await runOn('pdf-redaction', file, {
        search: [{ text: secret.toLowerCase() }],
      })
      await expectGone(bytes, [secret], kept)
      expect([file, bytes].map(one => nameResidue(one, secret) > 0)).toEqual([true, false])
      expect(warnings).toEqual([])
      expect(Number(headers['X-Redactions-Applied'])).toBeGreaterThan(0)
      expect(Buffer.compare((await renderPage(bytes, 0)).pixels, (await renderPage(file, 0)).pixels)).toBe(0)
    })
  }

  it('is replaced as the value of a button, and the form still works', async () => {
    const secret = makeSecret()
    const { file, kept } = makeChoices(secret)
    for (const options of [{ text: secret }, { text: secret, pages: '1' }, { regex: `${secret.slice(0, 5)}[A-Z]+` }]) {
      const { bytes } = await runOn('pdf-redaction', file, { search: [options] })
      await expectGone(bytes, [secret], kept)
      const { annotations } = await readFieldsAndNotes(bytes)
      expect(annotations.map(({ fieldValue }) => fieldValue)).toEqual([
        ...Array<string>(3).fill('redacted1'),
        'redacted1',
      ])
      expect(annotations.map(({ buttonValue, exportValue }) => buttonValue ?? exportValue)).toEqual([
        'redacted1',
        'redacted2',
        'Page',
        'redacted1',
      ])
      expect((await readPdf(bytes)).pages[0]?.fields.map(field => field.isChecked)).toEqual([true, false, false, true])
      expect(Buffer.compare((await renderPage(bytes, 0)).pixels, (await renderPage(file, 0)).pixels)).toBe(0)
      const filled = await runOn('form-filler', bytes, { fields: { choice: 'redacted2', box: false } })
      expect((await readPdf(filled.bytes)).pages[0]?.fields.map(field => field.isChecked)).toEqual([
        false,
        true,
        false,
        false,
      ])
    }
  })

  it('stays if a specification defines it or a program counts it', async () => {
    const { file } = makeChoices('Anything')
    for (const text of [
      'Type',
      'Off',
      'Catalog',
      'Font',
      'Widget',
      'Helvetica',
      'Courier',
      'Normal',
      'Print',
      'Kids',
      'DeviceRGB',
      'AcroForm',
    ]) {
      const { bytes, warnings } = await runOn('pdf-redaction', file, { search: [{ text }] })
      expect(warnings).toEqual(['redaction-no-match'])
      expect(findTraces(bytes, ['redacted'])).toEqual([])
      expect((await readPdf(bytes)).pages[0]?.fields.map(field => field.isChecked)).toEqual([true, false, false, true])
    }
  })
})

describe('a comment that shows matching text', () => {
  it('stays if a rule only matches its author, and is removed if the rule matches its text', async () => {
    const stamp = (entries: string): string => `<</Type/Annot/Subtype/Stamp/Rect[200 20 260 40]${entries}>>`
    const { file } = makeTrap({
      page: pdf =>
        `/Annots[${pdf.add(stamp('/T(Quimby)/Contents(KEPTSTAMP)'))} 0 R ` +
        `${pdf.add(stamp('/T(Bob)/Contents(by Quimby, GONESTAMP)'))} 0 R]`,
    })
    const { bytes } = await runOn('pdf-redaction', file, { search: [{ text: 'Quimby' }] })
    expect(findTraces(bytes, ['Quimby', 'GONESTAMP', 'KEPTSTAMP'])).toEqual(['KEPTSTAMP'])
  })
})

describe('an object of a removed annotation', () => {
  const note = (entries: string, rect = '[200 20 220 40]'): string =>
    `<</Type/Annot/Subtype/Text/Rect${rect}${entries}>>`
  const make = () =>
    makeTrap({
      page: pdf => {
        const free = pdf.bodies.length + 1
        pdf.add(
          '<</Type/Annot/Subtype/FreeText/Rect[60 140 168 160]/DA(/F 9 ' +
            'Tf)/NM(first)/T(SECRETANN)/Contents(SECRETWORD)/Subj(On SECRETWORD)/RC(<?xml version="1.0"?><body ' +
            `xmlns="http://www.w3.org/1999/xhtml"><p><b>SECRET</b>WORD</p></body>)/Popup ${free + 1} 0 R>>`,
        )
        pdf.add(`<</Type/Annot/Subtype/Popup/Rect[1 1 9 9]/Parent ${free} 0 R/Contents(popped up)>>`)
        pdf.add(
          note(
            `/IRT ${free} 0 R/T(Bob)/Contents(KEEPREPLY)/RC(<body ` +
              'xmlns="http://www.w3.org/1999/xhtml"><p>KEEPREPLY <b>SECRET</b>WORD</p></body>)',
          ),
        )
        pdf.add(note(`/IRT ${free + 2} 0 R/RT/R/T(Carol)/Contents(KEEPSECOND)`))
        pdf.add(note(`/IRT ${free} 0 R/RT/Group/T(SECRETANN)/Contents(SAMEAUTHOR)`))
        pdf.add(note(`/IRT ${free} 0 R/RT/Group/T(Dave)/Contents(KEEPGROUPED)`))
        pdf.add(note(`/IRT ${free} 0 R/StateModel(Review)/State(Accepted)/T(Eve)/Contents(ACCEPTED)/F 30`))
        pdf.add(note(`/IRT ${free} 0 R/T(Frank)/Contents(COVERED)`, '[70 145 90 155]'))
        return `/Annots[${Array.from({ length: 8 }, (_, index) => `${free + index} 0 R`).join(' ')}]`
      },
    })

  for (const [name, options, gone] of [
    ['an area', { areas: [area] }, ['popped up', 'SAMEAUTHOR', 'ACCEPTED', 'COVERED']],
    ['a rule', { search: [{ text: 'SecretWord' }] }, ['popped up', 'SAMEAUTHOR', 'ACCEPTED', 'SECRETWORD']],
  ] as const) {
    it(`is removed with ${name} if it belongs to the annotation, and replies of others stay without their parent`, async () => {
      const { bytes } = await runOn('pdf-redaction', make().file, options)
      await expectGone(bytes, [], ['BESIDE'])
      expect(findTraces(bytes, [...gone])).toEqual([])
      const { annotations } = await readFieldsAndNotes(bytes)
      const byAuthor = new Map(annotations.map(annotation => [annotation.author, annotation]))
      expect([...byAuthor.keys()]).toEqual(expect.arrayContaining(['Bob', 'Carol', 'Dave']))
      expect(byAuthor.get('Bob')).toMatchObject({ contents: 'KEEPREPLY', inReplyTo: undefined })
      expect(byAuthor.get('Carol')).toMatchObject({ contents: 'KEEPSECOND', replyType: 'R' })
      expect(byAuthor.get('Carol')?.inReplyTo).toBeDefined()
      expect(byAuthor.get('Dave')).toMatchObject({ contents: 'KEEPGROUPED', inReplyTo: undefined })
      expect(byAuthor.has('Eve')).toBe(false)
    })
  }
})
