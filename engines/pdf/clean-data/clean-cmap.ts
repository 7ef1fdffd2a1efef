import { PDFName } from 'pdf-lib'
import type { PDFDict, PDFRawStream } from 'pdf-lib'
import { codeOfKey, writeCode } from '../content/code-keys'
import { writeToUnicode } from '../content/write-to-unicode'
import { deflatedStream } from '../document/deflated-stream'
import type { PdfDocument } from '../document/document'
import { readCMapFile } from '../fonts/cmaps/cmap-file'
import type { CMapFile } from '../fonts/cmaps/cmap-file'
import { countUp } from '../fonts/cmaps/to-unicode'
import { decodeGeneral } from './clean-encoding'
import * as Name from '../syntax/names'

/** Maximum number of mappings in one block (Adobe Technical Note 5014). */
const BLOCK = 100

/** Names of CMaps that a CMap may be based on, and of the CMap itself. Others could be any text. */
const KNOWN_NAME =
  /^(?:Adobe|Identity|UniGB|UniCNS|UniJIS|UniKS|GB|B5|HKscs|ETen|CNS|83pv|90ms|90msp|90pv|Add|EUC|Ext|KSC)[A-Za-z0-9-]{0,30}$/
const PLAIN_NAME = 'Custom-Encoding'

/** Maximum number of codes of a ToUnicode CMap that are written. */
const MOST_CODES = 200_000

/**
 * Returns the CMap of an encoding (ISO 32000-2, 9.7.5.3), written anew from its code spaces and mappings to glyphs.
 * Undefined if it can't be decoded.
 */
export function cleanEncodingCMap(document: PdfDocument, stream: PDFRawStream): PDFRawStream | undefined {
  const bytes = decodeGeneral(document, stream)
  if (!bytes) return undefined
  return deflatedStream(document, stream.dict, writeEncodingCMap(document, stream.dict, readCMapFile(bytes)))
}

function writeEncodingCMap(document: PdfDocument, dict: PDFDict, file: CMapFile): Uint8Array {
  const mode = document.peekNumber(dict.get(Name.WMode)) ?? file.writingMode
  const name = document.peekName(dict.get(PDFName.of('CMapName'))) ?? ''
  const isBased = file.baseName !== undefined && KNOWN_NAME.test(file.baseName)
  const rows = Array.from({ length: file.cids.size }, (_, index) => {
    const { low, high, value } = file.cids.at(index)
    return `${writeKey(low)} ${writeKey(high)} ${value}`
  })
  const spaces = file.spaces.map(({ low, high }) => `${hex(low)} ${hex(high)}`)
  return Buffer.from(
    [
      '/CIDInit /ProcSet findresource begin',
      '12 dict begin',
      'begincmap',
      ...(isBased ? [`/${file.baseName} usecmap`] : []),
      '/CIDSystemInfo <</Registry (Adobe) /Ordering (Identity) /Supplement 0>> def',
      `/CMapName /${KNOWN_NAME.test(name) ? name : PLAIN_NAME} def`,
      '/CMapType 1 def',
      ...(mode === undefined ? [] : [`/WMode ${mode === 1 ? 1 : 0} def`]),
      ...writeBlocks(spaces, 'codespacerange'),
      ...writeBlocks(rows, 'cidrange'),
      'endcmap',
      'CMapName currentdict /CMap defineresource pop',
      'end',
      'end',
      '',
    ].join('\n'),
    'latin1',
  )
}

function writeBlocks(rows: readonly string[], word: string): string[] {
  const blocks: string[] = []
  for (let at = 0; at < rows.length; at += BLOCK) {
    const block = rows.slice(at, at + BLOCK)
    blocks.push(`${block.length} begin${word}`, ...block, `end${word}`)
  }
  return blocks
}

function writeKey(key: number): string {
  const { code, length } = codeOfKey(key)
  return `<${writeCode(code, length)}>`
}

function hex(bytes: Uint8Array): string {
  return `<${Buffer.from(bytes).toString('hex').toUpperCase()}>`
}

/**
 * Returns a ToUnicode CMap, written anew from its mappings in the order of codes. Undefined if it can't be decoded, or
 * if it is based on another one.
 */
export function cleanToUnicode(document: PdfDocument, stream: PDFRawStream): PDFRawStream | undefined {
  const bytes = decodeGeneral(document, stream)
  const file = bytes && readCMapFile(bytes)
  if (!file || file.baseName !== undefined || stream.dict.has(Name.UseCMap)) return undefined
  return deflatedStream(document, stream.dict, writeToUnicode(listTexts(file)))
}

/** Lists the texts of all codes in the order of codes. */
function listTexts({ texts }: CMapFile): [key: number, text: string][] {
  const found = new Map<number, string>()
  for (let index = 0; index < texts.size; index++) {
    const { low, high, value } = texts.at(index)
    for (let key = low; key <= high && found.size < MOST_CODES; key++) {
      const text = countUp(value, key - low)
      if (text !== undefined) found.set(key, text)
    }
  }
  return [...found].sort(([one], [other]) => one - other)
}
