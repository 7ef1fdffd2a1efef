import type { PdfWriter } from '../../fixtures/pdf-writer'
import type { LetterShape } from './letter-shapes'
import { addDescriptor, encodeWith, lettersIn, mapped, NAME } from './subset-parts'
import type { AddSubset, Meaning } from './subset-parts'
import { writeCff } from './write-cff'
import { writeTables, writeTrueType } from './write-true-type'

interface CompositePlan {
  meaning?: Meaning
  /** `gid`: codes are glyph numbers. `map`: codes are character codes, and a /CIDToGIDMap maps them to glyphs. */
  codes: 'gid' | 'map'
  hasCidSet?: boolean
  /** Whether /W has ranges instead of lists. */
  hasRanges?: boolean
  /** Whether the program has a cmap that maps characters to its glyphs. */
  hasCmap?: boolean
}

function writeW(letters: readonly LetterShape[], cids: readonly number[], hasRanges: boolean): string {
  if (hasRanges)
    return `/W[${letters.map(({ advance }, index) => `${cids[index] ?? 0} ${cids[index] ?? 0} ${advance}`).join(' ')}]`
  return `/W[${letters.map(({ advance }, index) => `${cids[index] ?? 0}[${advance}]`).join(' ')}]`
}

function addCidSet(pdf: PdfWriter, cids: readonly number[]): string {
  const bits = Buffer.alloc((Math.max(...cids) >> 3) + 1)
  for (const cid of [0, ...cids]) bits[cid >> 3] = (bits[cid >> 3] ?? 0) | (0x80 >> (cid & 7))
  return `/CIDSet ${pdf.addStream('', bits)} 0 R`
}

/** A composite font with TrueType glyphs. */
export const addCidTrueType =
  ({
    codes: kind,
    meaning = 'mapped',
    hasCidSet = false,
    hasRanges = false,
    hasCmap = false,
  }: CompositePlan): AddSubset =>
  (pdf, text) => {
    const letters = lettersIn(text)
    const cids = letters.map(({ character }, index) => (kind === 'gid' ? index + 1 : character.charCodeAt(0)))
    const map = Buffer.alloc(2 * (Math.max(...cids) + 1))
    for (const [index, cid] of cids.entries()) map.writeUInt16BE(index + 1, 2 * cid)
    const toGid = kind === 'gid' ? '/CIDToGIDMap/Identity' : `/CIDToGIDMap ${pdf.addStream('', map)} 0 R`
    const glyphs = new Map(letters.map(({ character }, index) => [character.charCodeAt(0), index + 1]))
    const file = pdf.addStream(
      '',
      writeTrueType({ letters, cmaps: hasCmap ? [{ platform: 3, encoding: 1, glyphs }] : [] }),
    )
    const descriptor = addDescriptor(pdf, `/FontFile2 ${file} 0 R`, hasCidSet ? addCidSet(pdf, cids) : '')
    const descendant = pdf.add(
      `<</Type/Font/Subtype/CIDFontType2/BaseFont/${NAME}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement ` +
        `0>>/DW 1000${writeW(letters, cids, hasRanges)}${toGid}/FontDescriptor ${descriptor} 0 R>>`,
    )
    return {
      ref: pdf.add(
        `<</Type/Font/Subtype/Type0/BaseFont/${NAME}/Encoding/Identity-H/DescendantFonts[${descendant} 0 ` +
          `R]${mapped(pdf, { letters, codes: cids, bytes: 2, kind: meaning })}>>`,
      ),
      encode: encodeWith(letters, cids, 2),
    }
  }

/** A composite font with CFF glyphs, CID-keyed or keyed by names. */
export const addCidCff =
  ({
    isKeyedByName = false,
    isWrapped = false,
    meaning = 'mapped',
  }: {
    isKeyedByName?: boolean
    isWrapped?: boolean
    meaning?: Meaning
  }): AddSubset =>
  (pdf, text) => {
    const letters = lettersIn(text)
    const cids = letters.map((_, index) => index + 1)
    const cff = writeCff({ letters, ...(isKeyedByName ? {} : { cids }) })
    const file = isWrapped
      ? pdf.addStream('/Subtype/OpenType', wrap(cff, letters))
      : pdf.addStream('/Subtype/CIDFontType0C', cff)
    const descriptor = addDescriptor(pdf, `/FontFile3 ${file} 0 R`, addCidSet(pdf, cids))
    const descendant = pdf.add(
      `<</Type/Font/Subtype/CIDFontType0/BaseFont/${NAME}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement ` +
        `0>>/DW 1000${writeW(letters, cids, false)}/FontDescriptor ${descriptor} 0 R>>`,
    )
    return {
      ref: pdf.add(
        `<</Type/Font/Subtype/Type0/BaseFont/${NAME}/Encoding/Identity-H/DescendantFonts[${descendant} 0 ` +
          `R]${mapped(pdf, { letters, codes: cids, bytes: 2, kind: meaning })}>>`,
      ),
      encode: encodeWith(letters, cids, 2),
    }
  }

/** An OpenType file around a CFF program. */
function wrap(cff: Buffer, letters: readonly LetterShape[]): Buffer {
  const around = writeTrueType({ letters, cmaps: [] })
  const tables: Record<string, Buffer> = { 'CFF ': cff }
  for (let index = 0; index < around.readUInt16BE(4); index++) {
    const at = 12 + 16 * index
    const tag = around.toString('latin1', at, at + 4)
    if (tag !== 'glyf' && tag !== 'loca')
      tables[tag] = around.subarray(
        around.readUInt32BE(at + 8),
        around.readUInt32BE(at + 8) + around.readUInt32BE(at + 12),
      )
  }
  return writeTables(tables, Buffer.from('OTTO', 'latin1'))
}
