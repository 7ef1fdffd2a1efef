import { expect, test } from 'vitest'
import type { ProfileId } from '../../../../../engines/standards/conformance/examination/profiles'
import type { PdfWriter } from '../../../../fixtures/pdf-writer'
import { addDescriptor, type AddFont, cffProgram, findBroken, trueTypeProgram, writePage } from './font-file'

interface Composite {
  encoding?: string | ((pdf: PdfWriter) => number)
  collection?: string
  /** Entries of the CIDFont. */
  entries?: string
  /** CIDs in /CIDSet. */
  set?: readonly number[] | undefined
  isTrueType?: boolean
  isEmbedded?: boolean
}

const IDENTITY = '/Registry(Adobe)/Ordering(Identity)/Supplement 0'
const JAPAN = (supplement: number): string => `/Registry(Adobe)/Ordering(Japan1)/Supplement ${supplement}`

function composite({
  encoding = '/Identity-H',
  collection = IDENTITY,
  entries = '',
  set = [1, 2],
  isTrueType = false,
  isEmbedded = true,
}: Composite): AddFont {
  return pdf => {
    const bits = Uint8Array.from([set.reduce((byte, cid) => byte | (0x80 >> cid), 0)])
    const stream = set.length > 0 ? `/CIDSet ${pdf.addStream('', bits)} 0 R` : ''
    const program = isTrueType ? trueTypeProgram([[1, 0]]) : cffProgram([0, 1, 2], 'CIDFontType0C')
    const descriptor = addDescriptor(pdf, { entries: stream, program: isEmbedded ? program : undefined })
    const kind = `/Type/Font/Subtype/CIDFontType${isTrueType ? 2 : 0}/BaseFont/ABCDEF+X/CIDSystemInfo<<${collection}>>`
    const descendant = pdf.add(`<<${kind}/DW 500${entries}${descriptor}>>`)
    const cmap = typeof encoding === 'string' ? encoding : `${encoding(pdf)} 0 R`
    return pdf.add(`<</Type/Font/Subtype/Type0/BaseFont/X/Encoding ${cmap}/DescendantFonts[${descendant} 0 R]>>`)
  }
}

interface CMapOptions {
  entries?: string
  file?: string
  collection?: string
}

/** A CMap that maps two-byte codes to CIDs of the same number. */
function cmap({ entries = '', file = '', collection = JAPAN(2) }: CMapOptions = {}): (pdf: PdfWriter) => number {
  const named = `/Type/CMap/CMapName/X/CIDSystemInfo<<${collection}>>${entries}`
  const text = `${file} 1 begincodespacerange <0000> <FFFF> endcodespacerange 1 begincidrange <0000> <00FF> 0 endcidrange`
  return pdf => pdf.addStream(named, text)
}

const MAP = '/CIDToGIDMap/Identity'

interface Case {
  name: string
  font: Composite
  broken?: string[]
  shown?: string
  state?: string
}

