import type { PdfDict } from '../pdf-syntax'
import { readCff } from './cff-program'
import type { FontProgram } from './font-program'
import type { FontFileReader, ShownFont } from './shown-fonts'
import { readTrueType } from './true-type-program'
import { readType1 } from './type1-program'

/** The codes and glyphs of a font, and the text shown with the font. */
export interface FontFacts {
  codes: Set<number>
  /** Codes with data in the font, by the place of the data. */
  listed: Record<string, number[]>
  /** Glyphs that the file shows. */
  glyphs: Set<number>
  program: FontProgram | undefined
}

/** The font program of a descriptor. Undefined if the font is not embedded. */
export function readProgram(reader: FontFileReader, descriptor: PdfDict): FontProgram | undefined {
  const bytes = (key: string): Buffer | undefined => reader.bytesOf(descriptor.get(key))
  const [trueType, cff, type1] = [bytes('FontFile2'), bytes('FontFile3'), bytes('FontFile')]
  if (trueType) return readTrueType(trueType)
  if (cff) return cff.readUInt32BE(0) === 0x10000 ? readTrueType(cff) : readCff(cff)
  return type1 ? readType1(type1) : undefined
}

/** Reads the data of a simple font for its codes. */
export function readSimple(reader: FontFileReader, { dict, strings }: ShownFont): FontFacts {
  const { pdf } = reader
  const codes = new Set(strings.flatMap(text => Array.from(Buffer.from(text, 'latin1'))))
  const descriptor = pdf.dict(dict.get('FontDescriptor'))
  const program = readProgram(reader, descriptor)
  const [first, last] = [Number(pdf.get(dict.get('FirstChar'))), Number(pdf.get(dict.get('LastChar')))]
  const widths = pdf.array(dict.get('Widths')).map(width => Number(pdf.get(width)))
  const differences = readDifferences(reader, dict)
  const isNamed = new Map([...differences].map(([code, name]) => [name, code]))
  const glyphs = new Set(
    [...codes].flatMap(code => (program ? simpleGlyphs(program, code, differences.get(code)) : [])),
  )
  const nameOf = (name: string): number[] => {
    const gid = program?.names.indexOf(name) ?? -1
    return gid >= 0 && glyphs.has(gid) ? [] : [isNamed.get(name) ?? -1]
  }
  const charSet = [...(pdf.text(descriptor.get('CharSet')) ?? '').matchAll(/\/([^\s/]+)/g)].flatMap(([, name = '']) =>
    nameOf(name),
  )
  const procs = [...pdf.dict(dict.get('CharProcs')).keys()]
    .filter(name => name !== '.notdef')
    .map(name => isNamed.get(name) ?? -1)
  const listed = {
    '/Widths': widths.flatMap((width, index) => (width === 0 ? [] : [first + index])),
    '/FirstChar and /LastChar':
      codes.size > 0 || widths.some(width => width !== 0) ? [first, last].filter(code => !Number.isNaN(code)) : [],
    '/Differences': [...differences].flatMap(([code, name]) => (name === '.notdef' ? [] : [code])),
    '/CharSet': charSet,
    '/CharProcs': procs,
    '/ToUnicode': readMeaning(reader, dict),
  }
  return { codes, listed, glyphs, program }
}

function readDifferences(reader: FontFileReader, dict: PdfDict): Map<number, string> {
  const names = new Map<number, string>()
  let code = 0
  for (const item of reader.pdf.array(reader.pdf.dict(dict.get('Encoding')).get('Differences'))) {
    const value = reader.pdf.get(item)
    if (typeof value === 'number') code = value
    else names.set(code++, reader.pdf.text(value) ?? '')
  }
  return names
}

/** Every glyph that a reader could choose for a code: by name, by the cmaps, or by the encoding of the program. */
function simpleGlyphs(program: FontProgram, code: number, name: string | undefined): number[] {
  const found: number[] = []
  const letter = name?.length === 1 ? name.charCodeAt(0) : name === 'space' ? 32 : undefined
  for (const cmap of program.cmaps.values()) {
    for (const place of [code, 0xf000 + code, ...(letter === undefined ? [] : [letter])]) {
      const gid = cmap.get(place)
      if (gid !== undefined) found.push(gid)
    }
  }
  const usual = name ?? (code === 32 ? 'space' : String.fromCharCode(code))
  const named = program.names.indexOf(usual)
  return named >= 0 ? [...found, named] : found
}

