import { PDFRawStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { decodeUpToLimit } from '../../../pdf/document'
import type { CharacterCollection } from '../../../pdf/fonts'
import { entryOf } from '../examination/model'
import { UNDECIDED } from '../examination/rules'
import type { Finding, Rule } from '../examination/rules'
import { nameOfCMap, readCMapCollection, readFontCollection } from './cid-system-info'
import { readCidGlyphs } from './composite-glyphs'
import type { CidGlyphs } from './composite-glyphs'
import { isSubset } from './font-rules'
import type { FontSubject } from './font-rules'
import { cidOfKey } from './used-font'
import { isIdentity } from './predefined-cmaps'
import * as Name from '../../../pdf/names'

/** Requirements for Type 0 fonts (ISO 19005-1, 6.3.3.1; ISO 19005-2, 6.2.11.3.1). */
export const TYPE0_RULES: Rule<FontSubject>[] = [
  {
    in: { 'pdfa-1': '6.3.3.1-1' },
    message: 'The CIDFont and the CMap of a Type 0 font must have the same registry and ordering.',
    check: subject => findOtherCollection(subject, () => true),
  },
  {
    in: { 'pdfa-2': '6.2.11.3.1-1', 'pdfa-3': '6.2.11.3.1-1', 'pdfua-1': '7.21.3.1-1' },
    message:
      'The CIDFont and the CMap of a Type 0 font must have the same registry and ordering, and fitting supplements.',
    check: subject => findOtherCollection(subject, (ofFont, ofCMap) => ofFont.supplement <= ofCMap.supplement),
  },
]

/**
 * Describes the collections of the CIDFont and the CMap if they differ, or if `fits` rejects their supplements. The CMap
 * Identity fits every font.
 */
function findOtherCollection(
  { font }: FontSubject,
  fits: (ofFont: CharacterCollection, ofCMap: CharacterCollection) => boolean,
): Finding {
  if (isIdentity(nameOfCMap(font.document, font.dict.get(Name.Encoding)))) return undefined
  const [ofFont, ofCMap] = [readFontCollection(font), readCMapCollection(font)]
  const isComplete = ofFont.registry !== undefined && ofFont.ordering !== undefined
  const isSame = ofFont.registry === ofCMap.registry && ofFont.ordering === ofCMap.ordering
  if (isComplete && isSame && fits(ofFont, ofCMap)) return undefined
  return `${writeCollection(ofFont)} and ${writeCollection(ofCMap)}`
}

function writeCollection({ registry, ordering, supplement }: CharacterCollection): string {
  return registry === undefined || ordering === undefined ? 'no collection' : `${registry}-${ordering}-${supplement}`
}

/** Requirements for CIDFonts (ISO 19005-1, 6.3.3.2 and 6.3.5; ISO 19005-2, 6.2.11.3.2 and 6.2.11.4.2). */
export const CID_FONT_RULES: Rule<FontSubject>[] = [
  {
    in: { 'pdfa-1': '6.3.3.2-1' },
    message: 'A CIDFont of type 2 must have a stream or /Identity as /CIDToGIDMap.',
    check: subject => (subject.font.isRendered ? findMissingMap(subject) : undefined),
  },
  {
    in: { 'pdfa-2': '6.2.11.3.2-1', 'pdfa-3': '6.2.11.3.2-1', 'pdfua-1': '7.21.3.2-1' },
    message: 'An embedded CIDFont of type 2 must have a stream or /Identity as /CIDToGIDMap.',
    check: subject => (isEmbedded(subject) ? findMissingMap(subject) : undefined),
  },
  {
    in: { 'pdfa-1': '6.3.5-3' },
    message: 'The font descriptor of a CIDFont subset must list the CIDs of the font program in /CIDSet.',
    check: subject =>
      isSubset(subject) ? compareSet(subject, { isRequired: true, compare: findUnlistedUse }) : undefined,
  },
  {
    in: { 'pdfa-2': '6.2.11.4.2-2', 'pdfa-3': '6.2.11.4.2-2', 'pdfua-1': '7.21.4.2-2' },
    message: 'If an embedded CIDFont subset has /CIDSet, it must list all CIDs of the font program.',
    check: subject =>
      isSubset(subject) && isEmbedded(subject)
        ? compareSet(subject, { isRequired: false, compare: findDifference })
        : undefined,
  },
]

function isEmbedded({ embedded }: FontSubject): boolean {
  return embedded.format !== 'missing' && embedded.format !== 'damaged'
}

function findMissingMap({ font, dict, subtype }: FontSubject): Finding {
  if (subtype !== 'CIDFontType2') return undefined
  const map = entryOf(font.document, dict, 'CIDToGIDMap')
  if (map instanceof PDFRawStream || font.document.peekName(map) === 'Identity') return undefined
  return map === undefined ? 'no /CIDToGIDMap' : `/CIDToGIDMap ${map.toString().slice(0, 40)}`
}

type HasBit = (cid: number) => boolean
type Compare = (subject: FontSubject, glyphs: CidGlyphs, set: { has: HasBit; size: number }) => Finding

function compareSet(subject: FontSubject, { isRequired, compare }: { isRequired: boolean; compare: Compare }): Finding {
  const { font, embedded } = subject
  const stream = entryOf(font.document, font.descriptor, 'CIDSet')
  if (!(stream instanceof PDFRawStream)) return isRequired ? 'no /CIDSet' : undefined
  const glyphs = readCidGlyphs(font, embedded)
  if (glyphs === UNDECIDED) return UNDECIDED
  if (!glyphs) return 'no font program to compare /CIDSet with'
  const bytes = decodeUpToLimit(font.document, stream) ?? new Uint8Array(0)
  // The first CID is the highest bit (ISO 32000-2, table 122).
  const has: HasBit = cid => (((bytes[cid >> 3] ?? 0) >> (7 - (cid & 7))) & 1) === 1
  return compare(subject, glyphs, { has, size: Math.min(bytes.length * 8, 0x10000) })
}

/** PDF/A-1 asks for the CIDs that the file shows. */
const findUnlistedUse: Compare = ({ font }, glyphs, { has }) => {
  for (const key of [...font.visible.keys(), ...font.invisible.keys()]) {
    const cid = cidOfKey(font, key)
    if (cid === undefined) return UNDECIDED
    if (cid !== 0 && glyphs.has(cid) && !has(cid)) return `/CIDSet lacks CID ${cid}`
  }
  return undefined
}

const findDifference: Compare = (_, glyphs, { has, size }) => {
  for (const cid of glyphs.list()) if (cid !== 0 && !has(cid)) return `/CIDSet lacks CID ${cid}`
  for (let cid = 1; cid < size; cid++) if (has(cid) && !glyphs.has(cid)) return `the font program lacks CID ${cid}`
  return undefined
}

/** The value of /Encoding or /UseCMap, for messages. */
export function describeCMap(name: string | undefined, value: PDFObject | undefined): string {
  return name === undefined ? (value instanceof PDFRawStream ? 'a CMap without a name' : 'no CMap') : `/${name}`
}
