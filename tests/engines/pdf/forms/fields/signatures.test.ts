import { describe, expect, it } from 'vitest'
import { Draft, numbered } from '../../../../fixtures/draft'
import { addSignature } from '../../../../fixtures/features'
import { withDocument } from '../../../../support/reader'
import { runOn } from '../../../../support/run-on'
import { StrictPdf } from '../../../../support/strict-pdf'
import { findTraces } from '../../../../support/traces'

const SIGNATURE = '/Type/Sig/Filter/Adobe.PPKLite/SubFilter/adbe.pkcs7.detached/ByteRange[0 1 2 3]/Contents<00>'

/** Five pages, a signed field on page 2, and a certification under another person's name. */
function certified(): Draft {
  const draft = new Draft({ salt: 'certified' })
  addSignature(draft, 2)
  const signature = `${draft.pdf.add(`<<${SIGNATURE}/Name(SECRETSIGNER)>>`)} 0 R`
  const certificate = draft.pdf.addPlainStream('', 'SECRETCERTIFICATE')
  draft.catalog.push(`/Perms<</DocMDP ${signature}/UR3 ${signature}>>`)
  draft.catalog.push(`/DSS<</Certs[${certificate} 0 R]>>/Legal<</Attestation(SECRETWORD)>>`)
  return draft
}

describe('dropCertification', () => {
  it.each([
    ['rotate-pdf', { angle: 90 }],
    ['crop-pdf', { margins: { top: 10 } }],
    ['crop-pdf', { margins: { top: 10 }, mode: 'remove' }],
    ['add-blank-page', {}],
    ['reverse-pages', {}],
    ['organize-pdf', { pageOrder: [1, 3] }],
    ['organize-pdf', { preset: 'reverse' }],
    ['delete-pages', { pages: [2] }],
    ['edit-metadata', { title: 'Other' }],
    ['remove-metadata', {}],
    ['remove-annotations', { types: 'all' }],
    ['flatten-pdf', {}],
    ['form-filler', { fields: {}, lock: true }],
    ['add-watermark', { text: 'DRAFT' }],
    ['page-numbers', {}],
  ])('leaves nothing of the certification with %s %j', async (tool, options) => {
    for (const layout of ['table', 'streams'] as const) {
      const { bytes, warnings } = await runOn(tool, certified().write(layout), options)
      expect(warnings).toContain('signatures-invalidated')
      expect(findTraces(bytes, ['SECRETSIGNER', 'SECRETCERTIFICATE', 'SECRETWORD', 'Perms', 'DSS', 'UR3'])).toEqual([])
    }
  })

  it('keeps the signatures of remaining fields', async () => {
    const { bytes } = await runOn('rotate-pdf', certified().write(), { angle: 90 })
    expect(await withDocument(bytes, (pdfium, document) => pdfium.FPDF_GetSignatureCount(document))).toBe(1)
    expect(bytes.includes('/Name(Signer)')).toBe(true)
  })

  it('leaves nothing of the certification in merged files, nor of catalogs that signatures reference', async () => {
    for (const files of [
      [certified().write(), numbered()],
      [numbered(), certified().write('streams')],
    ]) {
      const { bytes, warnings } = await runOn('merge-pdf', files)
      expect(warnings).toEqual(['signatures-invalidated'])
      expect(findTraces(bytes, ['SECRETSIGNER', 'SECRETCERTIFICATE', 'SECRETWORD', 'Perms', 'DSS', 'UR3'])).toEqual([])
    }
    const draft = new Draft({ salt: 'referring' })
    const reference = `/Reference[<</Type/SigRef/TransformMethod/DocMDP/Data ${draft.root} 0 R>>]`
    const value = draft.pdf.add(`<<${SIGNATURE}${reference}>>`)
    const widget = `/Type/Annot/Subtype/Widget/Rect[0 0 0 0]/P ${draft.page(1).ref} 0 R`
    const field = draft.pdf.add(`<<${widget}/FT/Sig/T(sealed)/V ${value} 0 R>>`)
    draft.page(1).annotations.push(`${field} 0 R`)
    draft.catalog.push(`/AcroForm<</Fields[${field} 0 R]/SigFlags 3>>/Perms<</DocMDP ${value} 0 R>>`)
    draft.catalog.push('/Legal<</Attestation(SECRETWORD)>>')
    const { bytes } = await runOn('merge-pdf', [numbered(), draft.write()], { pages: [null, '1'] })
    const strict = new StrictPdf(bytes)
    const types = [...strict.objects.values()].map(object => strict.text(strict.dict(object.value).get('Type')))
    expect(types.filter(type => type === 'Catalog')).toHaveLength(1)
    expect(findTraces(bytes, ['SECRETWORD', 'Perms'])).toEqual([])
  })

  it('warns if the file had only usage rights or certificates', async () => {
    for (const entry of [`/Perms<</UR<<${SIGNATURE}>>>>`, '/DSS<</VRI<<>>>>', '/Legal<</OptionalContent true>>']) {
      const draft = new Draft({ pages: 2 })
      draft.catalog.push(entry)
      const { bytes, warnings } = await runOn('rotate-pdf', draft.write(), { angle: 90 })
      expect(warnings).toEqual(['signatures-invalidated'])
      const { catalog } = new StrictPdf(bytes)
      expect(['Perms', 'DSS', 'Legal'].filter(key => catalog.has(key))).toEqual([])
    }
    expect((await runOn('rotate-pdf', numbered(), { angle: 90 })).warnings).toEqual([])
  })
})