/** The codes in a /ToUnicode CMap. */
function readMeaning(reader: FontFileReader, dict: PdfDict): number[] {
  const text = reader.bytesOf(dict.get('ToUnicode'))?.toString('latin1') ?? ''
  const codes: number[] = []
  for (const { 1: block = '' } of text.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const { 1: code = '' } of block.matchAll(/<([0-9A-Fa-f]+)>\s*<[0-9A-Fa-f\s]*>/g))
      codes.push(Number.parseInt(code, 16))
  for (const { 1: block = '' } of text.matchAll(/beginbfrange([\s\S]*?)endbfrange/g)) {
    for (const { 1: from = '0', 2: to = '0' } of block.matchAll(
      /<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>\s*(?:<[^>]*>|\[[^\]]*\])/g,
    )) {
      for (let code = Number.parseInt(from, 16); code <= Number.parseInt(to, 16); code++) codes.push(code)
    }
  }
  return codes
}

/** Reads the data of a composite font for its codes. Unused CIDs are listed as negative numbers. */
export function readComposite(reader: FontFileReader, { dict, strings }: ShownFont): FontFacts {
  const { pdf } = reader
  const descendant = pdf.dict(pdf.array(dict.get('DescendantFonts'))[0])
  const descriptor = pdf.dict(descendant.get('FontDescriptor'))
  const program = readProgram(reader, descriptor)
  const shown = strings.flatMap(text =>
    Array.from({ length: text.length >> 1 }, (_, at) => text.charCodeAt(2 * at) * 256 + text.charCodeAt(2 * at + 1)),
  )
  const toCid = readEncoding(reader, dict)
  const codes = new Set(shown)
  const cids = new Set(shown.map(toCid))
  const map = reader.bytesOf(descendant.get('CIDToGIDMap'))
  const glyphs = new Set(
    [...cids].map(cid =>
      map
        ? 2 * cid + 1 < map.length
          ? map.readUInt16BE(2 * cid)
          : 0
        : program?.cids
          ? program.cids.indexOf(cid)
          : cid,
    ),
  )
  const byCid = (numbers: number[]): number[] => numbers.filter(cid => !cids.has(cid))
  const set = reader.bytesOf(descriptor.get('CIDSet'))
  const inSet = set
    ? Array.from({ length: set.length * 8 }, (_, cid) => cid).filter(
        cid => cid > 0 && ((set[cid >> 3] ?? 0) & (0x80 >> (cid & 7))) !== 0,
      )
    : []
  const inMap = map
    ? Array.from({ length: map.length >> 1 }, (_, cid) => cid).filter(cid => map.readUInt16BE(2 * cid) !== 0)
    : []
  // These are CIDs. Shown CIDs are left out, so that the rest can be compared with codes.
  const listed = { '/W': byCid(readW(reader, descendant)), '/CIDSet': byCid(inSet), '/CIDToGIDMap': byCid(inMap) }
  const unshown = Object.fromEntries(
    Object.entries(listed).map(([where, found]) => [where, found.map(cid => -cid - 1)]),
  )
  return { codes, listed: { ...unshown, '/ToUnicode': readMeaning(reader, dict) }, glyphs, program }
}

/** CIDs by code: from an embedded CMap, or equal to the codes. */
function readEncoding(reader: FontFileReader, dict: PdfDict): (code: number) => number {
  const text = reader.bytesOf(dict.get('Encoding'))?.toString('latin1')
  if (text === undefined) return code => code
  const cids = new Map<number, number>()
  for (const { 1: from = '0', 2: to, 3: cid } of text.matchAll(/<([0-9A-Fa-f]+)>\s*(?:<([0-9A-Fa-f]+)>\s*)?(\d+)/g)) {
    const start = Number.parseInt(from, 16)
    for (let code = start; code <= Number.parseInt(to ?? from, 16); code++) cids.set(code, Number(cid) + code - start)
  }
  return code => cids.get(code) ?? 0
}

/** CIDs with a width in a /W array. */
function readW(reader: FontFileReader, descendant: PdfDict): number[] {
  const items = reader.pdf.array(descendant.get('W')).map(item => reader.pdf.get(item))
  const cids: number[] = []
  for (let at = 0; at < items.length;) {
    const [first, second] = [Number(items[at]), items[at + 1]]
    if (Array.isArray(second)) {
      cids.push(...second.flatMap((width, index) => (Number(reader.pdf.get(width)) === 0 ? [] : [first + index])))
      at += 2
    } else {
      for (let cid = first; cid <= Number(second) && Number(items[at + 2]) !== 0; cid++) cids.push(cid)
      at += 3
    }
  }
  return cids
}