const CASES: Partial<Record<ProfileId, Case[]>> = {
  'pdfa-1b': [
    { name: 'a CIDFont of type 0', font: {} },
    { name: 'a CIDFont of type 2', font: { isTrueType: true, entries: MAP } },
    { name: 'no /CIDToGIDMap', font: { isTrueType: true }, broken: ['6.3.3.2-1'] },
    { name: 'no /CIDToGIDMap in mode 3', font: { isTrueType: true }, state: '3 Tr' },
    { name: 'no program', font: { isEmbedded: false }, broken: ['6.3.4-1', '6.3.5-3'] },
    { name: 'no /CIDSet', font: { set: [] }, broken: ['6.3.5-3'] },
    { name: '/CIDSet without a shown CID', font: { set: [2] }, broken: ['6.3.5-3'] },
    { name: '/CIDSet without another CID', font: { set: [1] } },
    { name: 'a missing glyph', font: {}, shown: '<0005>', broken: ['6.3.5-1'] },
    { name: 'a wrong width', font: { entries: '/W[1[400]]' }, broken: ['6.3.6-1'] },
    { name: 'an embedded CMap', font: { encoding: cmap(), collection: JAPAN(9) } },
    { name: 'another ordering', font: { encoding: cmap() }, broken: ['6.3.3.1-1'] },
    {
      name: 'a predefined CMap',
      font: { encoding: '/90ms-RKSJ-H', collection: JAPAN(2) },
      shown: '<8140>',
      broken: ['6.3.3.3-1', '6.3.5-1'],
    },
    {
      name: 'another writing mode',
      font: { encoding: cmap({ entries: '/WMode 1' }), collection: JAPAN(2) },
      broken: ['6.3.3.3-2'],
    },
    {
      name: 'a large CID',
      font: { encoding: cmap({ file: '1 begincidchar <00FF> 65536 endcidchar' }), collection: JAPAN(2) },
      broken: ['6.1.12-10'],
    },
  ],
  'pdfa-2b': [
    { name: 'a CIDFont of type 0', font: {} },
    { name: 'no /CIDToGIDMap', font: { isTrueType: true }, broken: ['6.2.11.3.2-1'] },
    {
      name: 'no /CIDToGIDMap and no program',
      font: { isTrueType: true, isEmbedded: false },
      broken: ['6.2.11.4.1-1'],
    },
    { name: 'no /CIDSet', font: { set: [] } },
    { name: 'an incomplete /CIDSet', font: { set: [1] }, broken: ['6.2.11.4.2-2'] },
    { name: '/CIDSet with an unknown CID', font: { set: [1, 2, 3] }, broken: ['6.2.11.4.2-2'] },
    { name: '/CIDSet of TrueType', font: { isTrueType: true, entries: MAP, set: [1] }, broken: ['6.2.11.4.2-2'] },
    { name: 'a missing glyph', font: {}, shown: '<0005>', broken: ['6.2.11.4.1-2', '6.2.11.8-1'] },
    { name: '.notdef', font: { entries: '/W[0[500]]' }, shown: '<0000>', broken: ['6.2.11.8-1'] },
    { name: 'a wrong width', font: { entries: '/W[1 1 400]' }, broken: ['6.2.11.5-1'] },
    { name: 'a low supplement', font: { encoding: cmap(), collection: JAPAN(2) } },
    { name: 'a high supplement', font: { encoding: cmap(), collection: JAPAN(3) }, broken: ['6.2.11.3.1-1'] },
    {
      name: 'a predefined CMap',
      font: { encoding: '/90ms-RKSJ-H', collection: JAPAN(2) },
      shown: '<8140>',
      broken: ['6.2.11.4.1-2', '6.2.11.8-1'],
    },
    {
      name: 'an unlisted CMap',
      font: { encoding: '/Adobe-Japan1-2', collection: JAPAN(2) },
      broken: ['6.2.11.3.3-1'],
    },
    {
      name: 'another writing mode',
      font: { encoding: cmap({ file: '/WMode 1 def' }), collection: JAPAN(2) },
      broken: ['6.2.11.3.3-2'],
    },
    { name: 'a listed base', font: { encoding: cmap({ entries: '/UseCMap/H' }), collection: JAPAN(2) } },
    {
      name: 'an unlisted base',
      font: { encoding: cmap({ entries: '/UseCMap/Adobe-Japan1-2' }), collection: JAPAN(2) },
      broken: ['6.2.11.3.3-1', '6.2.11.3.3-3'],
    },
    {
      name: 'a large CID',
      font: { encoding: cmap({ file: '1 begincidrange <00FE> <00FF> 65535 endcidrange' }), collection: JAPAN(2) },
      broken: ['6.1.13-10'],
    },
  ],
  'pdfa-2u': [
    { name: 'CIDs without a meaning', font: {}, broken: ['6.2.11.7.2-1'] },
    { name: 'CIDs of a known collection', font: { collection: JAPAN(2) } },
  ],
  'pdfua-1': [
    { name: 'CIDs without a meaning', font: {}, broken: ['7.21.7-1'] },
    { name: 'a high supplement', font: { encoding: cmap(), collection: JAPAN(3) }, broken: ['7.21.3.1-1'] },
    { name: 'no /CIDToGIDMap', font: { isTrueType: true, collection: JAPAN(2) }, broken: ['7.21.3.2-1'] },
    { name: 'an incomplete /CIDSet', font: { set: [1], collection: JAPAN(2) }, broken: ['7.21.4.2-2'] },
  ],
}

for (const [profile, cases] of Object.entries(CASES))
  test.each(cases)(`${profile}: $name`, ({ font, broken = [], shown = '<0001>', state }) => {
    expect(findBroken(writePage(composite(font), shown, state), profile as ProfileId)).toEqual(broken)
  })
